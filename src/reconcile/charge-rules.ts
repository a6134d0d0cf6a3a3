/** What a charge has come to. */
export type ChargeOutcome = 'in_progress' | 'success' | 'failure' | 'refunded';

/** What the merchant is to do with the order. */
export type Handling =
  | 'hold'
  /** Hold; release when the merchant's own payment timeout elapses. */
  | 'hold_until_timeout'
  | 'fulfil'
  /** Funds settled; normally seen about two days after completion. */
  | 'settled'
  /** Release the order; the customer is not charged. */
  | 'release'
  /** The payment was completed, settled, then refunded. */
  | 'refunded'
  /** Not named in the document: treat it as a pending payment. */
  | 'as_pending';

export interface ChargeRule {
  readonly outcome: ChargeOutcome;
  /** Whether a webhook is sent unless the merchant configures otherwise. */
  readonly webhookByDefault: boolean;
  readonly handling: Handling;
}

const rule = (
  outcome: ChargeOutcome,
  webhook: 'webhook' | 'no webhook',
  handling: Handling,
): ChargeRule => ({ outcome, webhookByDefault: webhook === 'webhook', handling });

/** The table of doc 3.1. */
const rules: ReadonlyMap<string, ChargeRule> = new Map([
  ['created', rule('in_progress', 'webhook', 'hold')],
  ['pending_validation', rule('in_progress', 'no webhook', 'hold_until_timeout')],
  ['validated', rule('in_progress', 'no webhook', 'hold_until_timeout')],
  ['pending_authorisation', rule('in_progress', 'no webhook', 'hold_until_timeout')],
  ['authorised', rule('in_progress', 'no webhook', 'hold_until_timeout')],
  ['pending_completion', rule('in_progress', 'no webhook', 'hold_until_timeout')],
  ['completed', rule('success', 'webhook', 'fulfil')],
  ['settled', rule('success', 'no webhook', 'settled')],
  ['settled_out_of_balance', rule('success', 'no webhook', 'settled')],
  ['not_created', rule('failure', 'webhook', 'release')],
  ['not_validated', rule('failure', 'webhook', 'release')],
  ['not_authorised', rule('failure', 'webhook', 'release')],
  ['not_completed', rule('failure', 'webhook', 'release')],
  ['cancelled', rule('failure', 'webhook', 'release')],
  ['refunded', rule('refunded', 'webhook', 'refunded')],
]);

const anyOther = rule('in_progress', 'no webhook', 'as_pending');

/** What a status means. One that the document doesn't name is a pending payment. */
export function chargeRule(status: string): ChargeRule {
  return rules.get(status) ?? anyOther;
}

/** Whether a payment is approved: exactly when its status is `completed` (doc 3.3). */
export function isApproved(status: string): boolean {
  return status === 'completed';
}

/** Whether a payment is not approved any more, because it went on from there (doc 3.1, 3.2). */
export function wasCompleted(status: string): boolean {
  const { outcome } = chargeRule(status);
  return !isApproved(status) && (outcome === 'success' || outcome === 'refunded');
}
