import { keysOf, largestOf } from '../base/lists.ts';
import type { Charge } from '../model/charge.ts';
import { type Money, rescale } from '../money/money.ts';

/** The table of doc 3.1: what the merchant should do, the outcome of the charge, its statuses. */
const rules = {
  hold: ['in_progress', 'created'],
  hold_until_timeout: [
    'in_progress',
    'pending_validation validated pending_authorisation authorised pending_completion',
  ],
  fulfil: ['success', 'completed'],
  settled: ['success', 'settled settled_out_of_balance'],
  release: ['failure', 'not_created not_validated not_authorised not_completed cancelled'],
  refunded: ['refunded', 'refunded'],
  /** Any status that the document does not name. */
  as_pending: ['in_progress', ''],
} as const;

export function chargeRule(status: string) {
  const isOf = (handling: keyof typeof rules) => rules[handling][1].split(' ').includes(status);
  const handling = keysOf(rules).find(isOf) ?? 'as_pending';
  return { handling, outcome: rules[handling][0] };
}

/** Whether a payment is approved: exactly when its status is `completed` (doc 3.3). */
export function isApproved(status: string): boolean {
  return status === 'completed';
}

/** Whether a charge was approved and has a later status now (doc 3.1, 3.2). */
export function wasCompleted(status: string): boolean {
  const { outcome } = chargeRule(status);
  return !isApproved(status) && (outcome === 'success' || outcome === 'refunded');
}

/**
 * The figures of a charge contradict its status:
 * - `partial_refund`: refunded, but the amounts are not those of a full refund (doc 2.5)
 * - `completed_but_not_approved`: failed, with a completed amount (doc 3.2)
 * - `refund_event`: completed, and the last event is a refund (doc 3.2)
 * - `disputed`: completed or settled, with a disputed amount (doc 2.5)
 */
type ChargeRemark = 'partial_refund' | 'completed_but_not_approved' | 'refund_event' | 'disputed';

/** The remarks on a charge. A missing amount contradicts nothing. */
export function remarksOnCharge({ status, event, summary }: Charge): readonly ChargeRemark[] {
  const { originalOrderTotal: original, currentOrderTotal, completed, refunded } = summary;
  const isSome = (money: Money | undefined) => money !== undefined && money.minor !== 0n;
  const isAll = !original || !refunded || original.minor === refunded.minor;
  const isFull = isAll && !isSome(currentOrderTotal) && !isSome(completed);
  if (status === 'refunded') return isFull ? [] : ['partial_refund'];
  if (isApproved(status) && event.action === 'refund') return ['refund_event'];
  const { outcome } = chargeRule(status);
  if (outcome === 'success' && isSome(summary.disputed)) return ['disputed'];
  return outcome === 'failure' && isSome(completed) ? ['completed_but_not_approved'] : [];
}

export interface RowMoney {
  readonly amount: Money;
  readonly fees: Money;
  readonly tax: Money;
}

/**
 * Compares a charge's settled amount with its rows, all at the largest scale. The document
 * does not say whether it is before fees, refunds or disputes:
 * - `equal`, `equal_after_fees`: the sum of gross, or of gross less fees and tax
 * - `equal_before_refunds`, `equal_after_refunds`: the sum of gross with the refunded amount added or subtracted
 * - `equal_before_dispute`: the sum of gross with the disputed amount added, and perhaps the refunded one
 * - `refund`: only the refund is listed or, after a full refund (doc 2.5), the purchase or a sum of 0
 * - `not_settled`: no settled amount yet; it appears about two days later (doc 3.1)
 * - `unknown`: the charge names none, or no row is in its currency
 */
export function settledAgainstRows({ summary, order, status }: Charge, rows: readonly RowMoney[]) {
  const { settled, refunded, disputed, originalOrderTotal } = summary;
  const currency = settled?.currency ?? order.currency;
  const own = rows.filter(({ amount }) => amount.currency === currency);
  const scale = largestOf([settled?.scale ?? 0, ...own.map(({ amount }) => amount.scale)]);
  const minor = (money: Money | undefined) =>
    money?.currency === currency ? rescale(money.minor, money.scale, scale) : 0n;
  const gross = own.reduce((sum, { amount }) => sum + minor(amount), 0n);
  const charged = own.reduce((sum, { fees, tax }) => sum + minor(fees) + minor(tax), 0n);
  const money = (amount: bigint): Money => ({ minor: amount, scale, currency });
  const relation = () => {
    if (settled === undefined || own.length === 0) return 'unknown';
    const [at, back, original] = [minor(settled), minor(refunded), minor(originalOrderTotal)];
    if (gross === at) return 'equal';
    if (gross - charged === at) return 'equal_after_fees';
    if (gross === at - back) return 'equal_before_refunds';
    if (gross === at + back) return 'equal_after_refunds';
    const before = gross + minor(disputed);
    if (before === at || before === at - back) return 'equal_before_dispute';
    if (back !== 0n && gross === -back) return 'refund';
    if (status === 'refunded' && (gross === 0n || gross === original)) return 'refund';
    return at === 0n && status === 'completed' ? 'not_settled' : 'differs';
  };
  return {
    relation: relation(),
    settled: settled && money(minor(settled)),
    /** The gross of the rows in the charge's currency. */
    rows: money(gross),
    /** Settled − rows; absent if there is nothing to compare. */
    difference: settled && own.length > 0 ? money(minor(settled) - gross) : undefined,
    inOtherCurrency: rows.length - own.length,
  } as const;
}
