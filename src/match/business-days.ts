import { addDays, isBusinessDay } from '../base/calendar.ts';
import type { DateRange } from '../model/source.ts';

/**
 * The day so many business days after a day, or before it; days from Monday to Friday count. Holidays
 * differ by country and bank and are not known here.
 */
export function addBusinessDays(day: string, days: number): string {
  const step = days < 0 ? -1 : 1;
  let at = day;
  for (let left = Math.abs(days); left > 0; ) {
    at = addDays(at, step);
    if (isBusinessDay(at)) left -= 1;
  }
  return at;
}

/** How many business days before a settlement's date its money may be booked, and after it. */
const daysToArrive = { before: 1, after: 5 } as const;

/** Days are counted once: thousands of settlements have the same few hundred dates. */
const known = new Map<string, DateRange>();

/** The days on which the money of a settlement of a date is expected: −1 to +5 business days. */
export function daysDue({ date }: { readonly date: string }): DateRange {
  const { before, after } = daysToArrive;
  const days = known.get(date) ?? {
    from: addBusinessDays(date, -before),
    to: addBusinessDays(date, after),
  };
  known.set(date, days);
  return days;
}
