import { withId } from '../../src/books/entry.ts';
import type { Purpose } from '../../src/model/account-mapping.ts';
import type { JournalEntry } from '../../src/model/journal-entry.ts';

interface Wishes {
  readonly date?: string;
  readonly text?: string;
  readonly isPending?: boolean;
  /** The entries of the bank, where it is about those. */
  readonly ofBank?: readonly string[];
  /** Of the debit and the credit. */
  readonly purposes?: readonly [Purpose, Purpose];
  readonly accounts?: (purpose: Purpose) => string;
}

/**
 * An entry of settlements, named with blanks between them: an amount from the receivable account to
 * transit, or one per transaction. With its id.
 */
export function booked(
  settlements: string,
  amounts: bigint | readonly (readonly [transactionId: string, minor: bigint])[],
  wishes: Wishes = {},
): JournalEntry {
  const { date = '2026-03-05', text = 'Settlement', isPending = false } = wishes;
  const [debit, credit] = wishes.purposes ?? ['in_transit', 'receivable'];
  const accounts = wishes.accounts ?? ((purpose) => `assets:${purpose}`);
  const parts = typeof amounts === 'bigint' ? ([['', amounts]] as const) : amounts;
  const posting = (purpose: Purpose, minor: bigint, transactionId: string) => ({
    ...{ purpose, minor, transactionId, settlementId: '' },
    account: accounts(purpose),
  });
  return withId({
    ...{
      date,
      bookingDate: date,
      text,
      isPending,
      currency: 'EUR',
      scale: 2,
      accountingToken: 'token',
    },
    settlementIds: settlements.split(' '),
    bankEntryIds: wishes.ofBank ?? [],
    reverses: undefined,
    postings: parts.flatMap(([id, minor]) => [
      posting(debit, minor, id),
      posting(credit, -minor, id),
    ]),
  });
}
