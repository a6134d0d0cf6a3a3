import { addMoney, type Money } from '../money/money.ts';
import type { RowColumns } from './row-columns.ts';

/** What the rows of one currency add up to, at the largest scale among them. */
export interface RowSums {
  readonly transactions: number;
  readonly gross: Money;
  readonly fees: Money;
  readonly tax: Money;
}

interface ScaleSums {
  readonly currency: string;
  readonly scale: number;
  transactions: number;
  gross: bigint;
  fees: bigint;
  tax: bigint;
}

/** The sums of each currency that occurs. Every row counts, whatever its type or state. */
export function sumsByCurrency(rows: RowColumns): ReadonlyMap<string, RowSums> {
  const byCurrency = new Map<string, RowSums>();
  for (const sums of sumsByScale(rows)) {
    const earlier = byCurrency.get(sums.currency) ?? noSums(sums.currency);
    byCurrency.set(sums.currency, join(earlier, sums));
  }
  return byCurrency;
}

/** The sums over no row. */
export function noSums(currency: string): RowSums {
  const zero = { minor: 0n, scale: 0, currency };
  return { transactions: 0, gross: zero, fees: zero, tax: zero };
}

/** As received: one sum for each currency and scale, so that a row costs no conversion. */
function sumsByScale(rows: RowColumns): Iterable<ScaleSums> {
  const found = new Map<string, ScaleSums>();
  for (let index = 0; index < rows.size; index++) {
    const currency = rows.currencies.get(index);
    const scale = rows.scales.get(index);
    const key = `${scale} ${currency}`;
    let sums = found.get(key);
    if (sums === undefined) {
      sums = { currency, scale, transactions: 0, gross: 0n, fees: 0n, tax: 0n };
      found.set(key, sums);
    }
    sums.transactions += 1;
    sums.gross += rows.amounts.get(index);
    sums.fees += rows.fees.get(index);
    sums.tax += rows.taxes.get(index);
  }
  return found.values();
}

function join(earlier: RowSums, { currency, scale, ...sums }: ScaleSums): RowSums {
  const add = (money: Money, minor: bigint) => addMoney(money, { minor, scale, currency });
  return {
    transactions: earlier.transactions + sums.transactions,
    gross: add(earlier.gross, sums.gross),
    fees: add(earlier.fees, sums.fees),
    tax: add(earlier.tax, sums.tax),
  };
}
