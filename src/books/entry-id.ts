import { shortId } from '../base/short-id.ts';
import type { JournalEntry } from '../model/journal-entry.ts';
import { formatMinor } from '../money/money.ts';

/**
 * An entry with its id: 100 bits of a hash of what is booked, on which day, at which figures. The names
 * of accounts and texts don't count, so that they may change. `source` tells apart what is equal in all
 * that, such as two entries of the bank.
 */
export function withId(entry: Omit<JournalEntry, 'id'>, source = ''): JournalEntry {
  const { settlementIds, date, currency, scale, reverses = '', postings } = entry;
  const booked = postings.map(({ purpose, minor, settlementId, transactionId }) =>
    [purpose, formatMinor(minor, scale), settlementId, transactionId].join(' '),
  );
  const text = JSON.stringify([source, reverses, date, currency, settlementIds, booked]);
  return { ...entry, id: shortId(text) };
}
