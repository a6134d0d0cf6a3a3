import { conflictsById } from '../app/read-settlements.ts';
import { spanOf } from '../base/calendar.ts';
import type { SourceHeaders } from '../export/day-source.ts';
import { headerLine } from '../export/source-line.ts';
import type { DateRange, HeaderList } from '../model/source.ts';

/**
 * The part of the older days that a night sweeps, after the last one that was swept: so many that all have
 * their turn within `sweptDays` (0: never), and after missed nights as many more. `days`: those in place that
 * it doesn't read anyway, in order. `nights`: days since the last night, at least 1.
 */
export function daysToSweep(
  days: readonly string[],
  swept: string | null,
  sweptDays: number,
  nights: number,
): readonly string[] {
  if (sweptDays === 0) return [];
  // One more, for the day that each night adds.
  const count = nights * (Math.ceil(days.length / sweptDays) + 1);
  const next = days.filter((day) => count < days.length && day > (swept ?? ''));
  return [...next, ...days].slice(0, Math.min(count, days.length));
}

/** What is listed of days that are swept: all at once, or, where they begin anew, in two parts. */
export function rangesToList(days: readonly string[]): readonly DateRange[] {
  const anew = days.findIndex((day, index) => day < (days[index - 1] ?? ''));
  const parts = anew === -1 ? [days] : [days.slice(0, anew), days.slice(anew)];
  return parts.flatMap((part) => spanOf(part) ?? []);
}

/**
 * The days whose stored headers are not what is listed now: those that are `empty` as a whole, and those
 * that have `changed` otherwise.
 */
export function compareHeaders(
  stored: ReadonlyMap<string, SourceHeaders>,
  lists: readonly HeaderList[],
) {
  const isSure = lists.every(({ unsteady, unreadable }) => !unsteady && unreadable.length === 0);
  const settlements = lists.flatMap((list) => list.settlements);
  const now = textsOf({ settlements, conflicts: lists.flatMap(({ conflicts }) => conflicts) });
  const known = new Set([...stored.values()].flatMap((one) => one.settlements.map(({ id }) => id)));
  const arrived = new Set(settlements.flatMap(({ id, date }) => (known.has(id) ? [] : date)));
  const [changed, empty]: [string[], string[]] = [[], []];
  for (const [day, headers] of stored) {
    const texts = [...textsOf(headers)];
    const isSame = texts.every(([id, text]) => now.get(id) === text);
    if (isSame && !arrived.has(day)) continue;
    const isEmpty = isSure && !arrived.has(day) && !texts.some(([id]) => now.has(id));
    (isEmpty ? empty : changed).push(day);
  }
  return { changed, empty };
}

/** All that a list says of each settlement, by its id. */
function textsOf({ settlements, conflicts }: Pick<SourceHeaders, 'settlements' | 'conflicts'>) {
  const several = conflictsById(conflicts);
  return new Map(
    settlements.map((one) => [one.id, (several.get(one.id) ?? [one]).map(headerLine).join()]),
  );
}
