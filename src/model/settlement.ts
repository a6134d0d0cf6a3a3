import { byText } from '../base/texts.ts';

/**
 * A settlement header (doc 2.7). Amounts are minor units at `scale`. Texts are kept as they came;
 * what the service left out is an empty string or an empty list.
 */
export interface Settlement {
  readonly id: string;
  /** The timestamp of the settlement report, as written. */
  readonly timestamp: string;
  /** Its date, YYYY-MM-DD, as written: the zone is the service's own. */
  readonly date: string;
  readonly accountingToken: string;
  readonly merchantId: string;
  readonly paymentService: string;
  /** One of doc 3.4, or whatever else the service says. */
  readonly status: string;
  readonly currency: string;
  /** `decimalPlaces`: 0 to 18. */
  readonly scale: number;
  readonly gross: bigint;
  readonly fees: bigint;
  readonly tax: bigint;
  /** `amountPayIn`: what is to be paid into the settlement account. */
  readonly payIn: bigint;
  /** `totalTransactions`. */
  readonly transactions: number;
  readonly paymentReferences: readonly string[];
  readonly paymentEndToEndIds: readonly string[];
}

/** How many rows these headers announce, all together. */
export function announcedRows(settlements: readonly Settlement[]): number {
  return settlements.reduce((sum, { transactions }) => sum + transactions, 0);
}

/** The order of settlements in reports and files: by date, then id. */
export function byDateThenId(
  a: Pick<Settlement, 'date' | 'id'>,
  b: Pick<Settlement, 'date' | 'id'>,
): number {
  return byText(a.date, b.date) || byText(a.id, b.id);
}
