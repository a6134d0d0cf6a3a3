import { daysBetween, isDayIn } from '../../base/calendar.ts';
import { inOrderOf } from '../../base/texts.ts';
import { type AcceptedOrder, orderKey } from '../../model/accepted-difference.ts';
import type { OrderDocument, Orders } from '../../model/orders.ts';
import type { RowKind } from '../../model/row-batch.ts';
import type { Settlement } from '../../model/settlement.ts';
import type { DateRange } from '../../model/source.ts';
import { minorUnitsOf } from '../../money/minor-units.ts';
import { magnitude, rescale, sumAt } from '../../money/money.ts';
import {
  type Acceptance,
  type AcceptedDifferences,
  acceptanceBy,
} from '../../reconcile/acceptance.ts';
import { rowDay } from '../../reconcile/agreed/price.ts';
import { serviceSays } from '../../reconcile/verdict.ts';
import {
  asideStates,
  type OrderKey,
  type OrderMatch,
  type OrderReason,
  type OrderRow,
  type OrderState,
  openOrderStates,
  orderKeys,
  type PaymentState,
  type RefundState,
  type RowSide,
  type RowState,
  worseOf,
} from './order-match.ts';
import type { OrderRows } from './order-rows.ts';

/** The days by which orders are judged. */
interface OrderDays {
  /** The days whose settlements were read. */
  readonly range: DateRange;
  /** The last of these days that could be read. */
  readonly lastDay: string;
  /** Orders paid on this day or before should be settled by then. */
  readonly lateDay: string;
  /** The same for orders of an account in a currency, by the newest settlement that is listed for them. */
  readonly lateDayOf: (currency: string, account: string) => string;
  /** Whether all rows and all lines were read; if not, no order counts as missing. */
  readonly isWhole: boolean;
}

/** The orders, their rows, and the decimal places of each currency. */
export interface OrderCase {
  readonly orders: Orders;
  readonly rows: OrderRows;
  readonly days: OrderDays;
  readonly timeZone: string;
  readonly scales: ReadonlyMap<string, number>;
  /** By currency: the largest difference that needs no decision, in minor units by ISO 4217. */
  readonly tolerances: ReadonlyMap<string, number>;
  /** The register; absent without one. */
  readonly accepted: AcceptedDifferences | undefined;
}

/** An order with its rows, and the states of its payment and its refunds. */
export function judgeOrder(
  order: number,
  { orders, rows, days, scales, tolerances, accepted }: OrderCase,
): OrderMatch {
  const documents = orders.documents(order);
  const currency = documents[0]?.currency ?? '';
  const scale = scales.get(currency) ?? 0;
  const all: OrderRow[] = [];
  for (const row of rows.of(order)) all.push(new MatchedRow(row, rows, scales));
  if (all.length > 1) all.sort(inOrderOf(({ settlement, id }) => [settlement.date, id]));
  const own = all.filter(({ side }) => side !== 'other');
  // Amounts of two currencies are not added up, not even of an order that conflicts.
  const comparable = documents.filter((one) => one.currency === currency);
  const bill = billOf(comparable, { hasRows: own.length > 0, scale });
  const sums = rowSums(own, currency);
  const due = bill.expected - bill.refunded;
  const net = netOf(sums);
  const difference = net - due;
  const left = withoutUndone(bill, sums, difference);
  const allowed = BigInt(tolerances.get(currency) ?? 0);
  const tolerance = rescale(allowed, minorUnitsOf(currency) ?? 2, scale);
  const [reference, account] = [orders.reference(order), orders.account(order)];
  const lateDay = days.lateDayOf(currency, account);
  const subject = { rows: own, bill, sums, left, difference, tolerance, days, lateDay, currency };
  const isConflicting = orders.isConflicting(order) || comparable.length < documents.length;
  const { payment, reason } = isConflicting
    ? { payment: 'conflicting' as const }
    : rows.isAmbiguous(order)
      ? { payment: 'ambiguous' as const }
      : paymentOf(subject);
  const { refund, why } = refundOf(subject, payment);
  const worse = worseOf(payment, refund);
  // Of a payment that is not read, nothing is known: its refund alone differs.
  const isOfRefund = payment === 'not_covered' && refund === 'refund_missing';
  const unread = isOfRefund ? bill.expected - bill.refundsOn((day) => day < days.range.from) : 0n;
  const told = difference + unread;
  const acceptance = acceptanceOf(
    { reference, account, currency, scale, difference: told },
    accepted,
  );
  const isAccepted = acceptance?.state === 'accepted' && needsDecision.includes(worse);
  const isUnclear = difference !== 0n && documents.some((one) => one.hasOtherMethods);
  const unclear = isUnclear ? 'other_methods' : undefined;
  const weakest = own.reduce((most, { by }) => Math.max(most, by ? orderKeys.indexOf(by) : 0), 0);
  return {
    reference,
    account,
    documents,
    rows: own,
    state: isAccepted ? 'accepted' : worse,
    payment,
    refund,
    reason: all.length > own.length ? 'row_left_out' : (reason ?? why ?? unclear),
    by: own.length === 0 ? undefined : orderKeys[weakest],
    currency,
    scale,
    expected: bill.expected,
    refundedByShop: bill.refunded,
    due,
    ...sums,
    net,
    difference: told,
    acceptance,
    ageDays: Math.max(0, daysBetween(bill.paidDay, days.lastDay)),
  };
}

