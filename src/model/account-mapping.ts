/** What differs on the bank: by its own charges, above a pay-in, below it, or without a pay-out. */
const onBank = ['bank_fees', 'overpaid', 'bank_difference', 'unknown_receipt'] as const;

export const purposes = [
  'in_transit',
  'bank',
  'fees',
  'tax',
  'receivable',
  'accrued_sales',
  'suspense',
  'accepted',
  'written_off',
  ...onBank,
] as const;

export type Purpose = (typeof purposes)[number];

/** The purposes of transactions: they may have accounts by transaction type. */
export const purposesOfType = ['receivable', 'fees', 'tax'] as const satisfies readonly Purpose[];

/** Purposes of what differs on the bank: booked to the account of `suspense` unless they have accounts of their own. */
export const bankPurposes: ReadonlySet<Purpose> = new Set(onBank);

/** The purpose whose account is used for one that has none. */
export function standInFor(purpose: Purpose): Purpose | undefined {
  if (purpose === 'written_off') return 'accepted';
  return bankPurposes.has(purpose) ? 'suspense' : undefined;
}

type Accounts = { readonly [One in Purpose]?: string | undefined };

type AccountsByType = Readonly<Record<string, Pick<Accounts, (typeof purposesOfType)[number]>>>;

export interface AccountMapping extends Accounts {
  /** By currency; overrides the accounts above. */
  readonly currency?: Readonly<Record<string, Accounts>> | undefined;
  /** By accounting token; overrides the accounts above. */
  readonly token?:
    | Readonly<Record<string, Accounts & { readonly type?: AccountsByType | undefined }>>
    | undefined;
  /** By transaction type, as the service writes it; overrides all but the types of an accounting token. */
  readonly type?: AccountsByType | undefined;
  /** Whether a journal declares its accounts and currencies, if its format can; the default. */
  readonly declarations?: boolean | undefined;
  /** Whether a journal asserts balances in transit, if its format can; the default. */
  readonly assertions?: boolean | undefined;
  /** Whether what was sold in an earlier month than its settlement is accrued until then. */
  readonly by_sale_month?: boolean | undefined;
  readonly datev?: DatevMapping | undefined;
  readonly csv?: JournalCsv | undefined;
}

export interface DatevMapping {
  readonly adviser: number;
  readonly client: number;
  /** MM-DD. */
  readonly year_start: string;
  readonly account_length: number;
  readonly currency: string;
  readonly chart?: string | undefined;
  /** Whether imported entries can no longer be changed. */
  readonly locked: boolean;
  readonly tax_keys?: Accounts | undefined;
}

/** How a journal is written as CSV: what is not set is as a preset says, or else as usual. */
export interface JournalCsv {
  /** The form of dates, of YYYY or YY, MM and DD. */
  readonly date?: string | undefined;
  /** The content of each column, with fields in braces. */
  readonly columns?: Readonly<Record<string, string>> | undefined;
  /** The columns that are written on the first line of an entry only. */
  readonly first_line?: readonly string[] | undefined;
  /** Fields of one's own: a text for each purpose, and `other` for all without one. */
  readonly words?: Readonly<Record<string, WordsByPurpose>> | undefined;
  /** The names of accounts, for `{account_name}`. */
  readonly names?: Readonly<Record<string, string>> | undefined;
  /** What `{side}` says of debits and of credits. */
  readonly sides?: readonly [debit: string, credit: string] | undefined;
  readonly delimiter?: string | undefined;
  readonly decimal?: '.' | ',' | undefined;
  /** The most decimals of an amount: an amount that needs more is refused. */
  readonly most_decimals?: number | undefined;
  readonly encoding?: 'utf-8' | 'utf-8-bom' | 'windows-1252' | undefined;
  /** Whether the first line has the names of the columns. */
  readonly header?: boolean | undefined;
  /** The most characters of a column. */
  readonly longest?: Readonly<Record<string, number>> | undefined;
  /** The most lines of a file, without the header. An entry is never cut. */
  readonly most_lines?: number | undefined;
}

export type WordsByPurpose = { readonly [One in Purpose | 'other']?: string | undefined };

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
  'of_date',
] as const;

/** Fields that no column has unless it is asked for. */
export const extraCsvFields = [
  'entry_number',
  'line_number',
  'account_name',
  'counter_account',
  'side',
  'unsigned_amount',
] as const;

/** The fields of one's own that presets have. */
export const presetWords = ['name', 'tax_rate', 'journal'] as const;

export type CsvField = (typeof csvFields)[number] | (typeof extraCsvFields)[number];

export const csvFieldPattern = /\{([^{}]*)\}/g;
