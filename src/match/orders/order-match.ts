import type { AcceptedOrder } from '../../model/accepted-difference.ts';
import type { OrderDocument } from '../../model/orders.ts';
import type { RowKind } from '../../model/row-batch.ts';
import type { Settlement } from '../../model/settlement.ts';
import type { Acceptance } from '../../reconcile/acceptance.ts';

/** The keys by which a row names its order, the strongest first; the last two through another row. */
export const orderKeys = ['reference', 'charge_id', 'charge_of_row', 'order_id_of_row'] as const;

export type OrderKey = (typeof orderKeys)[number];

/**
 * The state of the payment of an order, the first that applies. Where what is settled, less refunds and chargebacks,
 * is what the shop expects, less its refunds, an order is settled, however that came about:
 * - `conflicting`: one of its documents occurs with different values
 * - `ambiguous`: the keys of a row name this order and another
 * - `out_of_scope`: the service does not pay its method, and no row names it
 * - `other_currency`: a row of it is in another currency
 * - `cancelled`, `cancelled_but_settled`: cancelled, but paid; refunded in full, or not
 * - `unpaid_but_settled`: pending or failed in the shop, but paid
 * - `nothing_due`: nothing to pay, and no row names it
 * - `not_covered`: no row pays it, and it was paid before the range, or the file has only a refund of it
 * - `in_transit`, `missing_in_settlements`: no row pays it yet; within the usual days, or after
 * - `settled`, `settled_in_parts`: paid in full by one row, or by several
 * - `pending`: as these, and one of the settlements is pending
 * - `settled_twice`: paid in full more than once, within a day, and not all that is too much was refunded
 * - `small_difference`: paid but for a difference that the settings allow
 * - `partly_settled`, `amount_differs`: not paid in full yet; or any other amount
 */
export type PaymentState =
  | 'conflicting'
  | 'ambiguous'
  | 'out_of_scope'
  | 'other_currency'
  | 'cancelled'
  | 'cancelled_but_settled'
  | 'unpaid_but_settled'
  | 'nothing_due'
  | 'not_covered'
  | 'in_transit'
  | 'missing_in_settlements'
  | 'settled'
  | 'settled_in_parts'
  | 'pending'
  | 'settled_twice'
  | 'small_difference'
  | 'partly_settled'
  | 'amount_differs';

/**
 * The state of the refunds of an order:
 * - `none`, `refunded`, `refunded_in_part`: the shop and the rows agree
 * - `refund_in_transit`, `refund_missing`: the shop has more, of the last days or longer ago
 * - `refund_unknown`: the rows have more
 * - `charged_back`: the customer's bank took money back
 */
export type RefundState =
  | 'none'
  | 'refunded'
  | 'refunded_in_part'
  | 'refund_in_transit'
  | 'refund_missing'
  | 'refund_unknown'
  | 'charged_back';

/** A purchase on a day of the files that no order explains; a refund; a row of an older or newer order. */
export type RowState = 'unknown_to_shop' | 'refund_unknown' | 'not_covered' | 'ambiguous';

/** The state of an order or a row in reports: the worse of the two, or `accepted` if a person has accepted its difference. */
export type OrderState = PaymentState | Exclude<RefundState, 'none'> | RowState | 'accepted';

/** States that need a decision, the most urgent first. */
export const openOrderStates = [
  'conflicting',
  'ambiguous',
  'missing_in_settlements',
  'settled_twice',
  'other_currency',
  'amount_differs',
  'cancelled_but_settled',
  'unpaid_but_settled',
  'refund_missing',
] as const satisfies readonly OrderState[];

/** States unknown to the shop, and those outside the range. */
export const asideStates = [
  'charged_back',
  'refund_unknown',
  'unknown_to_shop',
  'not_covered',
] as const satisfies readonly OrderState[];

/** States that only time can change. */
export const waitingOrderStates = [
  'in_transit',
  'partly_settled',
  'refund_in_transit',
  'pending',
] as const satisfies readonly OrderState[];

