import {
  addDays,
  addMonths,
  daysBetween,
  daysOfMonth,
  isDay,
  rangeBefore,
} from '../base/calendar.ts';
import { ReconError } from '../base/errors.ts';
import type { DateRange, SettlementFilters } from '../model/source.ts';
import type { Flags } from './flags.ts';

type RangeFlags = Pick<Flags, 'from' | 'to' | 'on' | 'month'>;

/** About 27 years: a longer range is mistyped, and its days do not fit into memory. */
const mostDays = 10_000;

export function isRangeGiven({ from, to, on, month }: RangeFlags): boolean {
  return [from, to, on, month].some((flag) => flag !== undefined);
}

/** The inclusive range of the flags, or else another one. Throws ReconError if there is none. */
export function resolveRange(
  { from, to, on, month }: RangeFlags,
  today: string,
  otherwise?: DateRange,
): DateRange {
  if (month !== undefined) return readMonth(month, today);
  if (on !== undefined) {
    const day = parseDay('--on', on, today);
    return { from: day, to: day };
  }
  if (from !== undefined && to !== undefined) {
    const range = { from: parseDay('--from', from, today), to: parseDay('--to', to, today) };
    if (range.from > range.to) {
      const message = `The range ends (${range.to}) before it starts (${range.from}).`;
      throw new ReconError('usage', message, { hint: 'Swap --from and --to.' });
    }
    if (daysBetween(range.from, range.to) < mostDays) return range;
    const message = `From ${range.from} to ${range.to} are more than 10,000 days.`;
    throw new ReconError('usage', message, { hint: 'Correct --from or --to.' });
  }
  if (otherwise) return otherwise;
  throw new ReconError('usage', 'No range given.', {
    hint: 'Add --from and --to, --on DAY, or --month YYYY-MM, for example --from -7d --to yesterday.',
  });
}

/** The range of `--compare`: `previous`, a month, or `FIRST..LAST`. Throws ReconError unless it is earlier. */
export function earlierRange(text: string, range: DateRange, today: string): DateRange {
  if (text.toLowerCase() === 'previous') return rangeBefore(range);
  const refuse = (message: string) =>
    new ReconError('usage', message, {
      where: '--compare',
      hint: 'Write it as previous, 2026-02, or 2026-02-01..2026-02-28.',
    });
  const [, first, last] = /^(.*?)\.\.(.*)$/.exec(text) ?? [];
  const earlier =
    first === undefined || last === undefined
      ? parseMonth(text, today)
      : { from: parseDay('--compare', first, today), to: parseDay('--compare', last, today) };
  if (!earlier) throw refuse(`${JSON.stringify(text)} is not a range.`);
  const { from, to } = earlier;
  if (from > to) throw refuse(`The range ends (${to}) before it starts (${from}).`);
  if (to < range.from) return earlier;
  throw refuse(`It ends on ${to}, but must end before the range starts (${range.from}).`);
}

export function describeRange({ from, to }: DateRange): string {
  return from === to ? `of ${from}` : `from ${from} to ${to} (inclusive)`;
}

export function filtersOf({ mid, cid, chid }: SettlementFilters): SettlementFilters {
  return {
    ...(mid !== undefined && { mid }),
    ...(cid !== undefined && { cid }),
    ...(chid !== undefined && { chid }),
  };
}

const monthsAgo: readonly string[] = ['this', 'last'];

function readMonth(text: string, today: string): DateRange {
  const range = parseMonth(text, today);
  if (range) return range;
  const hint = 'Write it as 2026-03, this, or last.';
  const message = `${JSON.stringify(text)} is not a month.`;
  throw new ReconError('usage', message, { where: '--month', hint });
}

function parseMonth(text: string, today: string): DateRange | undefined {
  const ago = monthsAgo.indexOf(text.toLowerCase());
  return daysOfMonth(ago < 0 ? text : addMonths(today, -ago).slice(0, 7));
}

/** A day as a flag writes it. Throws ReconError. */
export function parseDay(flag: string, text: string, today: string): string {
  if (isDay(text)) return text;
  const word = text.toLowerCase();
  if (word === 'today') return today;
  if (word === 'yesterday') return addDays(today, -1);
  const [, count, unit] = /^-(\d{1,4})([dwm])$/.exec(word) ?? [];
  if (unit === 'd') return addDays(today, -Number(count));
  if (unit === 'w') return addDays(today, -7 * Number(count));
  if (unit === 'm') return addMonths(today, -Number(count));
  const hint = 'Write it as 2026-03-05, today, yesterday, or -7d for seven days ago.';
  const message = `${JSON.stringify(text)} is not a date.`;
  throw new ReconError('usage', message, { where: flag, hint });
}
