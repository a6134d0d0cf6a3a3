import type { OrderKey, OrderReason, OrderState } from '../../match/orders/order-match.ts';
import type { UnreadableLine } from '../../model/orders.ts';
import type { Tone } from '../common/view.ts';

/** Where an order or a row stands, in a word or two, and how that is meant. */
export const orderStateWords: Readonly<Record<OrderState, readonly [words: string, tone: Tone]>> = {
  conflicting: ['conflicting', 'unsure'],
  ambiguous: ['several possible', 'unsure'],
  missing_in_settlements: ['missing', 'bad'],
  settled_twice: ['settled twice', 'bad'],
  other_currency: ['other currency', 'bad'],
  amount_differs: ['amount differs', 'bad'],
  cancelled_but_settled: ['cancelled, but settled', 'bad'],
  unpaid_but_settled: ['unpaid, but settled', 'bad'],
  refund_missing: ['refund missing', 'bad'],
  charged_back: ['charged back', 'unsure'],
  refund_unknown: ['refund unknown', 'unsure'],
  unknown_to_shop: ['unknown to the shop', 'unsure'],
  not_covered: ['not covered', 'unsure'],
  in_transit: ['in transit', 'plain'],
  partly_settled: ['partly settled', 'plain'],
  refund_in_transit: ['refund in transit', 'plain'],
  pending: ['pending', 'plain'],
  settled: ['settled', 'good'],
  settled_in_parts: ['settled in parts', 'good'],
  refunded: ['refunded', 'good'],
  refunded_in_part: ['refunded in part', 'good'],
  cancelled: ['cancelled', 'quiet'],
  nothing_due: ['nothing due', 'quiet'],
  out_of_scope: ['other method', 'quiet'],
};

/** How an order in a state is told: `1 is missing`, `2 are missing`. */
export const orderStatePhrases: Readonly<
  Partial<Record<OrderState, readonly [one: string, several: string]>>
> = {
  conflicting: ['has conflicting lines', 'have conflicting lines'],
  ambiguous: ['has several possible matches', 'have several possible matches'],
  missing_in_settlements: ['is missing', 'are missing'],
  settled_twice: ['is settled twice', 'are settled twice'],
  other_currency: ['is settled in another currency', 'are settled in other currencies'],
  amount_differs: ['has another amount', 'have other amounts'],
  cancelled_but_settled: ['is cancelled, but settled', 'are cancelled, but settled'],
  unpaid_but_settled: ['is unpaid, but settled', 'are unpaid, but settled'],
  refund_missing: ['lacks a refund', 'lack refunds'],
  charged_back: ['is charged back', 'are charged back'],
  refund_unknown: ['has a refund unknown to the shop', 'have refunds unknown to the shop'],
};

/** What a row and its order have in common. */
export const orderKeyWords: Readonly<Record<OrderKey, string>> = {
  reference: 'reference',
  charge_id: 'charge',
  charge_of_row: 'charge of another row',
  order_id_of_row: 'order id of another row',
};

export const orderReasonWords: Readonly<Record<OrderReason, string>> = {
  paid_before_range: 'paid before the range',
  only_refund: 'the files have only a refund of it',
  not_read: 'not everything could be read',
  no_refund_date: 'the file does not say when it was refunded',
};

/** What is wrong in a line, and where. Nothing of the line is told. */
export function unreadableLineText({ place, column, expected }: UnreadableLine): string {
  return `${place.file}:${place.line}: ${column} cannot be read: expected ${expected}`;
}
