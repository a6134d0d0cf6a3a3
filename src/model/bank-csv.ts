import type { CsvForm } from '../base/csv-records.ts';

/** The CSV files of a bank. Columns are named or, without a header, numbered from 1. */
export interface BankCsv extends CsvForm {
  readonly value_date?: string | undefined;
  /** A column with signs; without them if `direction` is set. */
  readonly amount?: string | undefined;
  /** Whether money out is positive. */
  readonly inverted: boolean;
  /** Columns in place of `amount`, for money out and money in. */
  readonly debit?: string | undefined;
  readonly credit?: string | undefined;
  /** A column with the words for money out and money in. */
  readonly direction?: string | undefined;
  readonly debit_words: readonly string[];
  readonly credit_words: readonly string[];
  /** A column with the words for entries that are not booked. */
  readonly status?: string | undefined;
  readonly pending_words: readonly string[];
  /** A column, or a code for all entries. */
  readonly currency: string;
  /** A column, or a number for all entries. */
  readonly account?: string | undefined;
  readonly texts: readonly string[];
  readonly references: readonly string[];
  readonly bank_reference?: string | undefined;
  readonly end_to_end_id?: string | undefined;
  readonly name?: string | undefined;
  readonly counterparty?: string | undefined;
}