const needsDecision: readonly OrderState[] = [...openOrderStates, ...asideStates];

function acceptanceOf(
  one: Pick<OrderMatch, 'reference' | 'account' | 'currency' | 'scale'> & {
    readonly difference: bigint;
  },
  accepted: AcceptedDifferences | undefined,
): Acceptance<AcceptedOrder> | undefined {
  if (!accepted || accepted.orders.size === 0) return undefined;
  const { reference, account, currency } = one;
  // A line without an account is about the order of any shop.
  const [line] = [account, ''].flatMap(
    (one) => accepted.orders.get(orderKey(one, reference)) ?? [],
  );
  if (!line) return undefined;
  const scale = Math.max(one.scale, line.scale);
  const amount = (minor: bigint, from: number) => ({ minor: rescale(minor, from, scale), scale });
  const before = amount(line.settled - line.expected, line.scale);
  const fields = [
    { field: 'currency', before: line.currency, after: currency },
    { field: 'difference', before, after: amount(one.difference, one.scale) },
  ];
  return acceptanceBy(line, fields, accepted.today);
}

/** A row without an order, or whose keys name several. */
export function judgeRow(row: number, isAmbiguous: boolean, all: OrderCase): OrderMatch {
  const matched = new MatchedRow(row, all.rows, all.scales);
  const { currency } = matched.kind;
  const sums = rowSums([matched], currency);
  return {
    reference: '',
    account: '',
    documents: [],
    rows: [matched],
    state: isAmbiguous ? 'ambiguous' : stateOfRow(row, all),
    payment: undefined,
    refund: 'none',
    reason: undefined,
    by: undefined,
    currency,
    scale: all.scales.get(currency) ?? 0,
    expected: undefined,
    refundedByShop: undefined,
    due: 0n,
    ...sums,
    net: netOf(sums),
    difference: undefined,
    acceptance: undefined,
    ageDays: undefined,
  };
}

function stateOfRow(row: number, { orders, rows, timeZone }: OrderCase): RowState {
  const { days } = orders;
  const day = rowDay(rows.timestamp(row), timeZone);
  // A line that cannot be read may be its order.
  if (!days || !isDayIn(days, day) || orders.unreadableLines > 0) return 'not_covered';
  if (rows.side(row) === 'purchase') return 'unknown_to_shop';
  const isUnknown = rows.side(row) === 'refund' && orders.hasRefundLines;
  return isUnknown ? 'refund_unknown' : 'not_covered';
}

class MatchedRow implements OrderRow {
  readonly kind: RowKind;
  readonly settlement: Settlement;
  readonly side: RowSide;
  readonly by: OrderKey | undefined;
  readonly amount: bigint;
  readonly scale: number;
  readonly moment: number;
  readonly #row: number;
  readonly #rows: OrderRows;

  constructor(row: number, rows: OrderRows, scales: ReadonlyMap<string, number>) {
    this.kind = rows.kind(row);
    this.settlement = rows.settlement(row);
    this.side = rows.side(row);
    this.by = rows.by(row);
    this.moment = rows.moment(row);
    const { currency, scale } = this.kind;
    this.scale = scales.get(currency) ?? scale;
    this.amount = rescale(rows.amount(row), scale, this.scale);
    this.#row = row;
    this.#rows = rows;
  }

  // Few ids are looked at.
  get id(): string {
    return this.#rows.id(this.#row);
  }

  get chargeId(): string {
    return this.#rows.chargeId(this.#row);
  }

