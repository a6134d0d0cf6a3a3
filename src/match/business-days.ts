import { addDays } from '../base/calendar.ts';

/** Whether a day, YYYY-MM-DD, is one from Monday to Friday. Holidays are not known here. */
export function isBusinessDay(day: string): boolean {
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay();
  return weekday !== 0 && weekday !== 6;
}

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
