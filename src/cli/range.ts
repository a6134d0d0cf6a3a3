import { addDays, dayAt, daysOfMonth, isDay } from '../base/calendar.ts';
import { ReconError } from '../base/errors.ts';
import type { DateRange } from '../model/source.ts';

/** The flags that name a range, as they were written. */
export interface RangeFlags {
  readonly from?: string;
  readonly to?: string;
  readonly on?: string;
  readonly month?: string;
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

/** The inclusive range that the flags name. Throws ReconError where they name none, or several. */
export function resolveRange(flags: RangeFlags, context: RangeContext): DateRange {
  const { from, to, on, month } = flags;
  const ways = [from !== undefined || to !== undefined, on !== undefined, month !== undefined];
  if (ways.filter(Boolean).length > 1) {
    throw usage('The range is given in more than one way.', {
      hint: 'Use --from with --to, or --on, or --month.',
    });
  }
  if (month !== undefined) return rangeOfMonth(month);
  if (on !== undefined) {
    const day = readDay('--on', on, context);
    return { from: day, to: day };
  }
  if (from !== undefined && to !== undefined) {
    return inOrder(readDay('--from', from, context), readDay('--to', to, context));
  }
  if (from !== undefined || to !== undefined) {
    const [given, missing] = from === undefined ? ['--to', '--from'] : ['--from', '--to'];
    throw usage(`${given} is given without ${missing}.`, {
      // A lone date filters nothing (doc 4.3): it would read everything there is.
      hint: `Add ${missing}, or use --on for a single day.`,
    });
  }
  if (context.otherwise) return context.otherwise;
  throw usage('No range is given.', {
    hint: 'Add --from and --to, or --on DAY, or --month YYYY-MM; for example --from -7d --to yesterday.',
  });
}

/** A range in words, for who asked for it. */
export function describeRange({ from, to }: DateRange): string {
  return from === to
    ? `Settlements of ${from}`
    : `Settlements from ${from} to ${to}, both days included`;
}

function inOrder(from: string, to: string): DateRange {
  if (from <= to) return { from, to };
  throw usage(`The range ends (${to}) before it begins (${from}).`, {
    hint: 'Exchange --from and --to.',
  });
}

function rangeOfMonth(text: string): DateRange {
  const range = daysOfMonth(text);
  if (range) return range;
  throw usage(`${JSON.stringify(text)} is no month.`, {
    where: '--month',
    hint: 'Write it as 2026-03.',
  });
}

function readDay(flag: string, text: string, { now, timeZone }: RangeContext): string {
  if (isDay(text)) return text;
  const today = dayAt(now, timeZone);
  if (text === 'today') return today;
  if (text === 'yesterday') return addDays(today, -1);
  const daysAgo = /^-(\d{1,4})d$/.exec(text)?.[1];
  if (daysAgo !== undefined) return addDays(today, -Number(daysAgo));
  throw usage(`${JSON.stringify(text)} is no day of the calendar.`, { where: flag, hint: forms });
}

function usage(message: string, details: { where?: string; hint: string }): ReconError {
  return new ReconError('usage', message, details);
}
