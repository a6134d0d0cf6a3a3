import type { ChargeRows } from '../../app/find-charge-rows.ts';
import type { Charge } from '../../model/charge.ts';
import {
  type ChargeOutcome,
  type ChargeRemark,
  chargeRule,
  type Handling,
  isApproved,
  remarksOnCharge,
  type SettledAgainstRows,
  settledAgainstRows,
} from '../../reconcile/charges.ts';
import { alarm, plain, unsure } from '../common/blocks.ts';
import { grouped, many, moneyText, signedDigitsOf } from '../common/phrase.ts';
import type { Remark, Tone } from '../common/view.ts';

const outcomeTones: Readonly<Record<ChargeOutcome, Tone>> = {
  in_progress: 'unsure',
  success: 'good',
  failure: 'bad',
  refunded: 'plain',
};

/** A charge whose figures deny its status is nothing to rely on. */
export function chargeTone(charge: Charge): Tone {
  const isOdd = remarksOnCharge(charge).length > 0;
  return isOdd ? 'unsure' : outcomeTones[chargeRule(charge.status).outcome];
}

/** What the merchant is to do (doc 3.1). */
const handlingWords: Readonly<Record<Handling, string>> = {
  hold: 'Hold the order.',
  hold_until_timeout: 'Hold the order; release it when your own payment timeout elapses.',
  fulfil: 'Fulfil the order.',
  settled: 'The funds are settled, about two days after completion.',
  release: 'Release the order. The customer is not charged.',
  refunded: 'The payment was completed, settled, then refunded.',
  as_pending: 'Unknown status: treat it as a pending payment.',
};

/** What to do where a charge's own figures deny its status. */
const remarkWords: Readonly<Record<ChargeRemark, string>> = {
  partial_refund:
    "Partly refunded, by its amounts; the service's document describes full refunds only. Ask the service.",
  completed_but_not_approved:
    'The payment failed, but an amount is completed: the customer may have been charged. Ask the service before releasing the order.',
  refund_event: 'The last event is a refund: ask the service before fulfilling the order.',
};

/** What the merchant is to do, unless the charge's own figures deny it. */
export function handlingText(charge: Charge): string {
  const [remark] = remarksOnCharge(charge);
  return remark ? remarkWords[remark] : handlingWords[chargeRule(charge.status).handling];
}

/** The outcome of a charge and what to do, in a sentence or two. */
export function chargeAnswer(charge: Charge): string {
  const { id, status } = charge;
  const is = status === '' ? 'has no status' : `is ${status}`;
  const approved = isApproved(status) ? ': the payment is approved' : '';
  return `Charge ${id} ${is}${approved}. ${handlingText(charge)}`;
}

const relationWords: Readonly<Record<SettledAgainstRows['relation'], string>> = {
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
        `(difference ${grouped(signedDigitsOf(difference))})`
      : '';
  const others =
    inOtherCurrency > 0 ? `; ${many(inOtherCurrency, 'row')} in another currency not included` : '';
  const text = `${relationWords[relation]}${amounts}${others}`;
  if (!complete) return unsure(`${text}; not everything was read`);
  return relation === 'differs' ? alarm(text) : plain(text, '=');
}

/** A charge's rows in the settlements that were searched, and its settled amount against them. */
export function againstRows(charge: Charge, { rows }: ChargeRows) {
  const own = rows.get(charge.id.toLowerCase()) ?? [];
  const compared = settledAgainstRows(
    charge,
    own.map(({ row }) => row),
  );
  return { own, compared };
}

/** Empty if not stated. */
export function yesOrNo(flag: boolean | undefined): string {
  if (flag === undefined) return '';
  return flag ? 'yes' : 'no';
}
