import { groupedBy } from '../base/keys.ts';
import { isBySettlement, type JournalEntry, type Posting } from '../model/journal-entry.ts';
import { rescale } from '../money/money.ts';
import { withName } from './book-settlement.ts';
import { withId } from './entry-id.ts';

/**
 * The entries of settlements by day: one for each date, accounting token and currency, and the pending
 * ones apart. What stands on suspense, or is accepted, keeps its settlement.
 */
export function dayEntries(
  entries: readonly JournalEntry[],
  names: ReadonlyMap<string, string>,
): readonly JournalEntry[] {
  const keyOf = ({ date, accountingToken, currency, isPending }: JournalEntry) =>
    JSON.stringify([date, accountingToken, currency, isPending]);
  return [...groupedBy(entries, keyOf).values()].flatMap((all) => dayEntry(all, names) ?? []);
}

function dayEntry(
  all: readonly JournalEntry[],
  names: ReadonlyMap<string, string>,
): JournalEntry | undefined {
  const [first] = all;
  if (!first) return undefined;
  const { date, accountingToken } = first;
  const scale = all.reduce((largest, one) => Math.max(largest, one.scale), 0);
  const sums = new Map<string, Posting>();
  for (const { scale: from, postings } of all) {
    for (const posting of postings) {
      const { purpose, account, transactionId } = posting;
      const settlementId = isBySettlement(posting) ? posting.settlementId : '';
      const key = JSON.stringify([purpose, account, settlementId, transactionId]);
      const minor = rescale(posting.minor, from, scale) + (sums.get(key)?.minor ?? 0n);
      sums.set(key, { ...posting, settlementId, minor });
    }
  }
  const postings = [...sums.values()].filter(({ minor }) => minor !== 0n);
  if (postings.length === 0) return undefined;
  const settlementIds = all.flatMap((one) => one.settlementIds);
  const text = withName(`Settlements of ${date}`, names.get(accountingToken));
  return withId({ ...first, scale, settlementIds, text, postings });
}
