/** The Good Fridays, as almanacs have them; Easter Monday is three days later. */
const goodFridays: Readonly<Record<string, string>> = {
  '2024': '2024-03-29',
  '2025': '2025-04-18',
  '2026': '2026-04-03',
  '2027': '2027-03-26',
  '2028': '2028-04-14',
};

const dayLength = 86_400_000;
const timeOf = (day: string) => Date.parse(`${day}T00:00:00Z`);

/** The day so many days later; earlier, if negative. */
export function dayAfter(day: string, days: number): string {
  return new Date(timeOf(day) + days * dayLength).toISOString().slice(0, 10);
}

export function daysFrom(from: string, to: string): number {
  return (timeOf(to) - timeOf(from)) / dayLength;
}

/** The days from one to another, both included. */
export function daysBetween(from: string, to: string): readonly string[] {
  return Array.from({ length: daysFrom(from, to) + 1 }, (_, n) => dayAfter(from, n));
}

export function lastOfMonth(month: string): string {
  return dayAfter(`${dayAfter(`${month}-01`, 31).slice(0, 7)}-01`, -1);
}

/** TARGET for the euro, weekdays otherwise (CLOSING 9). */
export function isBusinessDay(day: string, currency: string): boolean {
  if ([0, 6].includes(new Date(timeOf(day)).getUTCDay())) return false;
  if (currency !== 'EUR') return true;
  if (['01-01', '05-01', '12-25', '12-26'].includes(day.slice(5))) return false;
  const friday = goodFridays[day.slice(0, 4)];
  if (!friday) throw new Error(`No Good Friday is known for ${day}.`);
  return day !== friday && day !== dayAfter(friday, 3);
}

/** The business day so many business days later; earlier, if negative. */
export function businessDayAfter(day: string, count: number, currency: string): string {
  let at = day;
  for (let left = Math.abs(count); left > 0; ) {
    at = dayAfter(at, Math.sign(count));
    if (isBusinessDay(at, currency)) left--;
  }
  return at;
}

const dueDays = new Map<string, string>();

/** The last day on which the pay-out of a day may arrive (CLOSING 1 and 9). */
export function dueDay(day: string, currency: string): string {
  const key = `${day} ${currency}`;
  const due = dueDays.get(key) ?? businessDayAfter(day, 5, currency);
  dueDays.set(key, due);
  return due;
}
