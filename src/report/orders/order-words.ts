import { chargeStatus, type NumberedMatch, type OrdersReport } from '../../app/orders-report.ts';
import { addDays } from '../../base/calendar.ts';
import type { OrderMatch, OrderReason, OrderRow } from '../../match/orders/order-match.ts';
import { magnitude } from '../../money/money.ts';
import { answerBlock, facts, listed } from '../common/blocks.ts';
import {
  capitalised,
  cutTo,
  enumerate,
  many,
  moneyText,
  present,
  signedMoneyText,
} from '../common/phrase.ts';
import type { View } from '../common/view.ts';
import { orderStateWords } from './summary.ts';

/** Of some, with the amount by which what was paid is not what is ordered. */
const orderReasonWords: Readonly<Record<OrderReason, string | ((amount: string) => string)>> = {
  paid_before_range: 'paid before the range',
  only_refund: 'the files have only a refund of it',
  not_read: 'not everything could be read',
  no_refund_date: 'the file does not say when it was refunded',
  other_methods: 'its cell names several methods, and the file does not say what each paid',
  row_left_out: 'a transaction of it is of a type that does not count',
  surplus_refunded: (amount) => `paid more than once, and ${amount} was refunded`,
  lowered: (amount) => `lowered by ${amount} after the payment, and ${amount} was refunded`,
  refund_not_charged: (amount) => `${amount} of it was refunded by the shop and never charged`,
  net_of_chargeback: 'this is what is left after a chargeback',
  not_listed_yet: 'no settlement is listed that is late enough for it',
  several_payments: 'paid in full on several days: these may be payments of their own',
};

function reasonText({ reason, settled, expected = 0n, currency, scale }: OrderMatch) {
  const words = reason && orderReasonWords[reason];
  if (typeof words !== 'function') return words;
  return words(moneyText({ minor: magnitude(settled - expected), currency, scale }));
}

/** What is known of an order beside its amounts: texts without a full stop. */
export function orderTexts({ number, match }: NumberedMatch, report: OrdersReport) {
  const { payment, state, refund } = match;
  const status = chargeStatus(match, report);
  const money = moneyOf(match);
  return present(
    match.chargedBack !== 0n &&
      present(
        `settled ${money(match.settled)}`,
        match.refunded !== 0n && `refunded ${money(match.refunded)}`,
        `charged back ${money(match.chargedBack)}`,
      ).join(', '),
    payment !== undefined && state !== payment && `payment: ${orderStateWords[payment][0]}`,
    state === payment && refund !== 'none' && `refund: ${orderStateWords[refund][0]}`,
    reasonText(match),
    counterpartText(number, report),
    status && `its charge is ${status}: ${owedText(status)}`,
  );
}

/** What is suggested by an equal amount: nothing is matched by it. */
function counterpartText(number: number, { matching }: OrdersReport) {
  const found = matching.counterpart(number);
  if (found === undefined) return undefined;
  const { payment, reference, documents, rows } = matching.match(found);
  const [row] = rows;
  if (payment && matching.match(number).payment) {
    return `suggested: ${reference} differs by the same amount the other way; one payment may be for both`;
  }
  if (payment)
    return `perhaps the same: order ${reference} of ${documents[0]?.day} has this amount`;
  const noted = row?.reference ? ` (its reference: ${row.reference})` : '';
  return `perhaps the same: transaction ${row?.id} in the settlement of ${row?.settlement.date} has this amount${noted}`;
}

/** What the status of a charge means for a missing order (doc 3.1). */
function owedText(status: string): string {
  if (status === 'completed' || status === 'settled') return 'the service owes it';
  return status.startsWith('not_') ? 'the shop is wrong' : 'ask the service';
}

