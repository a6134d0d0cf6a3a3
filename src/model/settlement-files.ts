import type { CsvForm } from '../base/csv-records.ts';

/** How the settlement files of a provider are written: columns by their names, and words in them. */
export interface SettlementsCsv extends CsvForm {
  /** The provider, as reports name it. */
  readonly provider: string;
  /** The column that says to which pay-out a line belongs. */
  readonly payout: string;
  /** Whether pay-outs have numbers without a gap. */
  readonly numbered: boolean;
  /** A column, or the account of all lines. */
  readonly account: string;
  /** Of the net amounts: a column, or a currency. */
  readonly currency: string;
  readonly type?: string | undefined;
  /** Of the line. Lines without one are lines of their own, however equal. */
  readonly id?: string | undefined;
  readonly order?: string | undefined;
  readonly charge?: string | undefined;
  readonly method?: string | undefined;
  readonly note?: string | undefined;
  /** Of the pay-out, with the words for one that is not paid yet. */
  readonly status?: string | undefined;
  readonly open_words: readonly string[];
  readonly net?: string | undefined;
  readonly net_debit?: string | undefined;
  readonly net_credit?: string | undefined;
  readonly gross?: string | undefined;
  readonly gross_debit?: string | undefined;
  readonly gross_credit?: string | undefined;
  /** Of the gross amounts, if that can be another. */
  readonly gross_currency?: string | undefined;
  /** All of them together are the fees. */
  readonly fees: readonly string[];
  readonly tax?: string | undefined;
  /** Whether fees and tax are negative where they lower the net. */
  readonly inverted: boolean;
  /** Types of lines that state what is paid out; not counted if other files state it. */
  readonly payout_types: readonly string[];
  /** Whether the sign of such lines means nothing. */
  readonly payout_unsigned: boolean;
  /** Types of lines that are fees as a whole. */
  readonly fee_types: readonly string[];
  /** Whether such lines have ids too; else what is in the place of the id is a text. */
  readonly fee_ids: boolean;
  /** Types of balances carried over and of reserves. */
  readonly carried_types: readonly string[];
  /** Other files that state what is paid out. */
  readonly payouts?: PayoutsCsv | undefined;
}

/** How the files are written that state what is paid out, where others have the lines: columns by their names. */
export interface PayoutsCsv {
  readonly payout: string;
  readonly date: string;
  /** A column, or a value; that of the lines if absent. */
  readonly account?: string | undefined;
  readonly currency: string;
  readonly paid: string;
  /** All columns of each together are the figure. */
  readonly gross: readonly string[];
  readonly fees: readonly string[];
  readonly tax: readonly string[];
  /** Whether fees and tax are negative where they lower the pay-out. */
  readonly inverted: boolean;
  readonly transactions?: string | undefined;
  readonly reference?: string | undefined;
  /** Lines of other types are left out. */
  readonly type?: string | undefined;
  readonly types: readonly string[];
}
