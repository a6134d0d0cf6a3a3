import type { ChargeRows } from '../../app/find-charge-rows.ts';
import type { Charge, SummaryAmount } from '../../model/charge.ts';
import type { Money } from '../../money/money.ts';
import {
  type ChargeOutcome,
  type ChargeRemark,
  chargeRemarks,
  chargeRule,
  type Handling,
  isApproved,
  type SettledAgainstRows,
  settledAgainstRows,
  wasCompleted,
} from '../../reconcile/charges.ts';
import { alarm, plain, unsure } from '../common/blocks.ts';
import { capitalised, many, moneyText, signedDigitsOf } from '../common/phrase.ts';
import type { Remark, Tone } from '../common/view.ts';

const outcomeTones: Readonly<Record<ChargeOutcome, Tone>> = {
  in_progress: 'unsure',
  success: 'good',
  failure: 'bad',
  refunded: 'plain',
};

/** A charge whose figures deny its status is nothing to rely on. */
export function chargeTone(charge: Charge): Tone {
  const isOdd = chargeRemarks(charge).length > 0;
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

const remarkWords: Readonly<
  Record<ChargeRemark, (of: Record<'original' | 'completed' | 'refunded', string>) => string>
> = {
  partial_refund: ({ original, completed, refunded }) =>
    `The amounts are not those of a full refund: ${refunded} of ${original} refunded, ${completed} ` +
    "completed. The service's document describes full refunds only: ask the service.",
  completed_but_not_approved: ({ completed }) =>
    `The payment failed, but ${completed} is completed: the customer may have been charged. Ask ` +
    'the service before releasing the order.',
  refund_event: () => 'The last event is a refund. Ask the service before fulfilling the order.',
};

/** What the merchant is to do, unless the charge's own figures deny it: then what they say. */
export function handlingText(charge: Charge): string {
  const { originalOrderTotal, completed, refunded } = charge.summary;
  const text = (money: Money | undefined) => (money ? moneyText(money) : 'an unknown amount');
  const amounts = { original: text(originalOrderTotal), completed: text(completed) };
  const [remark] = chargeRemarks(charge);
  if (remark) return remarkWords[remark]({ ...amounts, refunded: text(refunded) });
  return handlingWords[chargeRule(charge.status).handling];
}

/** The outcome of a charge, as a headline. */
export function chargeHeadline(charge: Charge): string {
  const isPart = chargeRemarks(charge)[0] === 'partial_refund';
  const outcome = isPart ? 'partly_refunded' : chargeRule(charge.status).outcome;
  return outcome.replace('_', ' ').toUpperCase();
}

/** The rule says no to every other status than `completed` (doc 3.3), which surprises. */
export function approvalText(status: string): string {
  if (isApproved(status)) return 'yes';
  return wasCompleted(status)
    ? 'no: only "completed" counts as approved; the payment was completed earlier'
    : 'no';
}

/** The outcome of a charge and what to do, in a sentence or two. */
export function chargeAnswer(charge: Charge): string {
  const { id, status } = charge;
  const is = status === '' ? 'has no status' : `is ${status}`;
  const approved = isApproved(status) ? ': the payment is approved' : '';
  return `Charge ${id} ${is}${approved}. ${handlingText(charge)}`;
}

/** An amount of a charge as the service names it (doc 2.5): `settled_amount`, `current_order_total`. */
export function summaryField(key: SummaryAmount): string {
  const name = key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return name.endsWith('_total') ? name : `${name}_amount`;
}

/** `settled_amount` as `Settled`. */
export function summaryWords(key: SummaryAmount): string {
  return capitalised(summaryField(key).replace('_amount', '').replaceAll('_', ' '));
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
        `(difference ${signedDigitsOf(difference)})`
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
