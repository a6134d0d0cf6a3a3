import type { CsvForm } from '../base/csv-records.ts';

/** An entry of a bank account. Minor units at `scale`, negative for money out. */
export interface BankEntry {
  /** The same in every file that repeats the entry, different for equal entries. */
  readonly id: string;
  /** IBAN or number, without spaces. */
  readonly account: string;
  readonly currency: string;
  /** Decimal places by ISO 4217, or more if the bank writes more. */
  readonly scale: number;
  readonly amount: bigint;
  /** The booking date or, without one, the value date: YYYY-MM-DD. */
  readonly date: string;
  readonly valueDate: string;
  readonly status: 'booked' | 'pending';
  /** Whether the bank says that it undoes another entry. The amount has the sign of the money. */
  readonly isReversal: boolean;
  readonly returnReason: string;
  readonly bankReference: string;
  /** What the bank says it charged; absent if it says nothing. */
  readonly charges?: bigint | undefined;
  readonly details: PaymentDetails;
  readonly parts: readonly EntryPart[];
  readonly place: Place;
}

/** A copy of an entry as a plain object. */
export function plainEntry(entry: BankEntry): BankEntry {
  return {
    id: entry.id,
    account: entry.account,
    currency: entry.currency,
    date: entry.date,
    valueDate: entry.valueDate,
    status: entry.status,
    isReversal: entry.isReversal,
    returnReason: entry.returnReason,
    bankReference: entry.bankReference,
    charges: entry.charges,
    details: entry.details,
    place: entry.place,
    scale: entry.scale,
    amount: entry.amount,
    parts: entry.parts,
  };
}

/** What a bank says of a payment, without placeholders such as `NOTPROVIDED`. */
export interface PaymentDetails {
  readonly endToEndIds: readonly string[];
  readonly paymentInformationIds: readonly string[];
  /** Other references with their own fields: of the customer, the mandate, the creditor. */
  readonly references: readonly string[];
  /** The remittance texts, one a field. A text goes on from one of its lines to the next, perhaps within a word. */
  readonly texts: readonly string[];
  /** Names of the other party, like the accounts. */
  readonly names: readonly string[];
  /** IBANs or numbers, without spaces. */
  readonly accounts: readonly string[];
}

/** All that a bank says of a payment, field by field, but for accounts. */
export function saidOf(details: PaymentDetails): readonly string[] {
  const { texts, names, references, endToEndIds, paymentInformationIds } = details;
  return [...texts, ...names, ...references, ...endToEndIds, ...paymentInformationIds];
}

/** Details with the lists of `listOf`. */
export function detailsBy(
  listOf: (field: keyof PaymentDetails) => readonly string[],
): PaymentDetails {
  return {
    endToEndIds: listOf('endToEndIds'),
    paymentInformationIds: listOf('paymentInformationIds'),
    references: listOf('references'),
    texts: listOf('texts'),
    names: listOf('names'),
    accounts: listOf('accounts'),
  };
}

/** An IBAN or account number without spaces, in capital letters, for comparison. */
export function accountNumber(written: string): string {
  return written.replace(/\s/g, '').toUpperCase();
}

export interface EntryPart extends PaymentDetails {
  /** At the scale and with the sign of the entry; absent if the bank names none. */
  readonly amount: bigint | undefined;
  /** What the bank says it charged for it, at the scale of the entry. */
  readonly charges?: bigint | undefined;
}

export interface Place {
  /** As the user named it; a name inside an archive follows a colon. */
  readonly file: string;
  /** From 1; 0 for the whole file. */
  readonly line: number;
}

/** `march.xml:120`. */
export function placeText({ file, line }: Place): string {
  return line === 0 ? file : `${file}:${line}`;
}

/** The place of an entry, or of a part of it by its number from 0: `march.xml:120#2` is the second. */
export function entryPlace(of: {
  readonly entry: BankEntry;
  readonly part: number | undefined;
}): string {
  return `${placeText(of.entry.place)}${of.part === undefined ? '' : `#${of.part + 1}`}`;
}

/** A statement of one account in one currency. Amounts are minor units at `scale`. */
export interface BankStatement {
  /** Such as `camt.053` or `CSV`. */
  readonly format: string;
  /** The mapping of a CSV file, where the profile has it. */
  readonly setting?: string | undefined;
  readonly account: string;
  readonly currency: string;
  readonly scale: number;
  /** Empty if the bank does not number it. */
  readonly number: string;
  /** YYYY-MM-DD, inclusive. */
  readonly from: string;
  readonly to: string;
  readonly opening: bigint | undefined;
  readonly closing: bigint | undefined;
  /** The number of booked entries; `sum` is their total. */
  readonly entries: number;
  readonly sum: bigint;
  /** Whether it lists everything booked on its days; not if a part is unreadable or has no date. */
  readonly isWhole: boolean;
  /** Absent if its balances and entries were checked. */
  readonly notChecked: NotCheckedReason | undefined;
  readonly place: Place;
}

