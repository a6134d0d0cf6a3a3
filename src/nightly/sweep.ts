import { conflictsById } from '../app/read-settlements.ts';
import { spanOf } from '../base/calendar.ts';
import type { SourceHeaders } from '../export/day-source.ts';
import { headerLine } from '../export/source-line.ts';
import type { Settlement } from '../model/settlement.ts';
import type { DateRange, HeaderList } from '../model/source.ts';
import type { Archive } from './archive.ts';

/** What decides which of the older days a night sweeps. */
interface SweepFacts {
  /** Those in place that it doesn't read anyway, in order. */
  readonly days: readonly string[];
  /** The last one that was swept. */
  readonly swept: string | null;
  /** Within how many days all of them are to be seen; 0 for never. */
  readonly sweptDays: number;
  /** Days since the last night: at least 1. */
  readonly since: number;
}

/**
 * The part of the older days that a night sweeps, from the last one on: so many that all have had their
 * turn within `sweptDays`, and after missed nights as many more.
 */
export function daysToSweep({ days, swept, sweptDays, since }: SweepFacts): readonly string[] {
  if (sweptDays === 0) return [];
  // One more, for the day that each night adds.
  const count = since * (Math.ceil(days.length / sweptDays) + 1);
  const next = days.filter((day) => count < days.length && day > (swept ?? ''));
  return [...next, ...days].slice(0, Math.min(count, days.length));
}

/** What is listed of days that are swept: all at once, or, where they begin anew, in two parts. */
export function rangesToList(days: readonly string[]): readonly DateRange[] {
  const anew = days.findIndex((day, index) => day < (days[index - 1] ?? ''));
  const parts = anew === -1 ? [days] : [days.slice(0, anew), days.slice(anew)];
  return parts.flatMap((part) => spanOf(part) ?? []);
}

/** What a sweep needs. */
interface Sweep {
  readonly archive: Archive;
  /** Days of which the service is known to list nothing any more: their files alone are looked at. */
  readonly delisted: ReadonlySet<string>;
  readonly list: (range: DateRange) => Promise<HeaderList>;
  /** What the service says of one settlement; undefined where that can't be read. */
  readonly ask: (id: string) => Promise<readonly Settlement[] | undefined>;
}

/** Of a day that is empty now, so many settlements are asked for by their ids: they may have moved. */
const mostAsked = 5;

/**
 * Reads the files of these days, and lists their settlements again: gives those that are not as they were
 * stored, in their files, in their headers, or empty now as a whole. Throws ReconError where they can't be
 * listed.
 */
export async function sweepDays(
  days: readonly string[],
  { archive, delisted, list, ask }: Sweep,
): Promise<ReadonlyMap<string, 'damaged' | 'changed' | 'delisted'>> {
  const swept = new Map<string, 'damaged' | 'changed' | 'delisted'>();
  const stored = new Map<string, SourceHeaders>();
  for (const day of days) {
    const headers = (await archive.check(day)) && (await archive.listed(day));
    if (!headers) swept.set(day, 'damaged');
    else if (!delisted.has(day)) stored.set(day, headers);
  }
  const lists: HeaderList[] = [];
  for (const range of rangesToList([...stored.keys()])) lists.push(await list(range));
  const isSure = lists.every(({ unsteady, unreadable }) => !unsteady && unreadable.length === 0);
  const settlements = lists.flatMap((one) => one.settlements);
  const now = textsOf({ settlements, conflicts: lists.flatMap(({ conflicts }) => conflicts) });
  const known = new Set([...stored.values()].flatMap((one) => one.settlements.map(({ id }) => id)));
  const arrived = new Set(settlements.flatMap(({ id, date }) => (known.has(id) ? [] : date)));
  for (const [day, headers] of stored) {
    const texts = [...textsOf(headers)];
    if (!arrived.has(day) && texts.every(([id, text]) => now.get(id) === text)) continue;
    const isEmpty = isSure && !arrived.has(day) && !texts.some(([id]) => now.has(id));
    const asked = isEmpty ? texts.slice(0, mostAsked).map(([id]) => ask(id)) : [];
    const found = await Promise.all(asked);
    // Where nobody can say what has become of them, it is looked at again when it has its turn.
    if (found.includes(undefined)) continue;
    const isElsewhere = found.flat().some((one) => one?.date !== day);
    swept.set(day, isEmpty && !isElsewhere ? 'delisted' : 'changed');
  }
  return swept;
}

/** All that a list says of each settlement, by its id. */
function textsOf({ settlements, conflicts }: Pick<SourceHeaders, 'settlements' | 'conflicts'>) {
  const several = conflictsById(conflicts);
  return new Map(
    settlements.map((one) => [one.id, (several.get(one.id) ?? [one]).map(headerLine).join()]),
  );
}
