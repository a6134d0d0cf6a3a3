/** What an account of the books is for. */
export const purposes = [
  'in_transit',
  'bank',
  'fees',
  'tax',
  'receivable',
  'suspense',
  'accepted',
] as const;

export type Purpose = (typeof purposes)[number];

/** Accounts, as the books name or number them. */
type Accounts = { readonly [One in Purpose]?: string | undefined };

/** The accounts that settlements are booked to, in the form of a profile's table `books`. */
export interface AccountMapping extends Accounts {
  /** By currency: these count before the ones above. */
  readonly currency?: Readonly<Record<string, Accounts>> | undefined;
  /** By accounting token: these count before all others. */
  readonly token?: Readonly<Record<string, Accounts>> | undefined;
  /** Whether a journal declares its accounts and currencies, where its format can; else it does. */
  readonly declarations?: boolean | undefined;
  /** Whether a journal asserts what is in transit, where its format can; else it does. */
  readonly assertions?: boolean | undefined;
  readonly datev?: DatevMapping | undefined;
  readonly csv?: JournalCsv | undefined;
}

/** What DATEV wants to know beside the accounts. */
export interface DatevMapping {
  /** The numbers of the adviser and of the client. */
  readonly adviser: number;
  readonly client: number;
  /** The first day of a fiscal year, MM-DD. */
  readonly year_start: string;
  /** Digits of a general ledger account. */
  readonly account_length: number;
  /** The currency of the books. */
  readonly currency: string;
  /** The chart of accounts, such as 03 or 04. */
  readonly chart?: string | undefined;
  /** Whether entries can no longer be changed once they are imported. */
  readonly locked: boolean;
  /** Tax keys by purpose. */
  readonly tax_keys?: Accounts | undefined;
}

/** The columns of a CSV that other software imports. */
export interface JournalCsv {
  /** How dates are written, of YYYY, MM and DD. */
  readonly date: string;
  /** What stands in each column: text, and fields in braces; none where the usual columns do. */
  readonly columns?: Readonly<Record<string, string>> | undefined;
}

/** The fields that a column of a CSV may have. */
export const csvFields = [
  'entry_id',
  'date',
  'account',
  'debit',
  'credit',
  'amount',
  'currency',
  'text',
  'settlement_id',
  'purpose',
  'transaction_id',
  'accounting_token',
  'status',
  'reverses',
] as const;

export type CsvField = (typeof csvFields)[number];

/** A field in braces. */
export const csvFieldPattern = /\{([^{}]*)\}/g;
