import { bankAcceptanceOf } from '../match/bank-acceptance.ts';
import { entryKey } from '../match/explained-entries.ts';
import type { BankMatch } from '../match/match.ts';
import type { AcceptedDifferences } from '../reconcile/acceptance.ts';
import type { ProfileNight } from '../report/nightly/report.ts';

/** How many pay-outs there are of each kind, and which entries have none. */
export function countOnBank(
  matches: readonly BankMatch[],
  accepted: AcceptedDifferences | undefined,
) {
  const counts = { matched: 0, missing: 0, differences: 0, accepted: 0, undecided: 0 };
  const unknown = new Set<string>();
  for (const match of matches) {
    const { state, entries } = match;
    const count = match.settlements.length;
    if (state === 'unknown_on_bank') for (const one of entries) unknown.add(entryKey(one));
    const isAccepted = bankAcceptanceOf(match, accepted)?.state === 'accepted';
    if (state === 'matched') counts.matched += count;
    if (state === 'missing_on_bank') counts.missing += count;
    if (isAccepted) counts.accepted += count;
    else if (state === 'difference' || state === 'returned') counts.differences += count;
    if (state === 'suggested' || state === 'ambiguous') counts.undecided += count;
  }
  return { ...counts, unknown };
}

/** A night without the unknown entries that pay-outs of other profiles explain. */
export function withoutExplained<Of extends Pick<ProfileNight, 'news' | 'bank'>>(
  night: Of,
  explained: ReadonlySet<string>,
): Of {
  const { news, bank } = night;
  if (!bank) return night;
  const without = (ids: ReadonlySet<string>) =>
    new Set([...ids].filter((id) => !explained.has(id)));
  return {
    ...night,
    news: news.filter(({ entry = '' }) => !explained.has(entry)),
    bank: { ...bank, unknown: without(bank.unknown), known: without(bank.known) },
  };
}