  get reference(): string {
    return this.#rows.reference(this.#row);
  }
}

/** The totals of rows in a currency, each side positive. */
function rowSums(rows: readonly OrderRow[], currency: string) {
  const sum = { purchase: 0n, refund: 0n, chargeback: 0n, other: 0n };
  for (const { side, amount, kind } of rows) if (kind.currency === currency) sum[side] += amount;
  return { settled: sum.purchase, refunded: -sum.refund, chargedBack: -sum.chargeback };
}

type Sums = ReturnType<typeof rowSums>;

const netOf = ({ settled, refunded, chargedBack }: Sums) => settled - refunded - chargedBack;

interface Subject {
  readonly rows: readonly OrderRow[];
  readonly bill: Bill;
  readonly sums: Sums;
  /** Purchases and refunds without what undoes each other. */
  readonly left: Pick<Sums, 'settled' | 'refunded'>;
  readonly difference: bigint;
  readonly tolerance: bigint;
  readonly days: OrderDays;
  /** Of its account and currency. */
  readonly lateDay: string;
  readonly currency: string;
}

type Bill = ReturnType<typeof billOf>;

/** What the service should have paid and refunded, line by line. */
function billOf(
  documents: readonly OrderDocument[],
  { hasRows, scale }: { readonly hasRows: boolean; readonly scale: number },
) {
  const isSale = ({ isRefund }: OrderDocument) => !isRefund;
  const hasSale = documents.some(isSale);
  const isNamed = documents.some((one) => one.isInScope && (isSale(one) || !hasSale));
  // The method in the file may be from a failed attempt: rows count more, if no line is of this service.
  const lines = documents.filter(({ isInScope }) => (isNamed ? isInScope : hasRows));
  const sales = lines.filter(isSale);
  const isValid = (one: OrderDocument) => !one.isCancelled && !one.isUnpaid;
  const due = sales.filter(isValid);
  // A refund that failed is none. Refunds of a cancelled order are not due again.
  const refunds = lines.filter(
    (one) => isValid(one) && (isSale(one) || due.length > 0 || !hasSale),
  );
  const refundedBy = (those: readonly OrderDocument[]) =>
    sumAt(scale, those, ({ refunded }) => refunded);
  const paidDays = (sales.length > 0 ? sales : documents).map(({ paidDay }) => paidDay).sort();
  return {
    expected: sumAt(scale, due, ({ total, notDue }) => total - notDue),
    refunded: refundedBy(refunds),
    hasSale,
    isCancelled: sales.length > 0 && sales.every((one) => one.isCancelled),
    isUnpaid: due.length === 0 && sales.some((one) => one.isUnpaid),
    isInScope: lines.length > 0,
    firstPaidDay: paidDays[0] ?? '',
    paidDay: paidDays.at(-1) ?? '',
    hasUndatedRefund: refunds.some((one) => one.refunded > 0n && one.refundDay === ''),
    /** Refunds by their days; one without a day is not older than the payment. */
    refundsOn: (isMeant: (day: string) => boolean) =>
      refundedBy(refunds.filter((one) => isMeant(one.refundDay || one.paidDay))),
  };
}

/** A surplus that was paid and refunded undoes itself, in however many rows: the shop has neither. */
function withoutUndone(
  { expected, refunded: asked }: Pick<Bill, 'expected' | 'refunded'>,
  { settled, refunded }: Sums,
  difference: bigint,
): Subject['left'] {
  const [over, more] = [settled - expected, refunded - asked];
  const both = over < more ? over : more;
  const undone = difference === 0n ? more : both > 0n ? both : 0n;
  return { settled: settled - undone, refunded: refunded - undone };
}

interface Payment {
  readonly payment: PaymentState;
  readonly reason?: OrderReason | undefined;
}

