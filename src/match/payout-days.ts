import { addDays, isBusinessDay, spanOf } from '../base/calendar.ts';
import type { BankStatements } from '../model/bank.ts';
import type { DateRange } from '../model/source.ts';

/** How many days before its date a settlement's money may arrive, and after it. */
export const daysAround = { before: 7, after: 14 } as const;

/**
 * The days whose pay-outs statements are about: those that they cover, and those before whose money
 * arrives then. Undefined without statements.
 */
export function payoutDays({
  statements,
}: Pick<BankStatements, 'statements'>): DateRange | undefined {
  const covered = daysCovered(statements);
  return covered && { from: addDays(covered.from, -daysAround.before), to: covered.to };
}

/** From the first to the last day of statements; one that was cut short may name none. */
export function daysCovered(statements: BankStatements['statements']): DateRange | undefined {
  return spanOf(statements.flatMap(({ from, to }) => [from, to]).filter((day) => day !== ''));
}

/** The days of settlements that may explain entries on the days of a range. */
export function explainingDays({ from, to }: DateRange): DateRange {
  return { from: addDays(from, -daysAround.after), to: addDays(to, daysAround.before) };
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

/** Days are counted once: thousands of settlements have the same few hundred dates. */
const known = new Map<string, DateRange>();

/** The days on which the money of a settlement of a date is expected: −1 to +5 business days. */
export function daysDue({ date }: { readonly date: string }): DateRange {
  const days = known.get(date) ?? { from: addBusinessDays(date, -1), to: addBusinessDays(date, 5) };
  known.set(date, days);
  return days;
}
