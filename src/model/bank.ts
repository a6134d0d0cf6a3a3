/**
 * Money that moved on a bank account, or is announced. Amounts are minor units at `scale`; money in is
 * positive, money out negative. Texts are kept as they came; what the bank left out is an empty text or
 * list.
 */
export interface BankEntry {
  /** The same in every file that repeats the entry, and another for each of several equal entries. */
  readonly id: string;
  /** IBAN or number of the account, without spaces. */
  readonly account: string;
  readonly currency: string;
  /** 0 to 18: that of the currency by ISO 4217, or more where the bank writes more decimals. */
  readonly scale: number;
  readonly amount: bigint;
  /** The day of booking or, without one, of value: YYYY-MM-DD. */
  readonly date: string;
  readonly valueDate: string;
  /** A pending entry is announced, and not booked. */
  readonly status: 'booked' | 'pending';
  /** Whether the bank says that it undoes another entry. The amount already has the sign of the money. */
  readonly isReversal: boolean;
  /** Why a payment came back, as the bank writes it. */
  readonly returnReason: string;
  /** The bank's own reference. */
  readonly bankReference: string;
  /** What is said of the entry as a whole. */
  readonly details: PaymentDetails;
  /** The payments that it consists of, where the bank lists them. */
  readonly parts: readonly EntryPart[];
  readonly place: Place;
}

/** What a bank says of a payment. Words such as `NOTPROVIDED` stand for nothing, and are left out. */
export interface PaymentDetails {
  readonly endToEndIds: readonly string[];
  /** PmtInfId. */
  readonly paymentInformationIds: readonly string[];
  /** Other references in fields of their own: of the customer, of the mandate, of the creditor. */
  readonly references: readonly string[];
  /** The remittance text, in the pieces in which it came. */
  readonly texts: readonly string[];
  /** The other side. */
  readonly names: readonly string[];
  /** IBANs or numbers, without spaces. */
  readonly accounts: readonly string[];
}

/** Details made field by field. */
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

/** The IBAN or number of an account as it is compared: without spaces, in capital letters. */
export function accountNumber(written: string): string {
  return written.replace(/\s/g, '').toUpperCase();
}

/** One payment of an entry. */
export interface EntryPart extends PaymentDetails {
  /** Minor units at the scale of the entry, signed as it is; absent where the bank names none. */
  readonly amount: bigint | undefined;
}

/** Where something stands in a statement. */
export interface Place {
  /** As the user named it, with the name inside an archive after a colon. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
}

/** A statement of one account in one currency. Amounts are minor units at `scale`. */
export interface BankStatement {
  readonly account: string;
  readonly currency: string;
  readonly scale: number;
  /** As the bank numbers it; empty where it doesn't. */
  readonly number: string;
  /** The days that it covers, YYYY-MM-DD. */
  readonly from: string;
  readonly to: string;
  readonly opening: bigint | undefined;
  readonly closing: bigint | undefined;
  /** How many booked entries it lists, and what they come to. */
  readonly entries: number;
  readonly sum: bigint;
  /**
   * Whether it lists all that was booked on its days, up to when it was made. A notification (camt.054)
   * doesn't, nor does a statement of which a part can't be read or has no date.
   */
  readonly isWhole: boolean;
  /** Absent where it was checked that its balances and entries add up. */
  readonly notChecked: NotCheckedReason | undefined;
  readonly place: Place;
}

/** Why it was not checked that opening balance and entries come to the closing balance. */
export type NotCheckedReason =
  | 'no_opening_balance'
  | 'no_closing_balance'
  | 'no_balances'
  | 'other_currency'
  | 'partly_read'
  | 'notification';

/**
 * What is wrong in statements:
 * - `unreadable`: something that doesn't decode; nothing of that record is used
 * - `undated`: an entry without any date, which counts in the sum of its statement and nowhere else
 * - `odd_value_date`: an entry with a value date that doesn't exist
 * - `balance_break`: opening balance + entries is not the closing balance
 * - `statement_gap`: the opening balance is not the closing one of the statement before
 */
export type StatementFindingCode =
  | 'unreadable'
  | 'undated'
  | 'odd_value_date'
  | 'balance_break'
  | 'statement_gap';

export interface StatementFinding {
  readonly code: StatementFindingCode;
  readonly account: string;
  readonly currency: string;
  readonly scale: number;
  readonly place: Place;
  /** The first and the last day of its statement; empty where they are not known. */
  readonly from: string;
  readonly to: string;
  /** Of a record: where in it something is wrong, what was there, and what should be. */
  readonly element: string;
  readonly found: string;
  readonly expected: string;
  /** Of balances: what is there − what should be, in minor units. */
  readonly difference: bigint | undefined;
}

/** All that some files say, each entry once. */
export interface BankStatements {
  /** By account, currency, first day. */
  readonly statements: readonly BankStatement[];
  /** By date, account, id: the order of files makes no difference. */
  readonly entries: readonly BankEntry[];
  readonly findings: readonly StatementFinding[];
  /** How many entries were left out since other files have them too. */
  readonly repeated: number;
}
