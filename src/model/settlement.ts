import { byText } from '../base/texts.ts';

/** What settlements and rows have; minor units unless it says otherwise. */
export type Amounts<Amount = bigint> = Readonly<Record<'gross' | 'fees' | 'tax', Amount>>;

/** A settlement header (doc 2.7). Minor units at `scale`; missing texts and lists are empty. */
export interface Settlement extends Amounts {
  readonly id: string;
  /** Of the settlement report. */
  readonly timestamp: string;
  /** Its date as written, YYYY-MM-DD, in the service's own time zone. */
  readonly date: string;
  readonly accountingToken: string;
  readonly merchantId: string;
  readonly paymentService: string;
  /** One of doc 3.4, or any other. */
  readonly status: string;
  readonly currency: string;
  /** `decimalPlaces`: 0 to 18. */
  readonly scale: number;
  readonly payIn: bigint;
  readonly transactions: number;
  readonly paymentReferences: readonly string[];
  readonly paymentEndToEndIds: readonly string[];
}

/** The service's names for the fields of a header (doc 2.7). */
export const settlementFields: Readonly<Record<Exclude<keyof Settlement, 'id' | 'date'>, string>> =
  {
    timestamp: 'settlementDate',
    accountingToken: 'accountingToken',
    merchantId: 'merchantId',
    paymentService: 'paymentService',
    status: 'settlementStatus',
    currency: 'currencyCode',
    scale: 'decimalPlaces',
    gross: 'amountGross',
    fees: 'fees',
    tax: 'tax',
    payIn: 'amountPayIn',
    transactions: 'totalTransactions',
    paymentReferences: 'paymentReferences',
    paymentEndToEndIds: 'paymentEndToEndIds',
  };

/** The number of rows that headers announce together. */
export function announcedRows(settlements: readonly Settlement[]): number {
  return settlements.reduce((sum, { transactions }) => sum + transactions, 0);
}

/** The order of settlements in reports and files. */
export function byDateThenId(
  a: Pick<Settlement, 'date' | 'id'>,
  b: Pick<Settlement, 'date' | 'id'>,
): number {
  return byText(a.date, b.date) || byText(a.id, b.id);
}

/** Names that the user gives to accounting tokens, by token. */
export type Names = ReadonlyMap<string, string>;
