import type { Purpose } from './account-mapping.ts';

/**
 * An entry of the books: its postings come to zero exactly. Amounts are minor units at `scale`, debits
 * positive, credits negative; none is zero.
 */
export interface JournalEntry {
  /** Stable: 20 of A-Z and 2-7, the same for the same thing booked at the same figures. */
  readonly id: string;
  /** YYYY-MM-DD. */
  readonly date: string;
  readonly currency: string;
  readonly scale: number;
  /** What it is about; several where a day or a batch is booked at once. */
  readonly settlementIds: readonly string[];
  /** The entries of the bank that it books, or parts of them; none where it books settlements. */
  readonly bankEntryIds: readonly string[];
  /** Empty where settlements of several are paid at once. */
  readonly accountingToken: string;
  readonly text: string;
  /** Of a pending settlement: it may still change. */
  readonly isPending: boolean;
  /** The id of the entry that it reverses. */
  readonly reverses: string | undefined;
  readonly postings: readonly Posting[];
}

export interface Posting {
  /** What it is for; the mapping gives the name of the account. */
  readonly purpose: Purpose;
  /** As the books name it. */
  readonly account: string;
  readonly minor: bigint;
  /** The settlement; empty where it is about several. */
  readonly settlementId: string;
  /** The transaction, where each is booked; empty otherwise. */
  readonly transactionId: string;
}

/** Whether a posting counts by its settlement, however entries are grouped: what is to be looked into. */
export function isBySettlement({ purpose }: Pick<Posting, 'purpose'>): boolean {
  return purpose === 'suspense' || purpose === 'accepted';
}

/** Whether an entry is of the bank, and not of a settlement. */
export function isOfBank({ bankEntryIds }: Pick<JournalEntry, 'bankEntryIds'>): boolean {
  return bankEntryIds.length > 0;
}
