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

interface Sums {
  settlements: number;
  transactions: number;
  payIn: Money;
  amount: Money;
  fees: Money;
  tax: Money;
}

/** Adds up what a day's files hold. */
export class ControlTotals {
  /** By accounting token, then currency. */
  readonly #sums = new Map<string, Map<string, Sums>>();

  /** A settlement, and its rows as far as they are in the files. */
  add(settlement: Settlement, rows: RowColumns | undefined): void {
    const { accountingToken, payIn, ...header } = settlement;
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
    return inOrder(this.#sums).flatMap(([accountingToken, byCurrency]) =>
      inOrder(byCurrency).map(([, sums]) => totalOf(accountingToken, sums)),
    );
  }

  #of(accountingToken: string, currency: string): Sums {
    const byCurrency = this.#sums.get(accountingToken) ?? new Map<string, Sums>();
    const known = byCurrency.get(currency);
    if (known) return known;
    const none = { minor: 0n, scale: 0, currency };
    const counts = { settlements: 0, transactions: 0 };
    const sums = { ...counts, payIn: none, amount: none, fees: none, tax: none };
    this.#sums.set(accountingToken, byCurrency.set(currency, sums));
    return sums;
  }
}

function inOrder<Value>(map: ReadonlyMap<string, Value>): readonly (readonly [string, Value])[] {
  return [...map].sort(([a], [b]) => byText(a, b));
}

function totalOf(accountingToken: string, sums: Sums): ControlTotal {
  const { payIn, amount, fees, tax, settlements, transactions } = sums;
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
