import { figuresPerRow } from '../model/row-batch.ts';
import { addMoney, type Money } from '../money/money.ts';
import type { RowColumns } from './row-columns.ts';

/** What the rows of one currency add up to, at the largest scale among them. */
export interface RowSums {
  readonly transactions: number;
  readonly gross: Money;
  readonly fees: Money;
  readonly tax: Money;
}

/** The sums of each currency that occurs. Every row counts, whatever its type or state. */
export function sumsByCurrency(rows: RowColumns): ReadonlyMap<string, RowSums> {
  // As received: sums for each kind, so that a row costs no conversion.
  const sums = rows.kinds.map(() => new FigureSums());
  for (let row = 0; row < rows.size; row++) sums[rows.kindNumber(row)]?.add(rows, row);
  const byCurrency = new Map<string, RowSums>();
  for (const [number, { currency, scale }] of rows.kinds.entries()) {
    const { transactions = 0, totals = [] } = sums[number] ?? {};
    if (transactions === 0) continue;
    const earlier = byCurrency.get(currency) ?? noSums(currency);
    const add = (money: Money, figure: number) =>
      addMoney(money, { minor: totals[figure] ?? 0n, scale, currency });
    byCurrency.set(currency, {
      transactions: earlier.transactions + transactions,
      gross: add(earlier.gross, 0),
      fees: add(earlier.fees, 1),
      tax: add(earlier.tax, 2),
    });
  }
  return byCurrency;
}

/** The sums over no row. */
export function noSums(currency: string): RowSums {
  const zero = { minor: 0n, scale: 0, currency };
  return { transactions: 0, gross: zero, fees: zero, tax: zero };
}

/** The sums of the figures of rows, exact: numbers for as long as these are. */
class FigureSums {
  transactions = 0;
  readonly #high = new Array<bigint>(figuresPerRow).fill(0n);
  readonly #low = new Float64Array(figuresPerRow);

  add(rows: RowColumns, row: number): void {
    this.transactions += 1;
    for (let figure = 0; figure < figuresPerRow; figure++) {
      const number = rows.figure(row, figure);
      const low = this.#low[figure] ?? 0;
      const sum = low + number;
      if (Number.isSafeInteger(sum)) this.#low[figure] = sum;
      else {
        this.#high[figure] = (this.#high[figure] ?? 0n) + BigInt(low);
        this.#low[figure] = number;
      }
    }
  }

  get totals(): readonly bigint[] {
    return this.#high.map((high, figure) => high + BigInt(this.#low[figure] ?? 0));
  }
}
