import { figuresPerRow } from '../model/row-batch.ts';
import { addMoney, type Money } from '../money/money.ts';
import type { RowColumns } from './row-columns.ts';
import type { Counted } from './rules.ts';

/** What the rows of one currency add up to, at the largest scale among them. */
export interface RowSums {
  readonly transactions: number;
  readonly gross: Money;
  readonly fees: Money;
  readonly tax: Money;
}

/** The sums of each currency that occurs. Every row counts, whatever its type or state. */
export function sumsByCurrency({
  kinds,
  sums,
}: Pick<RowColumns, 'kinds' | 'sums'>): ReadonlyMap<string, RowSums> {
  const byCurrency = new Map<string, RowSums>();
  for (const [number, { currency, scale }] of kinds.entries()) {
    const own = sums[number];
    if (!own?.count) continue;
    const earlier = byCurrency.get(currency) ?? noSums(currency);
    const money = (minor: bigint) => ({ minor, scale, currency });
    byCurrency.set(currency, {
      transactions: earlier.transactions + own.count,
      gross: addMoney(earlier.gross, money(own.gross)),
      fees: addMoney(earlier.fees, money(own.fees)),
      tax: addMoney(earlier.tax, money(own.tax)),
    });
  }
  return byCurrency;
}

/** The sums over no row. */
function noSums(currency: string): RowSums {
  const zero = { minor: 0n, scale: 0, currency };
  return { transactions: 0, gross: zero, fees: zero, tax: zero };
}

/** By the number of each kind, how many rows it has and what they add up to, as received. */
export function sumsByKind({
  kinds,
  kindNumbers,
  figures,
}: Pick<RowColumns, 'kinds' | 'kindNumbers' | 'figures'>): readonly Counted[] {
  const counts = new Float64Array(kinds.length);
  const sums = new ExactSums(kinds.length * figuresPerRow);
  for (let row = 0; row < kindNumbers.length; row += 1) {
    const kind = kindNumbers[row] ?? 0;
    counts[kind] = (counts[kind] ?? 0) + 1;
    for (let figure = 0; figure < figuresPerRow; figure += 1) {
      sums.add(kind * figuresPerRow + figure, figures[row * figuresPerRow + figure] ?? 0);
    }
  }
  return kinds.map((_, kind) => ({
    count: counts[kind] ?? 0,
    gross: sums.total(kind * figuresPerRow),
    fees: sums.total(kind * figuresPerRow + 1),
    tax: sums.total(kind * figuresPerRow + 2),
  }));
}

/** Numbered sums of whole numbers within ±(2^53 − 1): each is a number for as long as that is exact. */
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
