/** How a bank writes its CSV files. Columns are named as in their header or, without one, by number from 1. */
export interface BankCsv {
  readonly delimiter: string;
  readonly encoding?: string | undefined;
  /** Lines above the header or, without one, above the first entry. */
  readonly skip_lines: number;
  readonly header: boolean;
  readonly decimal: ',' | '.';
  /** What groups digits, where the bank always does it so. */
  readonly thousands?: string | undefined;
  /** Made of YYYY or YY, MM, M or MMM, DD or D, such as `DD.MM.YYYY`. */
  readonly date_format: string;
  readonly date: string;
  readonly value_date?: string | undefined;
  /** A column with signs, or without them beside `direction`. */
  readonly amount?: string | undefined;
  /** Whether money out is positive there. */
  readonly inverted: boolean;
  /** Columns in the place of `amount`, for money out and money in. */
  readonly debit?: string | undefined;
  readonly credit?: string | undefined;
  /** A column with a word that says where the money went, and the words for money out and money in. */
  readonly direction?: string | undefined;
  readonly debit_words: readonly string[];
  readonly credit_words: readonly string[];
  /** A column with a word that says whether an entry is booked, and the words for those that aren't. */
  readonly status?: string | undefined;
  readonly pending_words: readonly string[];
  /** A column, or a code that counts for all entries. */
  readonly currency: string;
  /** A column, or a number that counts for all entries. */
  readonly account?: string | undefined;
  readonly texts: readonly string[];
  readonly references: readonly string[];
  readonly bank_reference?: string | undefined;
  readonly end_to_end_id?: string | undefined;
  readonly name?: string | undefined;
  readonly counterparty?: string | undefined;
}
