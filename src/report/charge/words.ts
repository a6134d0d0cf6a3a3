import type { Charge, ProcessingResponse, SummaryAmount } from '../../model/charge.ts';
import {
  type ChargeOutcome,
  chargeRule,
  type Handling,
  isApproved,
  type SettledAgainstRows,
  type SettledRelation,
  wasCompleted,
} from '../../reconcile/charges.ts';
import { capitalised, many, moneyText, signedDigitsOf } from '../common/phrase.ts';
import type { Remark, Tone } from '../common/view.ts';
import type { ChargeReport } from './report.ts';

export const outcomeWords: Readonly<Record<ChargeOutcome, string>> = {
  in_progress: 'in progress',
  success: 'success',
  failure: 'failure',
  refunded: 'refunded',
};

export const outcomeTones: Readonly<Record<ChargeOutcome, Tone>> = {
  in_progress: 'unsure',
  success: 'good',
  failure: 'bad',
  refunded: 'plain',
};

/** What the merchant is to do (doc 3.1). */
export const handlingWords: Readonly<Record<Handling, string>> = {
  hold: 'Hold the order.',
  hold_until_timeout: 'Hold the order; release it when your own payment timeout elapses.',
  fulfil: 'Fulfil the order.',
  settled: 'The funds are settled, about two days after completion.',
  release: 'Release the order. The customer is not charged.',
  refunded: 'The payment was completed, settled, then refunded.',
  as_pending: 'Unknown status: treat it as a pending payment.',
};

/** The rule says no to every other status than `completed` (doc 3.3), which surprises. */
export function approvalText(status: string): string {
  if (isApproved(status)) return 'yes';
  return wasCompleted(status)
    ? 'no: only "completed" counts as approved; the payment was completed earlier'
    : 'no';
}

/** The outcome of a charge and what to do, in a sentence or two. */
export function chargeAnswer({ id, status }: Charge): string {
  const approved = isApproved(status) ? ': the payment is approved' : '';
  return `Charge ${id} ${status === '' ? 'has no status' : `is ${status}`}${approved}. ${handlingWords[chargeRule(status).handling]}`;
}

/** The amounts of a charge as the service names them (doc 2.5). */
export const summaryFields: Readonly<Record<SummaryAmount, string>> = {
  originalOrderTotal: 'original_order_total',
  currentOrderTotal: 'current_order_total',
  completed: 'completed_amount',
  refunded: 'refunded_amount',
  settled: 'settled_amount',
  canceled: 'canceled_amount',
  disputed: 'disputed_amount',
  reconciled: 'reconciled_amount',
  reversed: 'reversed_amount',
};

/** `settled_amount` as `Settled`. */
export function summaryWords(key: SummaryAmount): string {
  return capitalised(summaryFields[key].replace('_amount', '').replaceAll('_', ' '));
}

/** Stands over everything that a customer must not be shown (doc 7.3). */
export const notForCustomers = 'not for customers';

const relationWords: Readonly<Record<SettledRelation, string>> = {
  equal: 'the settled amount equals the gross of its rows',
  equal_after_fees: 'the settled amount equals its rows after fees and tax',
  equal_after_refunds: 'the settled amount equals its rows after refunds',
  refund: 'its rows agree with the refund',
  not_settled: 'the charge shows no settled amount yet, but it has rows',
  unknown: 'nothing to compare',
  differs: 'the settled amount differs from its rows',
};

/** How a charge compares with its rows. If not everything was read, a difference proves nothing. */
export function againstRowsRemark(one: SettledAgainstRows, complete: boolean): Remark {
  const { relation, settled, rows, difference, inOtherCurrency } = one;
  const amounts =
    settled && difference
      ? `: settled ${moneyText(settled)}, rows ${moneyText(rows)} ` +
        `(difference ${signedDigitsOf(difference)})`
      : '';
  const others =
    inOtherCurrency > 0 ? `; ${many(inOtherCurrency, 'row')} in another currency not included` : '';
  const doubt = complete ? '' : '; not everything was read';
  const text = `${relationWords[relation]}${amounts}${others}${doubt}`;
  if (!complete) return { mark: '?', tone: 'unsure', text };
  return relation === 'differs'
    ? { mark: '!', tone: 'bad', text }
    : { mark: '=', tone: 'plain', text };
}

/** A processor's answer, in the order of doc 2.2, with what is there. */
export function responseFields(one: ProcessingResponse) {
  return {
    psp_id: one.pspId,
    type: one.type,
    status_code: one.statusCode,
    authorization_id: one.authorizationId,
    acquirer_response_code: one.acquirerResponseCode,
    network_unique_id: one.networkUniqueId,
    psp_error: one.error,
  };
}

/** Empty if not stated. */
export function yesOrNo(flag: boolean | undefined): string {
  if (flag === undefined) return '';
  return flag ? 'yes' : 'no';
}

/** What `recon charge` leaves open; nothing where it read everything that it looked for. */
export function chargeConclusion({ settled }: ChargeReport): readonly string[] {
  if (settled?.complete !== false) return [];
  return [
    'Some settlements of the range were not fully read, so rows of the charges may be missing.',
  ];
}
