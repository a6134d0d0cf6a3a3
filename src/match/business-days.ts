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

/** Days are counted once: thousands of settlements have the same few hundred dates. */
const known = new Map<string, DateRange>();

/** The days on which the money of a settlement of a date is expected: −1 to +5 business days. */
export function daysDue({ date }: { readonly date: string }): DateRange {
  const days = known.get(date) ?? { from: addBusinessDays(date, -1), to: addBusinessDays(date, 5) };
  known.set(date, days);
  return days;
}