function paymentOf(subject: Subject): Payment {
  const { rows, bill, sums, left, difference, tolerance, days, lateDay, currency } = subject;
  const { expected } = bill;
  if (!bill.isInScope) return { payment: 'out_of_scope' };
  if (rows.some(({ kind }) => kind.currency !== currency)) return { payment: 'other_currency' };
  if (rows.length === 0 && expected === 0n && bill.refunded === 0n) {
    return { payment: 'nothing_due' };
  }
  const agrees = difference === 0n;
  if (bill.isCancelled) return { payment: agrees ? 'cancelled' : 'cancelled_but_settled' };
  if (agrees) return { payment: settledAs(subject), reason: reasonOf(subject) };
  if (bill.isUnpaid) return { payment: 'unpaid_but_settled' };
  if (!bill.hasSale) return { payment: 'not_covered', reason: 'only_refund' };
  const isSmall =
    sums.settled > 0n && sums.chargedBack === 0n && magnitude(difference) <= tolerance;
  if (isSmall) return { payment: 'small_difference' };
  const isLate = bill.paidDay <= lateDay;
  const reason = bill.paidDay <= days.lateDay ? 'not_listed_yet' : undefined;
  if (sums.settled === 0n && expected > 0n) {
    if (bill.firstPaidDay < days.range.from) {
      return { payment: 'not_covered', reason: 'paid_before_range' };
    }
    if (!isLate) return { payment: 'in_transit', reason };
    if (!days.isWhole) return { payment: 'not_covered', reason: 'not_read' };
    return { payment: 'missing_in_settlements' };
  }
  if (left.settled === expected) return { payment: settledAs(subject) };
  const whole = rows.filter(({ side, amount }) => side === 'purchase' && amount === expected);
  const isMultiple =
    expected > 0n && [sums.settled, left.settled].some((sum) => sum % expected === 0n);
  if (difference > 0n && whole.length > 1 && isMultiple) {
    return areAtOnce(whole)
      ? { payment: 'settled_twice' }
      : { payment: 'amount_differs', reason: 'several_payments' };
  }
  const isPart = left.settled > 0n && left.settled < expected;
  return { payment: isPart && !(isLate && days.isWhole) ? 'partly_settled' : 'amount_differs' };
}

function settledAs({ rows, bill, sums }: Subject): PaymentState {
  if (rows.some(({ settlement }) => isPending(settlement))) return 'pending';
  const purchases = rows.filter(({ side }) => side === 'purchase');
  const isInParts = purchases.length > 1 && sums.settled === bill.expected;
  return isInParts ? 'settled_in_parts' : 'settled';
}

/** How the net came to agree where a part of it does not. */
function reasonOf({ rows, bill, sums }: Subject): OrderReason | undefined {
  const { expected } = bill;
  if (sums.chargedBack !== 0n) return 'net_of_chargeback';
  if (sums.settled === expected) return undefined;
  if (sums.settled < expected) return 'refund_not_charged';
  const whole = rows.filter(({ side, amount }) => side === 'purchase' && amount === expected);
  return whole.length > 1 ? 'surplus_refunded' : 'lowered';
}

const dayMs = 86_400_000;

/** Payments that are days apart may be payments of their own, as of a subscription. */
function areAtOnce(rows: readonly OrderRow[]): boolean {
  const moments = rows.map(({ moment }) => moment).sort((one, other) => one - other);
  return (moments.at(-1) ?? 0) - (moments[0] ?? 0) < dayMs;
}

export function isPending({ status }: Settlement): boolean {
  return serviceSays(status) === 'pending';
}

interface Refund {
  readonly refund: RefundState;
  readonly why?: OrderReason;
}

/** Payments that cannot be compared say nothing of refunds. */
const incomparable: readonly PaymentState[] = ['conflicting', 'ambiguous', 'other_currency'];

function refundOf({ bill, sums, left, days, lateDay }: Subject, payment: PaymentState): Refund {
  if (sums.chargedBack > 0n) return { refund: 'charged_back' };
  if (incomparable.includes(payment)) return { refund: 'none' };
  if (payment === 'cancelled' && sums.refunded > 0n) return { refund: 'refunded' };
  const missing = payment === 'small_difference' ? 0n : bill.refunded - left.refunded;
  if (missing < 0n) return { refund: 'refund_unknown' };
  if (bill.refunded === 0n) return { refund: 'none' };
  const agreed = left.refunded < left.settled ? 'refunded_in_part' : 'refunded';
  if (missing === 0n) return { refund: agreed };
  const recent = bill.refundsOn((day) => day > lateDay);
  // A refund follows its purchase: if that is in the range, so is the refund.
  const isEarlier = (day: string) => sums.settled === 0n && day < days.range.from;
  const earlier = bill.refundsOn(isEarlier);
  if (missing <= recent) return { refund: 'refund_in_transit' };
  if (missing <= earlier) return { refund: left.refunded > 0n ? agreed : 'none' };
  if (missing <= recent + earlier || !days.isWhole) return { refund: 'refund_in_transit' };
  return bill.hasUndatedRefund
    ? { refund: 'refund_missing', why: 'no_refund_date' }
    : { refund: 'refund_missing' };
}
