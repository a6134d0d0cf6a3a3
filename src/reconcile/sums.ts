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
  const byCurrency = new Map<string, RowSums>();
  const sums = sumsByKind(rows);
  for (const [number, { currency, scale }] of rows.kinds.entries()) {
    const { transactions = 0, figures = [] } = sums[number] ?? {};
    if (transactions === 0) continue;
    const earlier = byCurrency.get(currency) ?? noSums(currency);
    const add = (money: Money, figure: number) =>
      addMoney(money, { minor: figures[figure] ?? 0n, scale, currency });
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

/** As received, so that a row costs no conversion; each sum is a number for as long as that is exact. */
function sumsByKind({ kinds, kindNumbers, figures }: RowColumns) {
  const counts = new Float64Array(kinds.length);
  const sums = new Float64Array(kinds.length * figuresPerRow);
  const carried = new Map<number, bigint>();
  for (let row = 0; row < kindNumbers.length; row += 1) {
    const kind = kindNumbers[row] ?? 0;
    counts[kind] = (counts[kind] ?? 0) + 1;
    for (let figure = 0; figure < figuresPerRow; figure += 1) {
      const at = kind * figuresPerRow + figure;
      const number = figures[row * figuresPerRow + figure] ?? 0;
      const before = sums[at] ?? 0;
      sums[at] = before + number;
      if (Number.isSafeInteger(before + number)) continue;
      carried.set(at, (carried.get(at) ?? 0n) + BigInt(before));
      sums[at] = number;
    }
  }
  const total = (at: number) => BigInt(sums[at] ?? 0) + (carried.get(at) ?? 0n);
  return kinds.map((_, kind) => ({
    transactions: counts[kind] ?? 0,
    figures: [0, 1, 2].map((figure) => total(kind * figuresPerRow + figure)),
  }));
}
