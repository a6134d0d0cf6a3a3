import { ReconError } from '../base/errors.ts';
import { bankAcceptanceOf, receiptOf } from '../match/bank-acceptance.ts';
import { type BankMatch, entryKey } from '../match/match.ts';
import {
  type DifferenceKey,
  differenceAmount,
  type OpenDifference,
} from '../model/accepted-difference.ts';
import { magnitude, maxScale, rescale } from '../money/money.ts';
import { type AcceptedDifferences, isAccepted } from '../reconcile/acceptance.ts';
import type { ReconciledSettlement } from '../reconcile/reconcile-settlement.ts';
import { bankDifference, payInDifference } from './accept-difference.ts';

/** A difference as it is now, of which people can decide. */
export interface Decision {
  readonly difference: OpenDifference;
  /** What was found: the codes of a settlement's entries, or the reason of a match. */
  readonly codes: readonly string[];
  /** What the bank has of it; absent for a pay-in difference. */
  readonly match?: BankMatch;
  readonly isAccepted: boolean;
}

/** What can be decided of settlements and bank entries by `decisionId`, or why nothing can. */
export type Decisions = ReadonlyMap<string, Decision | ReconError>;

/** Names a difference, whatever the case of its id. */
export function decisionId({ kind, id }: DifferenceKey): string {
  return `${kind} ${id.toLowerCase()}`;
}

/** All differences of reconciled settlements and of matches. A batch has one, under each of its ids. */
export function decisionsOf(
  settlements: readonly ReconciledSettlement[],
  matches: readonly BankMatch[],
  accepted: AcceptedDifferences | undefined,
): Decisions {
  const found = new Map<string, Decision | ReconError>();
  for (const one of settlements) {
    const id = decisionId({ kind: 'pay_in', id: one.settlement.id });
    found.set(id, decisionBy(payInDifference(one), isAccepted(one)));
  }
  for (const match of matches) {
    const isAccepted = bankAcceptanceOf(match, accepted)?.state === 'accepted';
    const ofEntries = decisionBy(receiptOf(match) ?? explained(), isAccepted, match);
    for (const share of match.entries) {
      found.set(decisionId({ kind: 'unknown', id: entryKey(share) }), ofEntries);
    }
    const [first] = match.settlements;
    if (!first) continue;
    const ofMatch = decisionBy(bankDifference(first.settlement, match), isAccepted, match);
    for (const { settlement } of match.settlements) {
      found.set(decisionId({ kind: 'bank', id: settlement.id }), ofMatch);
    }
  }
  return found;
}

function decisionBy(
  difference: OpenDifference | ReconError,
  isAccepted: boolean,
  match?: BankMatch,
): Decision | ReconError {
  if (difference instanceof ReconError) return difference;
  const codes = 'codes' in difference ? difference.codes : [match?.reason ?? ''].filter(Boolean);
  return { difference, codes, isAccepted, ...(match && { match }) };
}

function explained(): ReconError {
  const message = 'This bank entry is not unknown, so there is nothing to accept.';
  return new ReconError('usage', message, { hint: 'Run recon bank to see its state.' });
}

/** The differences that need a decision: the largest absolute amount first, whatever its currency. */
export function decisionsDue(decisions: Decisions): readonly Decision[] {
  return [...new Set(decisions.values())]
    .filter((one): one is Decision => !(one instanceof ReconError) && !one.isAccepted)
    .sort(
      (one, other) => Number(sizeOf(other) > sizeOf(one)) - Number(sizeOf(one) > sizeOf(other)),
    );
}

function sizeOf({ difference }: Decision): bigint {
  return rescale(magnitude(differenceAmount(difference)), difference.scale, maxScale);
}