const urgent: readonly OrderState[] = [...openOrderStates, ...asideStates, ...waitingOrderStates];

/** States that settlements of later days may change. */
export const undecidedByLater = [
  ...(['missing_in_settlements', 'settled_twice', 'amount_differs'] as const),
  ...(['cancelled_but_settled', 'unpaid_but_settled', 'refund_missing'] as const),
  ...(['in_transit', 'partly_settled', 'refund_in_transit'] as const),
] as const satisfies readonly OrderState[];

/** All states, the most urgent first. */
export const orderStates: readonly OrderState[] = [
  ...urgent,
  ...(['small_difference', 'accepted'] as const),
  ...(['settled', 'settled_in_parts', 'refunded', 'refunded_in_part'] as const),
  ...(['cancelled', 'nothing_due', 'out_of_scope'] as const),
];

/** The worse of two states; the payment's if both are in order. */
export function worseOf(payment: PaymentState, refund: RefundState): OrderState {
  return urgent.find((state) => state === payment || state === refund) ?? payment;
}

/**
 * What is behind a state:
 * - `row_left_out`: a row of the order is of a type that does not count
 * - `surplus_refunded`, `lowered`: more was paid than is expected now, and refunded; of several payments, or of one
 * - `refund_not_charged`: what the shop refunded was never charged
 * - `net_of_chargeback`: what is expected is left after a chargeback
 * - `several_payments`: paid in full on several days
 * - `other_methods`: it was paid by other methods too, and the file does not say how much
 * - `not_listed_yet`: no settlement is listed that is late enough for it
 */
export type OrderReason =
  | ('paid_before_range' | 'only_refund' | 'not_read' | 'no_refund_date' | 'row_left_out')
  | ('surplus_refunded' | 'lowered' | 'refund_not_charged' | 'net_of_chargeback')
  | ('several_payments' | 'other_methods' | 'not_listed_yet');

/** What a row does for its order; `other` is of a type that does not count. */
export type RowSide = 'purchase' | 'refund' | 'chargeback' | 'other';

export interface OrderRow {
  readonly id: string;
  readonly chargeId: string;
  /** The merchant's reference, of a row that its own keys join to no order, or to several. */
  readonly reference: string;
  readonly settlement: Settlement;
  readonly kind: RowKind;
  readonly side: RowSide;
  readonly by: OrderKey | undefined;
  /** Minor units at `scale`, that of the match if it is in its currency: what it adds to what is settled. */
  readonly amount: bigint;
  readonly scale: number;
  /** Milliseconds since 1970; NaN if its timestamp has another form. */
  readonly moment: number;
}

/** An order with its rows, or a row without an order. Amounts are minor units at `scale`. */
export interface OrderMatch {
  /** Empty for a row. */
  readonly reference: string;
  readonly account: string;
  readonly documents: readonly OrderDocument[];
  readonly rows: readonly OrderRow[];
  /** The worse of the two states below; of a row, its state. */
  readonly state: OrderState;
  readonly payment: PaymentState | undefined;
  readonly refund: RefundState;
  readonly reason: OrderReason | undefined;
  /** The weakest of the keys by which its rows were found. */
  readonly by: OrderKey | undefined;
  readonly currency: string;
  readonly scale: number;
  /** What the shop expects, and what it refunded. */
  readonly expected: bigint | undefined;
  readonly refundedByShop: bigint | undefined;
  /** The amount still due, with which the rows are compared. */
  readonly due: bigint;
  /** Purchases, refunds and chargebacks of its rows, each positive. */
  readonly settled: bigint;
  readonly refunded: bigint;
  readonly chargedBack: bigint;
  /** Settled − refunded − charged back. */
  readonly net: bigint;
  /** The net less what is due; undefined for a row. */
  readonly difference: bigint | undefined;
  /** If its difference is in the register. */
  readonly acceptance: Acceptance<AcceptedOrder> | undefined;
  /** Days from its payment to the end of the range; undefined for a row. */
  readonly ageDays: number | undefined;
}
