import { byText } from '../base/texts.ts';
import { uuidForm } from './row.ts';

/** What settlements and rows have; minor units unless it says otherwise. */
export type Amounts<Amount = bigint> = Readonly<Record<'gross' | 'fees' | 'tax', Amount>>;

/**
 * A settlement header (doc 2.7). Minor units at `scale`; missing texts and lists are empty. The service states
 * all figures, a file of another provider perhaps only the pay-in: what it does not state is undefined, and
 * never filled in from the rows.
 */
export interface Settlement extends Amounts<bigint | undefined> {
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
  readonly transactions: number | undefined;
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

/** The status of what a settlement file of another provider pays out: no word of the service. */
export const paidByFile = 'paid out (file)';

/** Whether a settlement is from a file of another provider, so its ids have any form. */
export function isOfFile({ status }: Pick<Settlement, 'status'>): boolean {
  return status === paidByFile;
}

/** The id of a settlement from a file: account, pay-out and currency. A shell cannot misread it. */
export function fileSettlementId(account: string, payout: string, currency: string): string {
  const plain = (text: string) =>
    encodeURIComponent(text).replace(/[!'()*~]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
  return [plain(account), plain(payout), currency].join('-');
}

/** Whether a text has the form of a settlement's id: that of the service (doc 2.7), or of one from a file. */
export function isSettlementId(text: string): boolean {
  return uuidForm.test(text) || /^[\w.%-]+-[A-Z]{3}$/.test(text);
}

/** The number of rows that headers announce together. */
export function announcedRows(settlements: readonly Settlement[]): number {
  return settlements.reduce((sum, { transactions }) => sum + (transactions ?? 0), 0);
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
