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
  settled: 'The funds are settled. This shows about two days after completion.',
  release: 'Release the order. The customer is not charged.',
  refunded: 'The payment was completed, settled, then refunded.',
  as_pending: 'The document does not name this status: treat it as a pending payment.',
};

/** The rule says no to every other status than `completed` (doc 3.3), which surprises. */
export function approvalText(status: string): string {
  if (isApproved(status)) return 'yes';
  return wasCompleted(status)
    ? 'no, by the rule that only "completed" is; the payment had been completed before'
    : 'no';
}

/** What has come of a charge and what to do, in a sentence or two. */
export function chargeAnswer({ id, status }: Charge): string {
  const approved = isApproved(status) ? ': the payment is approved' : '';
  return `Charge ${id} is ${status || 'without a status'}${approved}. ${handlingWords[chargeRule(status).handling]}`;
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
  equal_after_refunds: 'the settled amount equals its rows, the refunded amount taken into account',
  refund: 'its rows agree with the refund',
  not_settled: 'nothing is settled yet by the charge, though it has rows',
  unknown: 'there is nothing to compare',
  differs: 'the settled amount is not what its rows give',
};

/** How a charge agrees with its rows. Where not everything was read, a difference proves nothing. */
export function againstRowsRemark(one: SettledAgainstRows, complete: boolean): Remark {
  const { relation, settled, rows, difference, inOtherCurrency } = one;
  const amounts =
    settled && difference
      ? `: settled ${moneyText(settled)}, the rows give ${moneyText(rows)} ` +
        `(difference ${signedDigitsOf(difference)})`
      : '';
  const others =
    inOtherCurrency > 0 ? `; ${many(inOtherCurrency, 'row')} in another currency left out` : '';
  const doubt = complete ? '' : '; but not everything was read';
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

/** Empty where nobody says. */
export function yesOrNo(flag: boolean | undefined): string {
  if (flag === undefined) return '';
  return flag ? 'yes' : 'no';
}

/** What `recon charge` leaves open; nothing where it read everything that it looked for. */
export function chargeConclusion({ settled }: ChargeReport): readonly string[] {
  if (settled?.complete !== false) return [];
  return ['Not all settlements of the range were read whole: rows of the charges may be missing.'];
}
