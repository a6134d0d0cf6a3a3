import { ReconError } from '../base/errors.ts';
import type { AcceptedDifference, AcceptedFigures } from '../model/accepted-difference.ts';
import type { Source } from '../model/source.ts';
import { formatMinor, type Money, maxScale, parseDecimal, rescale } from '../money/money.ts';
import { codesOf } from '../reconcile/acceptance.ts';
import type { Figures, ReconcileSettings } from '../reconcile/reconciled.ts';
import { judgeSettlement } from './judge-settlement.ts';

/** What somebody accepts, and why. */
export interface AcceptRequest
  extends Pick<AcceptedDifference, 'reason' | 'by' | 'on' | 'until' | 'account'> {
  readonly settlementId: string;
  /** Decimal text: the difference that they have seen. */
  readonly difference: string;
}

/**
 * Reads a settlement and gives what is accepted of it: all its figures as they are now. Throws
 * ReconError where there is nothing to accept, or something else than was seen.
 */
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
  refuseUnseen(seen, difference, `The pay-in difference of settlement ${id}`, look);
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

/** Throws ReconError `usage` where the difference is not the one that was seen; `what` and `look` are words. */
export function refuseUnseen(
  seen: string,
  { minor, scale, currency }: Money,
  what: string,
  look: string,
): void {
  if (parseDecimal(seen, maxScale) === rescale(minor, scale, maxScale)) return;
  const is = `${minor > 0n ? '+' : ''}${formatMinor(minor, scale)} ${currency}`;
  const where = '--difference';
  throw new ReconError('usage', `${what} is ${is}, not ${seen}.`, { where, hint: look });
}

function withPayIn(figures: Figures | undefined): AcceptedFigures | undefined {
  return figures?.payIn === undefined ? undefined : { ...figures, payIn: figures.payIn };
}
