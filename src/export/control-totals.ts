import { byText } from '../base/by-text.ts';
import type { Row } from '../model/row.ts';
import type { Settlement } from '../model/settlement.ts';
import { addMoney, formatMinor, type Money, rescale } from '../money/money.ts';

/**
 * What a loader can check its tables against: over the rows of `transactions.csv` the count and
 * the sums, over those of `settlements.csv` the count and the pay-in as reported, for each
 * accounting token of a settlement and each currency. Amounts are decimal text at `decimalPlaces`.
 */
export interface ControlTotal {
  readonly accountingToken: string;
  readonly currency: string;
  readonly decimalPlaces: number;
  readonly settlements: number;
  readonly payIn: string;
  readonly transactions: number;
  readonly amount: string;
  readonly fees: string;
  readonly tax: string;
}

interface Sums {
  readonly accountingToken: string;
  settlements: number;
  transactions: number;
  payIn: Money;
  amount: Money;
  fees: Money;
  tax: Money;
}

/** Adds up what a day's files hold. */
export class ControlTotals {
  readonly #sums = new Map<string, Sums>();
  /** Rows come settlement by settlement: the next one mostly goes where the last one went. */
  #last: Sums | undefined;

  addSettlement({ accountingToken, currency, scale, payIn }: Settlement): void {
    const sums = this.#of(accountingToken, currency);
    sums.settlements += 1;
    sums.payIn = addMoney(sums.payIn, { minor: payIn, scale, currency });
  }

  /** A row, and the accounting token of the settlement that it is listed under. */
  addRow(accountingToken: string, { currency, scale, amount, fees, tax }: Row): void {
    const sums = this.#of(accountingToken, currency);
    sums.transactions += 1;
    sums.amount = addMoney(sums.amount, { minor: amount, scale, currency });
    sums.fees = addMoney(sums.fees, { minor: fees, scale, currency });
    sums.tax = addMoney(sums.tax, { minor: tax, scale, currency });
  }

  /** By accounting token, then currency. */
  totals(): readonly ControlTotal[] {
    return [...this.#sums.values()]
      .map(controlTotal)
      .sort(
        (a, b) => byText(a.accountingToken, b.accountingToken) || byText(a.currency, b.currency),
      );
  }

  #of(accountingToken: string, currency: string): Sums {
    const last = this.#last;
    if (last?.accountingToken === accountingToken && last.payIn.currency === currency) return last;
    this.#last = this.#find(accountingToken, currency);
    return this.#last;
  }

  #find(accountingToken: string, currency: string): Sums {
    const key = JSON.stringify([accountingToken, currency]);
    const known = this.#sums.get(key);
    if (known) return known;
    const none = { minor: 0n, scale: 0, currency };
    const fresh = {
      accountingToken,
      settlements: 0,
      transactions: 0,
      payIn: none,
      amount: none,
      fees: none,
      tax: none,
    };
    this.#sums.set(key, fresh);
    return fresh;
  }
}

function controlTotal({ accountingToken, settlements, transactions, ...sums }: Sums): ControlTotal {
  const { payIn, amount, fees, tax } = sums;
  const decimalPlaces = Math.max(payIn.scale, amount.scale, fees.scale, tax.scale);
  const text = ({ minor, scale }: Money) =>
    formatMinor(rescale(minor, scale, decimalPlaces), decimalPlaces);
  return {
    accountingToken,
    currency: payIn.currency,
    decimalPlaces,
    settlements,
    payIn: text(payIn),
    transactions,
    amount: text(amount),
    fees: text(fees),
    tax: text(tax),
  };
}
