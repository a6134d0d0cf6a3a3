import * as z from 'zod';
import { byText } from '../base/texts.ts';
import type { Settlement } from '../model/settlement.ts';
import { addMoney, formatMinor, type Money, rescale } from '../money/money.ts';
import type { RowColumns } from '../reconcile/row-columns.ts';
import { sumsByCurrency } from '../reconcile/sums.ts';

const count = z.int().min(0);

/**
 * What a loader can check its tables against: over the rows of `transactions.csv` the count and
 * the sums, over those of `settlements.csv` the count and the pay-in as reported, for each
 * accounting token of a settlement and each currency. Amounts are decimal text at `decimalPlaces`.
 */
export const controlTotal = z.object({
  accountingToken: z.string(),
  currency: z.string(),
  decimalPlaces: count,
  settlements: count,
  payIn: z.string(),
  transactions: count,
  amount: z.string(),
  fees: z.string(),
  tax: z.string(),
});

/** What is added up of an accounting token and currency, for a loader to check its tables by. */
export type ControlTotal = Readonly<z.infer<typeof controlTotal>>;

/** Adds up what a day's files hold. */
export class ControlTotals {
  readonly #sums = new Map<string, ReturnType<typeof noSums>>();

  /** A settlement, and its rows as far as they are in the files. */
  add({ accountingToken, payIn, ...header }: Settlement, rows: RowColumns | undefined): void {
    const own = this.#of(accountingToken, header.currency);
    own.settlements += 1;
    own.payIn = addMoney(own.payIn, { minor: payIn, ...header });
    if (!rows) return;
    for (const [currency, { transactions, gross, fees, tax }] of sumsByCurrency(rows)) {
      const sums = this.#of(accountingToken, currency);
      sums.transactions += transactions;
      sums.amount = addMoney(sums.amount, gross);
      sums.fees = addMoney(sums.fees, fees);
      sums.tax = addMoney(sums.tax, tax);
    }
  }

  /** By accounting token, then currency. */
  totals(): readonly ControlTotal[] {
    return [...this.#sums.values()]
      .sort(
        (one, other) =>
          byText(one.accountingToken, other.accountingToken) ||
          byText(one.currency, other.currency),
      )
      .map(({ payIn, amount, fees, tax, ...rest }) => {
        const sums = Object.entries({ payIn, amount, fees, tax });
        const decimalPlaces = Math.max(...sums.map(([, { scale }]) => scale));
        const text = ({ minor, scale }: Money) =>
          formatMinor(rescale(minor, scale, decimalPlaces), decimalPlaces);
        const texts = Object.fromEntries(sums.map(([name, sum]) => [name, text(sum)]));
        return controlTotal.parse({ decimalPlaces, ...rest, ...texts });
      });
  }

  #of(accountingToken: string, currency: string) {
    const key = JSON.stringify([accountingToken, currency]);
    const sums = this.#sums.get(key) ?? noSums(accountingToken, currency);
    this.#sums.set(key, sums);
    return sums;
  }
}

function noSums(accountingToken: string, currency: string) {
  const none: Money = { minor: 0n, scale: 0, currency };
  const counts = { settlements: 0, transactions: 0 };
  return { accountingToken, currency, ...counts, payIn: none, amount: none, fees: none, tax: none };
}
