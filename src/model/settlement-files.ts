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
  /** Types of lines that state what is paid out. */
  readonly payout_types: readonly string[];
  /** Types of lines that are fees as a whole. */
  readonly fee_types: readonly string[];
  /** Types of balances carried over and of reserves. */
  readonly carried_types: readonly string[];
}
