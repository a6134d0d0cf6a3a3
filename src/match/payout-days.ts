import { addDays, spanOf } from '../base/calendar.ts';
import type { BankStatements } from '../model/bank.ts';
import type { DateRange } from '../model/source.ts';

/** How many days before and after its date a settlement's money may arrive: more than the days it is due. */
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
