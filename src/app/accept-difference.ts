import { ReconError } from '../base/errors.ts';
import type { BankMatch, BankState } from '../match/match.ts';
import type {
  AcceptedBankDifference,
  AcceptedDifference,
  AcceptedFigures,
  AcceptedLine,
} from '../model/accepted-difference.ts';
import type { Source } from '../model/source.ts';
import { formatMinor, type Money, maxScale, parseDecimal, rescale } from '../money/money.ts';
import { codesOf } from '../reconcile/acceptance.ts';
import type { Figures } from '../reconcile/computed.ts';
import type { ReconcileSettings } from '../reconcile/subject.ts';
import { judgeSettlement } from './find-settlement.ts';

interface AcceptRequest
  extends Pick<AcceptedDifference, 'reason' | 'by' | 'on' | 'until' | 'account'> {
  readonly settlementId: string;
  /** The difference that the person has seen, as decimal text. */
  readonly difference: string;
}

/** Reads a settlement and accepts its figures as they are now. Throws ReconError if that is impossible. */
export async function acceptDifference(
  { settlementId: id, difference: seen, ...why }: AcceptRequest,
  source: Source,
  settings: ReconcileSettings,
): Promise<AcceptedDifference> {
  const { reconciled: now, findings } = await judgeSettlement(source, id, settings);
  const { scale, settlement } = now;
  const { currency, accountingToken, date } = settlement;
  const look = `Run recon explain ${id} to see why.`;
  if (now.verdict === 'incomplete' || findings.length > 0) {
    const message = `Settlement ${id} was not fully read, so nothing can be accepted.`;
    throw new ReconError('service', message, { hint: look });
  }
  if (now.verdict !== 'out_of_balance') {
    const is = now.verdict === 'pending' ? 'is still pending' : 'balances';
    const message = `Settlement ${id} ${is}, so there is nothing to accept.`;
    throw new ReconError('usage', message, { hint: look });
  }
  const reported = withPayIn(now.reported);
  const computed = withPayIn(now.computed);
  if (!reported || !computed) {
    const message = 'The identity is off, so there is no pay-in difference to accept.';
    const hint = 'Set an identity in the profile or with --identity.';
    throw new ReconError('usage', message, { hint });
  }
  const difference = { minor: reported.payIn - computed.payIn, scale, currency };
  requireSeen(seen, difference, `The pay-in difference of settlement ${id}`, look);
  return {
    settlementId: settlement.id,
    settlementDate: date,
    accountingToken,
    currency,
    scale,
    reported,
    computed,
    codes: codesOf(now),
    ...why,
  };
}

function requireSeen(seen: string, { minor, scale, currency }: Money, what: string, look: string) {
  if (parseDecimal(seen, maxScale) === rescale(minor, scale, maxScale)) return;
  const is = `${minor > 0n ? '+' : ''}${formatMinor(minor, scale)} ${currency}`;
  const where = '--difference';
  throw new ReconError('usage', `${what} is ${is}, not ${seen}.`, { where, hint: look });
}

function withPayIn(figures: Figures | undefined): AcceptedFigures | undefined {
  return figures?.payIn === undefined ? undefined : { ...figures, payIn: figures.payIn };
}

const look = 'Run recon bank to see its state.';

/** Accepts a settlement's (or its batch's) bank difference. Throws ReconError `usage` if it has none. */
export function acceptBankDifference(
  { settlementId, difference: seen, ...why }: AcceptRequest,
  { settlementDate, accountingToken }: Pick<AcceptedLine, 'settlementDate' | 'accountingToken'>,
  matches: readonly BankMatch[],
): AcceptedBankDifference {
  const match = matches.find(({ settlements }) =>
    settlements.some(({ settlement }) => settlement.id === settlementId),
  );
  const { currency, scale, expected, received, difference } = acceptable(settlementId, match);
  const what = `The bank difference of settlement ${settlementId}`;
  requireSeen(seen, { minor: difference, scale, currency }, what, look);
  return {
    settlementId,
    settlementDate,
    accountingToken,
    currency,
    scale,
    expected,
    received,
    ...why,
  };
}

const notFound = 'was not found in the statements';

const whyNot: Readonly<Partial<Record<BankState, string>>> = {
  matched: 'is on the bank statements with the expected amount',
  returned: 'was returned by the bank',
  suggested: 'is only suggested as a match, so nothing counts as received',
  ambiguous: 'has several possible matches, so nothing counts as received',
  missing_on_bank: 'is missing from the bank statements',
  pending_on_bank: 'is announced by the bank but not booked yet',
  not_paid_yet: 'is still pending at the service',
  nothing_due: 'has a pay-in of zero',
};

function acceptable(id: string, match: BankMatch | undefined) {
  const { state, difference, received, currency } = match ?? {};
  if (match && state === 'difference' && difference !== undefined && received !== 0n) {
    return { ...match, difference };
  }
  const why =
    state === 'difference'
      ? `has no bank entry in ${currency}`
      : ((state && whyNot[state]) ?? notFound);
  const message = `Settlement ${id} ${why}, so there is no difference to accept.`;
  throw new ReconError('usage', message, { hint: look });
}
