import { addDays, addMonths, dayAt, daysOfMonth, isDay } from '../base/calendar.ts';
import { ReconError } from '../base/errors.ts';
import type { DateRange, SettlementFilters } from '../model/source.ts';
import type { Flags } from './flags.ts';

/** The flags that name a range, as they were written. */
export type RangeFlags = Pick<Flags, 'from' | 'to' | 'on' | 'month'>;

/** Whether any of them is given. */
export function isRangeGiven({ from, to, on, month }: RangeFlags): boolean {
  return [from, to, on, month].some((flag) => flag !== undefined);
}

export interface RangeContext {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** In which `today` is meant. */
  readonly timeZone: string;
  /** Where no range is named, if there is one. */
  readonly otherwise: DateRange | undefined;
}

const forms = 'Write it as 2026-03-05, today, yesterday, or -7d for seven days ago.';

/** The inclusive range that the flags name, in one way only. Throws ReconError where they name none. */
export function resolveRange(
  { from, to, on, month }: RangeFlags,
  context: RangeContext,
): DateRange {
  if (month !== undefined) return rangeOfMonth(month, context);
  if (on !== undefined) {
    const day = readDay('--on', on, context);
    return { from: day, to: day };
  }
  if (from !== undefined && to !== undefined) {
    return inOrder(readDay('--from', from, context), readDay('--to', to, context));
  }
  if (context.otherwise) return context.otherwise;
  throw usage('No range given.', {
    hint: 'Add --from and --to, --on DAY, or --month YYYY-MM, for example --from -7d --to yesterday.',
  });
}

/** A range in words, which says that both its days belong to it. */
export function describeRange({ from, to }: DateRange): string {
  return from === to ? `of ${from}` : `from ${from} to ${to} (inclusive)`;
}

/** The filters of the service among the flags. */
export function filtersOf({ mid, cid, chid }: SettlementFilters): SettlementFilters {
  return {
    ...(mid !== undefined && { mid }),
    ...(cid !== undefined && { cid }),
    ...(chid !== undefined && { chid }),
  };
}

function inOrder(from: string, to: string): DateRange {
  if (from <= to) return { from, to };
  throw usage(`The range ends (${to}) before it starts (${from}).`, {
    hint: 'Swap --from and --to.',
  });
}

/** How many months ago they are. */
const namedMonths: ReadonlyMap<string, number> = new Map([
  ['this', 0],
  ['last', 1],
]);

function rangeOfMonth(text: string, { now, timeZone }: RangeContext): DateRange {
  const monthsAgo = namedMonths.get(text.toLowerCase());
  const month =
    monthsAgo === undefined ? text : addMonths(dayAt(now, timeZone), -monthsAgo).slice(0, 7);
  const range = daysOfMonth(month);
  if (range) return range;
  throw usage(`${JSON.stringify(text)} is not a month.`, {
    where: '--month',
    hint: 'Write it as 2026-03, this, or last.',
  });
}

function readDay(flag: string, text: string, { now, timeZone }: RangeContext): string {
  if (isDay(text)) return text;
  const today = dayAt(now, timeZone);
  const word = text.toLowerCase();
  if (word === 'today') return today;
  if (word === 'yesterday') return addDays(today, -1);
  const [, count, unit] = /^-(\d{1,4})([dwm])$/.exec(word) ?? [];
  if (unit === 'd') return addDays(today, -Number(count));
  if (unit === 'w') return addDays(today, -7 * Number(count));
  if (unit === 'm') return addMonths(today, -Number(count));
  throw usage(`${JSON.stringify(text)} is not a date.`, { where: flag, hint: forms });
}

function usage(message: string, details: { where?: string; hint: string }): ReconError {
  return new ReconError('usage', message, details);
}
