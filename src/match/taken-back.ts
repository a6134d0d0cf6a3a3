import { addDays } from '../base/calendar.ts';
import { groupedBy } from '../base/lists.ts';
import { maxScale, rescale } from '../money/money.ts';
import type { BankMatch, EntryShare } from './match.ts';
import { daysBack } from './returns.ts';

/**
 * Of each suggestion, the later entries without a pay-out that take its money back, and those with which it came
 * again. The bank does not mark them as returns, so nothing is matched by it.
 */
export function takenBack(
  matches: readonly BankMatch[],
): ReadonlyMap<BankMatch, readonly EntryShare[]> {
  const free = groupedBy(matches.filter(mayBeOfService), (one) => moneyOf(one, one.entries[0]));
  const found = matches
    .filter(({ state }) => state === 'suggested')
    .map((match) => {
      const entries = match.entries.flatMap((share) => {
        const [back] = laterOf(free.get(moneyOf(match, share, -1n)), share);
        return back ? [back, ...laterOf(free.get(moneyOf(match, share)), back)] : [];
      });
      return [match, [...new Set(entries)]] as const;
    });
  return new Map(found.filter(([, entries]) => entries.length > 0));
}

/** An entry alone of which nothing says that another one paid it. */
function mayBeOfService({ state, rule, settlements, entries }: BankMatch): boolean {
  const [share, ...others] = entries;
  if (!share || settlements.length + others.length > 0 || rule) return false;
  const isNameless = share.entry.details.accounts.length === 0;
  return state === 'unknown_on_bank' || (state === 'unrelated' && isNameless);
}

/** The first entry that is soon after another one, if any. */
function laterOf(matches: readonly BankMatch[] = [], { entry: { date } }: EntryShare) {
  const last = addDays(date, daysBack);
  const later = matches
    .flatMap(({ entries }) => entries)
    .filter(({ entry }) => entry.date >= date && entry.date <= last);
  return later.sort((a, b) => (a.entry.date < b.entry.date ? -1 : 1)).slice(0, 1);
}

function moneyOf({ scale, currency }: BankMatch, share?: EntryShare, sign = 1n): string {
  const minor = rescale((share?.amount ?? 0n) * sign, scale, maxScale);
  return `${share?.entry.account} ${currency} ${minor}`;
}
