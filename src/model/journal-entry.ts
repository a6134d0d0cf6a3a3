import { bankPurposes, type Purpose } from './account-mapping.ts';

/** An entry of the books; its postings sum to zero. Minor units at `scale`, credits negative. */
export interface JournalEntry {
  /** 20 of A-Z and 2-7; the same for the same thing booked with the same figures. */
  readonly id: string;
  /** The day on which it is posted, YYYY-MM-DD. */
  readonly date: string;
  /** The day to which it belongs: an earlier one if its books are closed. */
  readonly bookingDate: string;
  readonly currency: string;
  readonly scale: number;
  /** Several if a day or a batch is booked at once. */
  readonly settlementIds: readonly string[];
  /** The bank entries that it books, or their parts; empty if it books settlements. */
  readonly bankEntryIds: readonly string[];
  /** Empty if settlements of several are paid at once. */
  readonly accountingToken: string;
  readonly text: string;
  /** Whether its settlement is pending and may change. */
  readonly isPending: boolean;
  readonly reverses: string | undefined;
  readonly postings: readonly Posting[];
}

export interface Posting {
  readonly purpose: Purpose;
  readonly account: string;
  readonly minor: bigint;
  /** Empty if it is about several. */
  readonly settlementId: string;
  /** Empty unless each transaction is booked. */
  readonly transactionId: string;
}

/** Whether a posting is always booked for each settlement, to be investigated. */
export function isBySettlement({ purpose }: Pick<Posting, 'purpose'>): boolean {
  return purpose === 'suspense' || purpose === 'accepted';
}

/** Whether an entry only accrues what was sold in a month before its settlement. */
export function isAccrual({ postings }: Pick<JournalEntry, 'postings'>): boolean {
  const isSale = ({ purpose }: Posting) => purpose === 'accrued_sales' || purpose === 'receivable';
  return postings.every(isSale) && postings.some(({ purpose }) => purpose === 'accrued_sales');
}

/** Whether an entry books what is on the bank, not settlements. */
export function isOfBank({
  bankEntryIds,
  postings,
}: Pick<JournalEntry, 'bankEntryIds' | 'postings'>): boolean {
  return bankEntryIds.length > 0 || postings.some(({ purpose }) => bankPurposes.has(purpose));
}