/** Why the opening balance and entries were not checked against the closing balance. */
export type NotCheckedReason =
  | 'no_opening_balance'
  | 'no_closing_balance'
  | 'no_balances'
  | 'other_currency'
  | 'partly_read'
  | 'notification';

/**
 * Findings in statements:
 * - `not_read`: a file that no format reads, and in which entries may be; `expected` are columns that it lacks
 * - `other_file`: another file, in which there are none
 * - `unreadable`: a record that cannot be decoded and is not used
 * - `undated`: an entry without any date, which counts only in the sum of its statement
 * - `odd_value_date`: an entry with a value date that does not exist
 * - `balance_break`: opening balance + entries is not the closing balance
 * - `statement_gap`: the opening balance is not the closing balance of the statement before
 * - `overlap_break`: its balances are not those of the statement that its days lie in
 * - `overlap`: an entry that is left out because an overlapping statement may describe it otherwise
 */
export type StatementFindingCode =
  | 'not_read'
  | 'other_file'
  | 'unreadable'
  | 'undated'
  | 'odd_value_date'
  | 'balance_break'
  | 'statement_gap'
  | 'overlap_break'
  | 'overlap';

/** Whether a finding changes nothing of what was read. */
export function isRemark({ code }: Pick<StatementFinding, 'code'>): boolean {
  return code === 'odd_value_date' || code === 'overlap' || code === 'other_file';
}

export interface StatementFinding {
  readonly code: StatementFindingCode;
  readonly account: string;
  readonly currency: string;
  readonly scale: number;
  readonly place: Place;
  readonly from: string;
  readonly to: string;
  /** Of a record: the faulty element, its content, and what it should be. */
  readonly element: string;
  readonly found: string;
  readonly expected: string;
  /** Of a CSV file: the setting of the profile that may be wrong. */
  readonly setting?: string | undefined;
  /** Of balances: actual − expected, in minor units. */
  readonly difference: bigint | undefined;
}

/** What entries are that no pay-out explains: of others or, with an account of the books, booked to it. */
export interface BankRule {
  /** Stands in what the bank says of the entry, in small letters or large. */
  readonly text: string;
  /** The bank account of the entry; any by default. */
  readonly account?: string | undefined;
  /** Money in or out; either by default. */
  readonly sign?: 'in' | 'out' | undefined;
  readonly books_account?: string | undefined;
  readonly unrelated?: true | undefined;
}

export interface BankStatements {
  /** By account, currency, first day. */
  readonly statements: readonly BankStatement[];
  /** By date, account, id; the order of the files does not matter. */
  readonly entries: readonly BankEntry[];
  readonly findings: readonly StatementFinding[];
  /** The number of entries left out because other files have them too. */
  readonly repeated: number;
}

/** The CSV files of a bank. Columns are named or, without a header, numbered from 1. */
export interface BankCsv extends CsvForm {
  readonly value_date?: string | undefined;
  /** A column with signs; without them if `direction` is set. */
  readonly amount?: string | undefined;
  readonly inverted: boolean;
  /** Columns in place of `amount`, for money out and money in. */
  readonly debit?: string | undefined;
  readonly credit?: string | undefined;
  /** A column with the words for money out and money in. */
  readonly direction?: string | undefined;
  readonly debit_words: readonly string[];
  readonly credit_words: readonly string[];
  /** A column of what the bank kept of the amount, with either sign. */
  readonly fee?: string | undefined;
  /** A column with the balance after each row. */
  readonly balance?: string | undefined;
  /** The decimal sign of that column, if it has its own. */
  readonly balance_decimal?: '.' | ',' | undefined;
  /** A column with a word for whether a row is booked, pending, or never was money of the account. */
  readonly status?: string | undefined;
  readonly booked_words: readonly string[];
  readonly pending_words: readonly string[];
  readonly ignored_words: readonly string[];
  /** What a cell says in a row that is not a movement, but a balance. */
  readonly opening_words: readonly string[];
  readonly closing_words: readonly string[];
  /** A column, a code for all entries, or the code of each account by its number. */
  readonly currency: string | Readonly<Record<string, string>>;
  /** A column, or a number for all entries. */
  readonly account?: string | undefined;
  readonly texts: readonly string[];
  readonly references: readonly string[];
  readonly bank_reference?: string | undefined;
  readonly end_to_end_id?: string | undefined;
  readonly name?: string | undefined;
  readonly counterparty?: string | undefined;
}

/** By their names in the profile; the only one may have an empty name. */
export type BankMappings = Readonly<Record<string, BankCsv>>;

/** Days on which banks are closed, YYYY-MM-DD, by currency; those under an empty text hold for all. */
export type Holidays = ReadonlyMap<string, ReadonlySet<string>>;
