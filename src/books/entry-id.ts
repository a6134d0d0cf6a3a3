import { createHash } from 'node:crypto';
import { formatMinor } from '../money/money.ts';
import type { JournalEntry } from './journal-entry.ts';

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const length = 20;

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
  const digits = createHash('sha256').update(text).digest('hex').slice(0, 25);
  const words = BigInt(`0x${digits}`).toString(32).padStart(length, '0');
  return { ...entry, id: words.replace(/./g, (word) => letters[Number.parseInt(word, 32)] ?? '') };
}
