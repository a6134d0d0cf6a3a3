import { ReconError } from '../base/errors.ts';
import { bankAcceptanceOf, receiptOf } from '../match/bank-acceptance.ts';
import { type BankMatch, type BankState, entryKey } from '../match/match.ts';
import {
  type AcceptedFigures,
  type AcceptedLine,
  type BankDifference,
  type DifferenceKey,
  differenceAmount,
  differenceKey,
  type OpenDifference,
  type PayInDifference,
  type Reasons,
} from '../model/accepted-difference.ts';
import type { Settlement } from '../model/settlement.ts';
import type { Source } from '../model/source.ts';
import { formatMinor, magnitude, maxScale, parseDecimal, rescale } from '../money/money.ts';
import {
  type AcceptedDifferences,
  codesOf,
  discrepanciesAmong,
  isAccepted,
} from '../reconcile/acceptance.ts';
import type { Figures } from '../reconcile/computed.ts';
import type { ReconciledSettlement } from '../reconcile/reconcile-settlement.ts';
import type { ReconcileSettings } from '../reconcile/subject.ts';
import { judgeSettlement } from './find-settlement.ts';

// One difference and a list have the same conditions, so a refusal is a value: a ReconError.

/** The pay-in difference of a settlement, or why it cannot be accepted. */
function payInDifference(now: ReconciledSettlement): PayInDifference | ReconError {
  const { scale, settlement, verdict } = now;
  const { id, date, currency, accountingToken } = settlement;
  const hint = `Run recon explain ${id} to see why.`;
  if (verdict === 'incomplete') return notFullyRead(id);
  if (verdict !== 'out_of_balance') {
    const is = verdict === 'pending' ? 'is still pending' : 'balances';
    return refusal(`Settlement ${id} ${is}, so there is nothing to accept.`, hint);
  }
  const reported = withPayIn(now.reported);
  const computed = withPayIn(now.computed);
  if (!reported || !computed) {
    const message = 'The identity is off, so there is no pay-in difference to accept.';
    return refusal(message, 'Set an identity in the profile or with --identity.');
  }
  const whose = { settlementId: id, settlementDate: date, accountingToken };
  const codes = discrepanciesAmong(codesOf(now));
  return { ...whose, currency, scale, reported, computed, codes };
}

function withPayIn(figures: Figures | undefined): AcceptedFigures | undefined {
  return figures?.payIn === undefined ? undefined : { ...figures, payIn: figures.payIn };
}

function refusal(message: string, hint: string): ReconError {
  return new ReconError('usage', message, { hint });
}

function notFullyRead(id: string): ReconError {
  const message = `Settlement ${id} was not fully read, so nothing can be accepted.`;
  const hint = `Run recon explain ${id} to see why.`;
  return new ReconError('service', message, { hint });
}

const bankHint = 'Run recon bank to see its state.';
const notFound = 'was not found in the statements';

const refusedStates: Readonly<Partial<Record<BankState, string>>> = {
  matched: 'is on the bank statements with the expected amount',
  charged: 'arrived less bank charges that the statement states',
  returned: 'was returned by the bank',
  suggested: 'is only suggested as a match, so nothing counts as received',
  ambiguous: 'has several possible matches, so nothing counts as received',
  missing_on_bank: 'is missing from the bank statements',
  pending_on_bank: 'is announced by the bank but not booked yet',
  not_paid_yet: 'is still pending at the service',
  nothing_due: 'has a pay-in of zero',
};

/** The bank difference of a settlement (or its batch) in its match, or why it cannot be accepted. */
function bankDifference(
  { id, date, accountingToken }: Pick<Settlement, 'id' | 'date' | 'accountingToken'>,
  match: BankMatch | undefined,
): BankDifference | ReconError {
  const { state, difference } = match ?? {};
  if (match && state === 'difference' && difference !== undefined && match.received !== 0n) {
    const { currency, scale, expected, received } = match;
    const whose = { settlementId: id, settlementDate: date, accountingToken };
    return { ...whose, currency, scale, expected, received };
  }
  const why =
    state === 'difference'
      ? `has no bank entry in ${match?.currency}`
      : ((state && refusedStates[state]) ?? notFound);
  return refusal(`Settlement ${id} ${why}, so there is no difference to accept.`, bankHint);
}

export interface AcceptRequest extends Reasons {
  readonly settlementId: string;
  /** The difference that the person has seen, as decimal text. */
  readonly difference: string;
}

/** Reads a settlement and accepts its figures as they are now. Throws ReconError if that is impossible. */
export async function acceptDifference(
  request: AcceptRequest,
  source: Source,
  settings: ReconcileSettings,
): Promise<AcceptedLine> {
  const id = request.settlementId;
  const { reconciled, findings } = await judgeSettlement(source, id, settings);
  if (findings.length > 0) throw notFullyRead(id);
  const now = payInDifference(reconciled);
  return acceptedAsSeen(now, request, 'pay-in difference', `Run recon explain ${id} to see why.`);
}

/** Accepts a settlement's (or its batch's) bank difference. Throws ReconError `usage` if it has none. */
export function acceptBankDifference(
  request: AcceptRequest,
  settlement: Settlement,
  matches: readonly BankMatch[],
): AcceptedLine {
  const match = matches.find(({ settlements }) =>
    settlements.some((share) => share.settlement.id === settlement.id),
  );
  return acceptedAsSeen(bankDifference(settlement, match), request, 'bank difference', bankHint);
}

export function orThrow<Value>(value: Value | ReconError): Value {
  if (value instanceof ReconError) throw value;
  return value;
}

function acceptedAsSeen(
  difference: OpenDifference | ReconError,
  { settlementId: _, difference: seen, ...reasons }: AcceptRequest,
  what: string,
  hint: string,
): AcceptedLine {
  const now = orThrow(difference);
  const { scale, currency } = now;
  const minor = differenceAmount(now);
  if (parseDecimal(seen, maxScale) === rescale(minor, scale, maxScale)) {
    return { ...now, ...reasons };
  }
  const is = `${minor > 0n ? '+' : ''}${formatMinor(minor, scale)} ${currency}`;
  const message = `The ${what} of settlement ${differenceKey(now).id} is ${is}, not ${seen}.`;
  throw new ReconError('usage', message, { where: '--difference', hint });
}

/** A difference as it is now. */
export interface Decision {
  readonly difference: OpenDifference;
  /** The codes of a settlement's discrepancies, or the reason of a match. */
  readonly codes: readonly string[];
  /** Its match on the bank statements; absent for a pay-in difference. */
  readonly match?: BankMatch;
  readonly isAccepted: boolean;
}

/** By `decisionId`: a difference, or why there is nothing to decide. */
export type Decisions = ReadonlyMap<string, Decision | ReconError>;

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

/** The differences that need a decision, the largest absolute amount first, in any currency. */
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
