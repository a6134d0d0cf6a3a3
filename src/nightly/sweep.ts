import { conflictsById } from '../app/read-settlements.ts';
import { spanOf } from '../base/calendar.ts';
import type { SourceHeaders } from '../export/day-source.ts';
import { headerLine } from '../export/source-line.ts';
import type { Settlement } from '../model/settlement.ts';
import type { DateRange, HeaderList, SettlementFilters, Source } from '../model/source.ts';
import type { Archive } from './archive.ts';

/** What decides which of the older days a night sweeps. */
export interface SweepFacts {
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
  const count = Math.ceil((days.length * since) / sweptDays);
  if (count >= days.length) return days;
  const next = days.filter((day) => swept === null || day > swept);
  return [...next, ...days].slice(0, count);
}

/** What is listed of days that are swept: all at once, or, where they begin anew, in two parts. */
export function rangesToList(days: readonly string[]): readonly DateRange[] {
  const anew = days.findIndex((day, index) => day < (days[index - 1] ?? ''));
  const parts = anew === -1 ? [days] : [days.slice(0, anew), days.slice(anew)];
  return parts.flatMap((part) => spanOf(part) ?? []);
}

/** What a sweep needs. */
export interface Sweep {
  readonly archive: Archive;
  readonly source: Source;
  readonly filters: SettlementFilters;
  /** Days of which the service is known to list nothing any more: their files alone are looked at. */
  readonly delisted: ReadonlySet<string>;
  /** What the service says of one settlement; undefined where that can't be read. */
  readonly ask: (id: string) => Promise<readonly Settlement[] | undefined>;
}

/** A day that is not as it was stored: in its files, in its headers, or empty now as a whole. */
export interface SweptDay {
  readonly day: string;
  readonly is: 'damaged' | 'changed' | 'delisted';
}

/** Of a day that is empty now, so many settlements are asked for by their ids. */
const mostAsked = 5;

/**
 * Reads the files of these days, and lists their settlements again: gives those that are not as they were
 * stored. Throws ReconError where they can't be listed.
 */
export async function sweepDays(
  days: readonly string[],
  { archive, source, filters, delisted, ask }: Sweep,
): Promise<readonly SweptDay[]> {
  const swept: SweptDay[] = [];
  const stored = new Map<string, SourceHeaders>();
  for (const day of days) {
    const isSound = await archive.check(day);
    const headers = isSound && !delisted.has(day) ? await archive.listed(day) : undefined;
    if (!isSound) swept.push({ day, is: 'damaged' });
    else if (headers) stored.set(day, headers);
  }
  const lists: HeaderList[] = [];
  for (const range of rangesToList([...stored.keys()])) {
    lists.push(await source.headers({ range, filters }));
  }
  const settlements = lists.flatMap((list) => list.settlements);
  const now = textsOf({ settlements, conflicts: lists.flatMap((list) => list.conflicts) });
  const known = new Set([...stored.values()].flatMap(idsOf));
  const arrived = new Set(settlements.flatMap(({ id, date }) => (known.has(id) ? [] : date)));
  const isSure = lists.every((list) => !list.unsteady && list.unreadable.length === 0);
  for (const [day, headers] of stored) {
    const isSame = [...textsOf(headers)].every(([id, text]) => now.get(id) === text);
    if (isSame && !arrived.has(day)) continue;
    const isEmpty = isSure && !arrived.has(day) && !idsOf(headers).some((id) => now.has(id));
    const is = isEmpty ? await whereGone(headers.settlements, ask) : 'changed';
    if (is !== 'unknown') swept.push({ day, is });
  }
  return swept;
}

/** What has become of a day's settlements that are not listed: gone as a whole, or moved to other days. */
async function whereGone(settlements: readonly Settlement[], ask: Sweep['ask']) {
  for (const { id, date } of settlements.slice(0, mostAsked)) {
    const now = await ask(id);
    if (!now) return 'unknown';
    if (now.some((one) => one.date !== date)) return 'changed';
  }
  return 'delisted';
}

function idsOf({ settlements }: Pick<SourceHeaders, 'settlements'>): readonly string[] {
  return settlements.map(({ id }) => id);
}

/** All that a list says of each settlement, by its id. */
function textsOf({ settlements, conflicts }: Pick<SourceHeaders, 'settlements' | 'conflicts'>) {
  const several = conflictsById(conflicts);
  return new Map(
    settlements.map((one) => [one.id, (several.get(one.id) ?? [one]).map(headerLine).join()]),
  );
}
