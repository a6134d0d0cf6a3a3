import type { CsvForm } from '../base/csv-records.ts';
import type { Money } from '../money/money.ts';
import type { Place } from './bank.ts';
import type { DateRange } from './source.ts';

/** A sale or a refund in an order file. Minor units at `scale`, none negative but those not due. */
export interface OrderDocument {
  readonly isRefund: boolean;
  readonly currency: string;
  readonly scale: number;
  /** The day of the sale or the refund, as in the file: YYYY-MM-DD. */
  readonly day: string;
  /** `day`, if the file has no other. */
  readonly paidDay: string;
  /** What was sold; 0 for a refund. */
  readonly total: bigint;
  /** What of it the service does not pay: gift card, store credit, outstanding. */
  readonly notDue: bigint;
  readonly refunded: bigint;
  /** Empty if the file does not say when. */
  readonly refundDay: string;
  readonly isCancelled: boolean;
  readonly isUnpaid: boolean;
  readonly isInScope: boolean;
  /** Whether its method names others beside one that the service pays; what each paid is unknown. */
  readonly hasOtherMethods: boolean;
  /** As the file writes it; empty unless the service pays it and the mapping names its methods. */
  readonly method: string;
  /** The service's id of the charge; empty if the file has none. */
  readonly chargeId: string;
  readonly place: Place;
}

/** A line of an order file that cannot be read. Its contents are not kept. */
export interface UnreadableLine {
  readonly place: Place;
  /** A column, or `line`. */
  readonly column: string;
  readonly expected: string;
  /** The keys of the mapping to look at; none if the file is damaged. */
  readonly keys: readonly (keyof OrdersCsv)[];
}

/** A word of a column; empty for an empty cell. */
export interface CountedWord {
  readonly word: string;
  readonly lines: number;
}

/** What a mapping leaves out of the order files. */
export interface LeftOut {
  /** Lines with a total, and those of them whose amounts cannot be read. */
  readonly lines: number;
  readonly unreadable: number;
  /** Sales less refunds of the others, by currency. */
  readonly sums: readonly Money[];
  /** Sheets with content after the first of a workbook, as `orders.xlsx:Sheet`. */
  readonly sheets: readonly string[];
}

/** Orders in columns, numbered from 0 in the order of the files. */
export interface Orders {
  readonly size: number;
  /** As the file writes it. */
  reference(order: number): string;
  /** An accounting token; empty if the mapping has no account. */
  account(order: number): string;
  documents(order: number): readonly OrderDocument[];
  /** Whether one of its documents occurs with different values. */
  isConflicting(order: number): boolean;
  /** The order that a row means by the merchant's reference. */
  find(reference: string, accountingToken: string): number | undefined;
  /** Visits the charges that the files name: words as of `putIdWords`, and the order of each. */
  eachCharge(visit: (words: Int32Array, at: number, order: number) => void): void;
  /** From the first to the last day of a sale; undefined without any. */
  readonly days: DateRange | undefined;
  readonly gaps: readonly DateRange[];
  /** Whether refunds are lines with days of their own. */
  readonly hasRefundLines: boolean;
  readonly currencies: readonly string[];
  /** The first of the lines that cannot be read, and how many there are. */
  readonly unreadable: readonly UnreadableLine[];
  readonly unreadableLines: number;
  /** The words of the status that the mapping does not name, so that they count as paid. */
  readonly paidWords: readonly CountedWord[];
  /** The words of methods of the orders that the service pays. */
  readonly methods: ReadonlySet<string>;
  readonly leftOut: LeftOut;
}

/** The order files of a shop. Columns are named or, without a header, numbered from 1. */
export interface OrdersCsv extends CsvForm {
  /** What the service pays, as the column `method` writes it; empty if it pays every order. */
  readonly methods: readonly string[];
  /** The column that rows name too. */
  readonly order: string;
  readonly strip_prefix?: string | undefined;
  /** Whether references of digits alone lose the zeros before them. */
  readonly strip_zeros: boolean;
  /** The column that distinguishes the documents of an order. */
  readonly document?: string | undefined;
  readonly paid_at?: string | undefined;
  /** With tax and shipping: what the customer was charged. */
  readonly total: string;
  /** A column, or a code for all orders. */
  readonly currency: string;
  /** By column: the words of the lines that count. */
  readonly only: Readonly<Record<string, readonly string[]>>;
  /** Columns that are subtracted from the total: outstanding, gift card, store credit. */
  readonly not_due: readonly string[];
  readonly method?: string | undefined;
  readonly status?: string | undefined;
  readonly unpaid_words: readonly string[];
  readonly cancelled_words: readonly string[];
  /** A column that is empty unless the order was cancelled. */
  readonly cancelled_at?: string | undefined;
  readonly refunded?: string | undefined;
  readonly refund_date?: string | undefined;
  /** A column with the words for lines that are refunds. */
  readonly kind?: string | undefined;
  readonly refund_words: readonly string[];
  /** A column with the service's id of the charge. */
  readonly charge?: string | undefined;
  /** A column, or a value for all orders: an accounting token, or its name. */
  readonly account?: string | undefined;
  /** The key of the merchant's note in which rows have the reference. */
  readonly note: string;
  readonly time_zone?: string | undefined;
  /** What times without a zone are in; those of the shop if absent. */
  readonly times?: 'UTC' | undefined;
}
