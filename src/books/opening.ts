import { groupedBy, largestOf } from '../base/lists.ts';
import type { BankMatch } from '../match/match.ts';
import { rescale, sumAt } from '../money/money.ts';
import { type Basis, type OpeningAmount, payoutKey } from './carried.ts';

/**
 * What was in transit when the books begin, by the money that came since then for settlements of before: of accounts
 * for which no amount is set. None after a close, which knows what was in transit.
 */
export function openingNotSet(
  matches: readonly BankMatch[],
  { closes, through, opening }: Basis,
): readonly OpeningAmount[] {
  const keyOf = (one: Omit<OpeningAmount, 'minor' | 'scale'>) =>
    payoutKey({ ...one, settlementIds: [] });
  const known = new Set(opening.map(keyOf));
  const owed = matches.flatMap(({ state, settlements, entries, scale }) => {
    const booked = entries.filter(({ entry }) => entry.status === 'booked');
    const early = booked.filter(({ entry }) => entry.date <= through);
    if (early.length === booked.length || !paying.includes(state)) return [];
    const received = early.reduce((sum, { amount }) => sum + amount, 0n);
    return settlements.flatMap(({ settlement }, at): OpeningAmount | [] => {
      const { accountingToken, currency, date } = settlement;
      if (date > through || known.has(keyOf(settlement))) return [];
      const payIn = rescale(settlement.payIn, settlement.scale, scale);
      return { accountingToken, currency, scale, minor: at === 0 ? payIn - received : payIn };
    });
  });
  return [...(closes.length > 0 ? [] : groupedBy(owed, keyOf).values())].flatMap((own) => {
    const scale = largestOf(own.map((one) => one.scale));
    const minor = sumAt(scale, own, (one) => one.minor);
    return own.slice(0, 1).map((one) => ({ ...one, scale, minor }));
  });
}

/** The states of pay-outs whose money came, or whose entry a person may confirm. */
const paying: readonly BankMatch['state'][] = ['matched', 'charged', 'difference', 'suggested'];
