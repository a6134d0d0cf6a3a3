import { daysBetween, daysOf, isDayIn, spanOf } from '../base/calendar.ts';
import { groupedBy } from '../base/lists.ts';
import { inOrderOf } from '../base/texts.ts';
import type { BankStatement } from '../model/bank.ts';
import type { Settlement } from '../model/settlement.ts';
import type { DateRange } from '../model/source.ts';
import { type BusinessDays, daysCovered } from './business-days.ts';
import type { BankState } from './match.ts';

/** Which days statements cover, in each currency. */
export class Coverage {
  readonly #byCurrency: ReadonlyMap<string, readonly CoveredRange[]>;
  /** The last day of all; undefined without statements. */
  readonly #end: string | undefined;
  readonly #businessDays: BusinessDays;

  constructor(statements: readonly BankStatement[], businessDays: BusinessDays) {
    this.#businessDays = businessDays;
    const whole = statements.filter(({ isWhole }) => isWhole);
    const byAccount = groupedBy(whole, ({ account, currency }) => `${account} ${currency}`);
    const covered = [...byAccount.values()].flatMap(rangesCovered);
    this.#byCurrency = groupedBy(covered, ({ currency }) => currency);
    this.#end = daysCovered(statements)?.to;
  }

  /** The state of money that was not found: missing if statements cover all business days until it is due. */
  stateOfUnfound({ date, currency }: Settlement): BankState {
    const covered = this.#byCurrency.get(currency) ?? [];
    const { to } = this.#businessDays.daysDue({ date, currency });
    const end = spanOf(covered.map((range) => range.to))?.to ?? '';
    if (date > end) return 'not_covered';
    for (const day of daysOf({ from: date, to: end < to ? end : to })) {
      const isOpen = this.#businessDays.isOpen(day, currency);
      const isKnown = !isOpen || covered.some((range) => isDayIn(range, day));
      if (!isKnown) return 'not_covered';
    }
    return end < to ? 'in_transit' : 'missing_on_bank';
  }

  /** Whether a day is covered for a currency, on one account or on any. */
  covers(day: string, currency: string, account?: string): boolean {
    const covered = this.#byCurrency.get(currency) ?? [];
    const own = covered.filter((range) => account === undefined || range.account === account);
    return own.some((range) => isDayIn(range, day));
  }

  /** Days from a date to the end of the statements, 0 for a later date; undefined without statements. */
  ageOf(date: string): number | undefined {
    return this.#end === undefined ? undefined : Math.max(0, daysBetween(date, this.#end));
  }
}

interface CoveredRange extends DateRange {
  readonly account: string;
  readonly currency: string;
}

/**
 * The days that statements of one account and currency cover. Banks write no statement for days without
 * movement: if a statement opens with the closing balance before, the days between are covered too.
 */
function rangesCovered(statements: readonly BankStatement[]): readonly CoveredRange[] {
  const sorted = [...statements].sort(inOrderOf(({ from, to }) => [from, to]));
  return sorted.map(({ account, currency, from, to, opening }, number) => {
    const before = sorted[number - 1];
    const goesOn = before !== undefined && opening !== undefined && opening === before.closing;
    return { account, currency, from: goesOn && before.to < from ? before.to : from, to };
  });
}
