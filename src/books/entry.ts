import { shortId } from '../base/id-table.ts';
import type { JournalEntry, Posting } from '../model/journal-entry.ts';
import { formatMinor } from '../money/money.ts';

/**
 * An entry with its id: 100 bits of a hash of its settlements or bank entries, day and figures. Posting date,
 * accounts and texts are not included, so they may change. `again` distinguishes a second, equal booking.
 */
export function withId(entry: Omit<JournalEntry, 'id'>, again = ''): JournalEntry {
  const { settlementIds, bankEntryIds, bookingDate: date, currency } = entry;
  const { scale, reverses = '', postings } = entry;
  const booked = postings.map(({ purpose, minor, settlementId, transactionId }) =>
    [purpose, formatMinor(minor, scale), settlementId, transactionId].join(' '),
  );
  const what = [again, reverses, date, currency, settlementIds, bankEntryIds, booked];
  return { ...entry, id: shortId(JSON.stringify(what)) };
}

/** An entry posted on its own day, with its postings added up; none if they come to zero. */
export function entryIfAny(
  entry: Omit<JournalEntry, 'id' | 'bookingDate' | 'reverses'>,
): readonly JournalEntry[] {
  const postings = addedUp(entry.postings);
  const own = { ...entry, postings, bookingDate: entry.date, reverses: undefined };
  return postings.length === 0 ? [] : [withId(own)];
}

/** Postings for the same purpose, account and owner are one. */
function addedUp(all: readonly Posting[]): readonly Posting[] {
  const sums = new Map<string, Posting>();
  for (const one of all) {
    const { purpose, account, settlementId, transactionId } = one;
    const key = JSON.stringify([purpose, account, settlementId, transactionId]);
    sums.set(key, { ...one, minor: one.minor + (sums.get(key)?.minor ?? 0n) });
  }
  return [...sums.values()].filter(({ minor }) => minor !== 0n);
}

/** A text with the name of its accounting token, if the token has one. */
export function withName(text: string, name: string | undefined): string {
  return name === undefined ? text : `${text}, ${name}`;
}