/** What is most likely behind a state that needs a decision. */
function likelyCause(
  { state, difference = 0n, rows, currency, ...match }: OrderMatch,
  until: string,
) {
  const money = moneyOf({ ...match, currency });
  const others = [...new Set(rows.map(({ kind }) => kind.currency))].filter(
    (one) => one !== currency,
  );
  const more = difference > 0n;
  const texts: Readonly<Partial<Record<OrderMatch['state'], string>>> = {
    conflicting: 'the order files have it twice, with different values',
    ambiguous: 'a transaction names this order and another',
    missing_in_settlements: `no transaction of the settlements until ${until} names it: it was not charged, or under another reference, or is settled later`,
    settled_twice: 'the customer was charged twice within a day, and not all of it was refunded',
    other_currency: `it was charged in ${enumerate(others)}`,
    amount_differs: more
      ? 'more was charged than the shop has: the order was lowered, or a refund is still to come'
      : 'less was charged than the shop has, or a refund is not in the shop',
    cancelled_but_settled: 'cancelled in the shop, and not refunded',
    unpaid_but_settled: 'the shop has it as unpaid, although it was charged',
    refund_missing: `the shop refunded ${money(match.refundedByShop ?? 0n)}, the service ${money(match.refunded)} in the settlements until ${until}: the refund comes later, failed, or was made elsewhere`,
  };
  return texts[state];
}

/** An order to decide: when it was sold, what of it is settled where, and what may be the cause. */
export function orderLines(one: NumberedMatch, report: OrdersReport): readonly string[] {
  const { match } = one;
  const { documents, due, net, refundedByShop = 0n, expected = 0n } = match;
  const money = moneyOf(match);
  const [first] = documents;
  const paid = first?.paidDay !== first?.day && first?.paidDay;
  const by = first && addDays(first.paidDay, report.settleDays);
  const twin = counterpartText(one.number, report);
  const cause = twin ?? likelyCause(match, report.until);
  const ordered =
    refundedByShop !== 0n &&
    ` (ordered ${money(expected)}, refunded by the shop ${money(refundedByShop)})`;
  return present(
    present(
      first && `sold on ${first.day}`,
      paid && `paid on ${paid}`,
      first?.method && `by ${first.method}`,
      by && `expected in a settlement by ${by}`,
    ).join(', '),
    `expected ${money(due)}${ordered || ''}, settled ${money(net)}`,
    ...rowTexts(match),
    cause && `Likely cause: ${cause}.`,
    ...orderTexts(one, report).flatMap((text) => (text === twin ? [] : `${capitalised(text)}.`)),
  );
}

const mostRows = 4;

/** `payment of 135.00 USD in settlement 52ce… of 2026-03-12`. */
function rowTexts({ rows }: OrderMatch): readonly string[] {
  const sides: Readonly<Record<OrderRow['side'], string>> = {
    purchase: 'payment',
    refund: 'refund',
    chargeback: 'chargeback',
    other: 'transaction that does not count',
  };
  const texts = rows.map(({ side, amount: minor, scale, kind: { currency }, settlement }) => {
    const money = moneyText({ minor, scale, currency });
    return `${sides[side]} of ${money} in settlement ${settlement.id} of ${settlement.date}`;
  });
  return cutTo(mostRows, texts, (count) => many(count, 'more transaction'));
}

function moneyOf({ currency, scale }: Pick<OrderMatch, 'currency' | 'scale'>) {
  return (minor: bigint) => moneyText({ minor, currency, scale });
}

/** What to send to the provider about an order. */
export function orderRequest({ match }: NumberedMatch): View {
  const { reference, state, documents, due, net, difference = 0n, currency, scale } = match;
  const money = moneyOf(match);
  const [words, tone] = orderStateWords[state];
  const ids = [
    ...documents.map(({ chargeId }) => chargeId),
    ...match.rows.map(({ chargeId }) => chargeId),
  ];
  const off = signedMoneyText({ minor: difference, currency, scale });
  const ask =
    state === 'missing_in_settlements'
      ? 'Please tell us whether it was charged, and in which settlement it is.'
      : 'Please tell us why, or correct it.';
  return [
    answerBlock(
      `Order ${reference}: ${words}`,
      tone,
      `Expected ${money(due)}, settled ${money(net)}: difference ${off}.`,
    ),
    facts([
      ['Reference', reference],
      ['Sold on', documents[0]?.day],
      ['chargeId', enumerate([...new Set(ids)].filter(Boolean))],
    ]),
    ...listed('Settled', rowTexts(match)),
    ...listed('Our request', [ask]),
  ];
}
