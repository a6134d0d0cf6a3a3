import type { RowKind } from '../model/row-batch.ts';
import type { Amounts } from '../model/settlement.ts';
import { addMoney, type Money } from '../money/money.ts';

/** A number of rows and their totals, in minor units at one scale. */
export interface Counted extends Amounts {
  readonly count: number;
}

export const noRows: Counted = { count: 0, gross: 0n, fees: 0n, tax: 0n };

/** Gross, fees and tax, each made by `amount`. */
export function amountsBy<Amount>(amount: (name: keyof Amounts) => Amount) {
  return { gross: amount('gross'), fees: amount('fees'), tax: amount('tax') };
}

/** The totals of the rows of one currency, at the largest scale among them. */
export interface RowSums extends Amounts<Money> {
  readonly transactions: number;
}

/** The totals of each currency, from those of each kind. Every row counts. */
export function sumsByCurrency(
  kinds: readonly RowKind[],
  sums: readonly Counted[],
): ReadonlyMap<string, RowSums> {
  const byCurrency = new Map<string, RowSums>();
  for (const [number, { currency, scale }] of kinds.entries()) {
    const own = sums[number];
    if (!own?.count) continue;
    const earlier = byCurrency.get(currency);
    const amounts = amountsBy((name) => {
      const money = { minor: own[name], scale, currency };
      return earlier ? addMoney(earlier[name], money) : money;
    });
    const transactions = (earlier?.transactions ?? 0) + own.count;
    byCurrency.set(currency, { transactions, ...amounts });
  }
  return byCurrency;
}

/** Numbered sums of integers within ±(2^53 − 1): numbers while that is exact, then bigints. */
export class ExactSums {
  readonly #sums: Float64Array;
  readonly #carried = new Map<number, bigint>();

  constructor(sums: number) {
    this.#sums = new Float64Array(sums);
  }

  add(sum: number, number: number): void {
    const before = this.#sums[sum] ?? 0;
    this.#sums[sum] = before + number;
    if (Number.isSafeInteger(before + number)) return;
    this.#carried.set(sum, (this.#carried.get(sum) ?? 0n) + BigInt(before));
    this.#sums[sum] = number;
  }

  total(sum: number): bigint {
    return BigInt(this.#sums[sum] ?? 0) + (this.#carried.get(sum) ?? 0n);
  }
}
