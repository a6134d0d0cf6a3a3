import type { CsvForm } from '../base/csv-records.ts';

/** The order files of a shop. Columns are named or, without a header, numbered from 1. */
export interface OrdersCsv extends CsvForm {
  /** What the service pays, as the column `method` writes it; empty if it pays every order. */
  readonly methods: readonly string[];
  /** The column that rows name too. */
  readonly order: string;
  readonly strip_prefix?: string | undefined;
  /** Whether references of digits alone lose the zeros before them. */
  readonly strip_zeros: boolean;
  /** The column that tells the documents of an order apart. */
  readonly document?: string | undefined;
  readonly paid_at?: string | undefined;
  /** With tax and shipping: what the customer was charged. */
  readonly total: string;
  /** A column, or a code for all orders. */
  readonly currency: string;
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
}
