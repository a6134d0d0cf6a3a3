import { ReconError } from '../base/errors.ts';
import { isSameUuid } from '../base/uuid.ts';
import { bankAcceptanceOf, canBeWrittenOff, receiptOf } from '../match/bank-acceptance.ts';
import {
  type BankMatch,
  type BankState,
  entryKey,
  isOff,
  type SettlementShare,
} from '../match/match.ts';
import {
  type AcceptedFigures,
  type AcceptedLine,
  type AcceptedPayout,
  type BankDifference,
  type DecidedPayout,
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
import { openStates } from './bank-report.ts';
import { confirmedAs, refused } from './confirm-payout.ts';
import { judgeSettlement } from './find-settlement.ts';

// One difference and a list have the same conditions, so a refusal is a value: a ReconError.

/** The pay-in difference of a settlement, or why it cannot be accepted. */
export function payInDifference(now: ReconciledSettlement): PayInDifference | ReconError {
  const { scale, settlement, verdict } = now;
  const { id, date, currency, accountingToken } = settlement;
  const hint = `Run recon explain ${id} to see why.`;
  if (verdict === 'incomplete') return notFullyRead(id);
  if (verdict !== 'out_of_balance') {
    const is = verdict === 'pending' ? 'is still pending' : 'balances';
    return refused(`Settlement ${id} ${is}, so there is nothing to accept.`, hint);
  }
  const reported = withPayIn(now.reported);
  const computed = withPayIn(now.computed);
  if (!reported || !computed) {
    const message =
      'No net pay-out is calculated (identity = off), so there is no difference to accept.';
    return refused(
      message,
      'Say how it is calculated: set identity in the profile, or use --identity.',
    );
  }
  const whose = { settlementId: id, settlementDate: date, accountingToken };
  const codes = discrepanciesAmong(codesOf(now));
  return { ...whose, currency, scale, reported, computed, codes };
}

function withPayIn(figures: Figures | undefined): AcceptedFigures | undefined {
  return figures?.payIn === undefined ? undefined : { ...figures, payIn: figures.payIn };
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
  nothing_due: 'has a net pay-out of zero',
};

/** The bank difference of a settlement (or its batch) in its match, or why it cannot be accepted. */
function bankDifference(
  { id, date, accountingToken }: Pick<Settlement, 'id' | 'date' | 'accountingToken'>,
  match: BankMatch | undefined,
): BankDifference | ReconError {
  const { state, difference } = match ?? {};
  if (match && isOff(match) && difference !== undefined && match.received !== 0n) {
    const { currency, scale, expected, received } = match;
    const whose = { settlementId: id, settlementDate: date, accountingToken };
    return { ...whose, currency, scale, expected, received };
  }
  const why =
    state === 'difference'
      ? `has no bank entry in ${match?.currency}`
      : ((state && refusedStates[state]) ?? notFound);
  return refused(`Settlement ${id} ${why}, so there is no difference to accept.`, bankHint);
}

const seenStates: readonly BankState[] = [
  ...openStates,
  ...(['in_transit', 'not_covered', 'pending_on_bank'] as const),
];

/** Whether something can be decided of a pay-out. */
export function isOpenPayout({ state, settlements }: BankMatch): boolean {
  return settlements.length > 0 && seenStates.includes(state);
}

/** A pay-out that has not arrived as it should, as it is seen, or why there is nothing to decide. */
function openPayout(settlement: Settlement, match: BankMatch): BankDifference | ReconError {
  const { state, currency, scale, received } = match;
  if (!isOpenPayout(match)) return bankDifference(settlement, match);
  const { id: settlementId, date: settlementDate, accountingToken } = settlement;
  // Those that an entry may belong to are decided one by one.
  const expected =
    state === 'ambiguous' ? rescale(settlement.payIn, settlement.scale, scale) : match.expected;
  return { settlementId, settlementDate, accountingToken, currency, scale, expected, received };
}

/** What a person decides of a pay-out: that it is settled with another settlement, written off, or confirmed. */
export interface PayoutRequest extends Pick<AcceptedPayout, 'decision' | 'settlementId'> {
  /** The id of the other settlement; empty without one. */
  readonly other?: string;
  /** The places or ids of its entries; none for those that are suggested. */
  readonly entries?: readonly string[];
}

/** A decision on a pay-out as it is now, or why it cannot be made. */
export function decidedPayout(
  { settlementId: id, decision, other: otherId = '', entries = [] }: PayoutRequest,
  matches: readonly BankMatch[],
): DecidedPayout | ReconError {
  const [own, other] = [id, otherId].map((one) => openPayoutIn(matches, one));
  if (!own || own instanceof ReconError) return own ?? notFullyRead(id);
  if (decision === 'confirmed') {
    const now = confirmedAs(own.settlement, own.match, entries, matches);
    return now instanceof ReconError ? now : { ...own.seen, ...now, decision };
  }
  if (decision === 'written_off') {
    if (canBeWrittenOff(own.match)) return { ...own.seen, decision };
    if (own.match.state === 'difference') {
      const message = `The bank received more for settlement ${id} than is due, so nothing can be written off. Accept the difference instead.`;
      return refused(
        message,
        `Run: recon accept ${id} --bank FILE --difference AMOUNT --reason "WHY"`,
      );
    }
    return refused(`Settlement ${id} may have arrived, so it cannot be written off.`, bankHint);
  }
  if (!other || other instanceof ReconError) return other ?? notFullyRead(otherId);
  const [one, another] = [own.settlement, other.settlement];
  if (one.id === another.id || one.currency !== another.currency) {
    const message = `Settlement ${id} can only be settled with another one in ${one.currency}.`;
    return refused(message, 'Check both ids.');
  }
  const scale = Math.max(one.scale, another.scale);
  const expected = rescale(one.payIn, one.scale, scale);
  const payIn = rescale(another.payIn, another.scale, scale);
  const seen = { ...own.seen, scale, expected, received: expected };
  const { id: settlementId, date: settlementDate } = another;
  return { ...seen, decision, other: { settlementId, settlementDate, payIn } };
}

function openPayoutIn(matches: readonly BankMatch[], id: string) {
  for (const match of matches) {
    const settlement = match.settlements
      .map((share) => share.settlement)
      .find((one) => isSameUuid(one.id, id));
    if (!settlement) continue;
    const seen = openPayout(settlement, match);
    return seen instanceof ReconError ? seen : { settlement, match, seen };
  }
  return refused(`Settlement ${id} ${notFound}, so there is nothing to decide.`, bankHint);
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
  return acceptedAsSeen(
    now,
    request,
    'net pay-out difference',
    `Run recon explain ${id} to see why.`,
  );
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
  /** The number of its order in the matching of orders. */
  readonly order?: number;
  readonly isAccepted: boolean;
  /** Why it cannot be accepted as it is; another decision may be possible. */
  readonly refusal?: ReconError | undefined;
}

/** By `decisionId`: a difference, or why there is nothing to decide. */
export type Decisions = ReadonlyMap<string, Decision | ReconError>;

export function decisionId({ kind, id }: DifferenceKey): string {
  return `${kind} ${id.toLowerCase()}`;
}

/** All differences of reconciled settlements and of matches. A batch has one, under each of its ids; what is ambiguous is decided apart. */
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
    const decisionOn = ({ settlement }: SettlementShare) =>
      decisionBy(openPayout(settlement, match), isAccepted, match);
    const [ofMatch] = match.settlements.map(decisionOn);
    const isApart = match.state === 'ambiguous';
    for (const share of match.settlements) {
      const id = decisionId({ kind: 'bank', id: share.settlement.id });
      if (ofMatch) found.set(id, isApart ? decisionOn(share) : ofMatch);
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
  const [first] = match?.settlements ?? [];
  const accepted = first && bankDifference(first.settlement, match);
  const refusal = accepted instanceof ReconError ? accepted : undefined;
  const codes = 'codes' in difference ? difference.codes : [match?.reason ?? ''].filter(Boolean);
  return { difference, codes, isAccepted, refusal, ...(match && { match }) };
}

function explained(): ReconError {
  const message = 'This bank entry is not unknown, so there is nothing to accept.';
  return new ReconError('usage', message, { hint: 'Run recon bank to see its state.' });
}

function needsDecision({ isAccepted, match }: Decision): boolean {
  return !isAccepted && (!match || openStates.some((state) => state === match.state));
}

/** What needs a decision, with the orders that do, the largest absolute amount first, in any currency. */
export function decisionsDue(
  decisions: Decisions,
  orders: readonly Decision[] = [],
): readonly Decision[] {
  return [...new Set([...decisions.values(), ...orders])]
    .filter((one): one is Decision => !(one instanceof ReconError) && needsDecision(one))
    .sort(
      (one, other) => Number(sizeOf(other) > sizeOf(one)) - Number(sizeOf(one) > sizeOf(other)),
    );
}

function sizeOf({ difference }: Decision): bigint {
  return rescale(magnitude(differenceAmount(difference)), difference.scale, maxScale);
}
