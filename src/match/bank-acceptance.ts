import type { AcceptedBankDifference } from '../model/accepted-difference.ts';
import { formatMinor, rescale } from '../money/money.ts';
import {
  type Acceptance,
  type AcceptanceChange,
  type AcceptedDifferences,
  acceptanceBy,
} from '../reconcile/acceptance.ts';
import type { BankMatch } from './match.ts';

/**
 * What people have accepted of a match, if anything; only one with a difference is compared. Of a batch
 * one of its settlements has the line, and the batch's amounts count.
 */
export function bankAcceptanceOf(
  match: BankMatch,
  accepted: AcceptedDifferences | undefined,
): Acceptance<AcceptedBankDifference> | undefined {
  if (!accepted || match.state !== 'difference') return undefined;
  const acceptances = match.settlements.flatMap(({ settlement }) => {
    const line = accepted.onBank.get(settlement.id.toLowerCase());
    return line ? acceptanceBy(line, compared(line, match), accepted.today) : [];
  });
  return acceptances.find(({ state }) => state === 'accepted') ?? acceptances[0];
}

function compared(
  line: AcceptedBankDifference,
  { currency, scale: ofMatch, expected, received }: BankMatch,
): readonly AcceptanceChange[] {
  const scale = Math.max(line.scale, ofMatch);
  const amount = (field: string, before: bigint, after: bigint) => ({
    field,
    before: formatMinor(rescale(before, line.scale, scale), scale),
    after: formatMinor(rescale(after, ofMatch, scale), scale),
  });
  return [
    { field: 'currency', before: line.currency, after: currency },
    amount('expected', line.expected, expected),
    amount('received', line.received, received),
  ];
}
