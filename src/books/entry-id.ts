import { shortId } from '../base/id-table.ts';
import type { JournalEntry } from '../model/journal-entry.ts';
import { formatMinor } from '../money/money.ts';

/**
 * An entry with its id: 100 bits of a hash of what is booked, of which day, at which figures. Posting date,
 * accounts and texts don't count, so that they may change. `again` tells apart what is booked once more at
 * the same figures.
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
