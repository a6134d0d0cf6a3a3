import { daysBetween, isDayIn } from '../../base/calendar.ts';
import { groupedBy } from '../../base/lists.ts';
import { inOrderOf } from '../../base/texts.ts';
import type { OrderDocument, Orders } from '../../model/orders.ts';
import type { RowKind } from '../../model/row-batch.ts';
import type { Settlement } from '../../model/settlement.ts';
import type { DateRange } from '../../model/source.ts';
import { rescale, sumAt } from '../../money/money.ts';
import { rowDay } from '../../reconcile/agreed/price.ts';
import { serviceSays } from '../../reconcile/verdict.ts';
import {
  type OrderKey,
  type OrderMatch,
  type OrderReason,
  type OrderRow,
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
}

/** An order with its rows, and the states of its payment and its refunds. */
export function judgeOrder(order: number, { orders, rows, days, scales }: OrderCase): OrderMatch {
  const documents = orders.documents(order);
  const currency = documents[0]?.currency ?? '';
  const scale = scales.get(currency) ?? 0;
  const own: OrderRow[] = [];
  for (const row of rows.of(order)) own.push(new MatchedRow(row, rows, scales));
  if (own.length > 1) own.sort(inOrderOf(({ settlement, id }) => [settlement.date, id]));
  const bill = billOf(documents, { hasRows: own.length > 0, scale });
  const sums = rowSums(own, currency);
  const subject: Subject = {
    rows: own,
    bill,
    sums,
    days,
    currency,
    isConflicting:
      orders.isConflicting(order) || documents.some((one) => one.currency !== currency),
    isAmbiguous: rows.isAmbiguous(order),
  };
  const left = afterPairs(subject);
  const { payment, reason, isComparable = true } = paymentOf(subject, left);
  const isChargedBack = sums.chargedBack > 0n;
  const { refund, why }: Refund =
    isComparable && payment !== 'ambiguous'
      ? refundOf(subject, left)
      : { refund: isChargedBack ? 'charged_back' : 'none' };
  const weakest = own.reduce((most, { by }) => Math.max(most, by ? orderKeys.indexOf(by) : 0), 0);
  const net = sums.settled - sums.refunded - sums.chargedBack;
  return {
    reference: orders.reference(order),
    account: orders.account(order),
    documents,
    rows: own,
    state: worseOf(payment, refund),
    payment,
    refund,
    reason: reason ?? why,
    by: own.length === 0 ? undefined : orderKeys[weakest],
    currency,
    scale,
    expected: bill.expected,
    refundedByShop: bill.refunded,
    due: bill.due,
    ...sums,
    difference: isComparable ? net - bill.due : undefined,
    ageDays: Math.max(0, daysBetween(bill.paidDay, days.lastDay)),
  };
}

/** A row without an order, or whose keys name several. */
export function judgeRow(row: number, isAmbiguous: boolean, all: OrderCase): OrderMatch {
  const matched = new MatchedRow(row, all.rows, all.scales);
  const { currency } = matched.kind;
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
    ...rowSums([matched], currency),
    difference: undefined,
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
  readonly #row: number;
  readonly #rows: OrderRows;

  constructor(row: number, rows: OrderRows, scales: ReadonlyMap<string, number>) {
    this.kind = rows.kind(row);
    this.settlement = rows.settlement(row);
    this.side = rows.side(row);
    this.by = rows.by(row);
    const { currency, scale } = this.kind;
    this.amount = rescale(rows.amount(row), scale, scales.get(currency) ?? scale);
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
  const sum = { purchase: 0n, refund: 0n, chargeback: 0n };
  for (const { side, amount, kind } of rows) if (kind.currency === currency) sum[side] += amount;
  return { settled: sum.purchase, refunded: -sum.refund, chargedBack: -sum.chargeback };
}

type Sums = ReturnType<typeof rowSums>;

interface Subject {
  readonly rows: readonly OrderRow[];
  readonly bill: Bill;
  readonly sums: Sums;
  readonly days: OrderDays;
  readonly currency: string;
  readonly isConflicting: boolean;
  readonly isAmbiguous: boolean;
}

type Bill = ReturnType<typeof billOf>;

function billOf(
  documents: readonly OrderDocument[],
  { hasRows, scale }: { readonly hasRows: boolean; readonly scale: number },
) {
  const sales = documents.filter(({ isRefund }) => !isRefund);
  // The method in the file may be from a failed attempt, so it does not count if there are rows.
  const isHere = (one: OrderDocument) => one.isInScope || hasRows;
  const isDue = (one: OrderDocument) => !one.isCancelled && !one.isUnpaid && isHere(one);
  const due = sales.filter(isDue);
  // Refunds of a cancelled order are not due again.
  const isOwed = (one: OrderDocument) =>
    one.isRefund ? due.length > 0 || sales.length === 0 : isDue(one);
  const refundedBy = (those: readonly OrderDocument[]) =>
    sumAt(scale, those, ({ refunded }) => refunded);
  const expected = sumAt(scale, due, ({ total, notDue }) => total - notDue);
  const paidDays = (sales.length > 0 ? sales : documents).map(({ paidDay }) => paidDay).sort();
  return {
    expected,
    refunded: refundedBy(documents),
    due: expected - refundedBy(documents.filter(isOwed)),
    hasSale: sales.length > 0,
    isDue: due.length > 0,
    isCancelled: sales.length > 0 && sales.every((one) => one.isCancelled),
    isUnpaid: due.length === 0 && sales.some((one) => one.isUnpaid),
    isInScope: sales.length === 0 || sales.some(isHere),
    firstPaidDay: paidDays[0] ?? '',
    paidDay: paidDays.at(-1) ?? '',
    hasUndatedRefund: documents.some((one) => one.refunded > 0n && one.refundDay === ''),
    /** Refunds by their days; one without a day is not older than the payment. */
    refundsOn: (isMeant: (day: string) => boolean) =>
      refundedBy(documents.filter((one) => isMeant(one.refundDay || one.paidDay))),
  };
}

/** The purchases and refunds without those that undo each other. */
type Left = Pick<Sums, 'settled' | 'refunded'> & { readonly purchases: readonly OrderRow[] };

interface Payment {
  readonly payment: PaymentState;
  readonly reason?: OrderReason;
  /** False if amounts cannot be subtracted, or belong to other orders too. */
  readonly isComparable?: false;
}

function paymentOf(subject: Subject, left: Left): Payment {
  const { rows, bill, sums, days, currency } = subject;
  const { settled, refunded, chargedBack } = sums;
  const { expected } = bill;
  if (subject.isConflicting) return { payment: 'conflicting', isComparable: false };
  if (subject.isAmbiguous) return { payment: 'ambiguous' };
  if (!bill.isInScope) return { payment: 'out_of_scope' };
  if (rows.some(({ kind }) => kind.currency !== currency)) {
    return { payment: 'other_currency', isComparable: false };
  }
  if (bill.isCancelled && settled > 0n) {
    const isUndone = settled - refunded - chargedBack === 0n;
    return { payment: isUndone ? 'cancelled' : 'cancelled_but_settled' };
  }
  if (bill.isUnpaid && settled > 0n) return { payment: 'unpaid_but_settled' };
  if (!bill.hasSale) return { payment: 'not_covered', reason: 'only_refund' };
  if (expected === 0n && rows.length === 0) return { payment: 'nothing_due' };
  const isLate = bill.paidDay <= days.lateDay;
  if (left.settled === 0n && expected > 0n) {
    if (bill.firstPaidDay < days.range.from) {
      return { payment: 'not_covered', reason: 'paid_before_range' };
    }
    if (!isLate) return { payment: 'in_transit' };
    if (!days.isWhole) return { payment: 'not_covered', reason: 'not_read' };
    return { payment: 'missing_in_settlements' };
  }
  if (left.settled === expected) {
    if (rows.some(({ settlement }) => isPending(settlement))) return { payment: 'pending' };
    return { payment: left.purchases.length > 1 ? 'settled_in_parts' : 'settled' };
  }
  const whole = left.purchases.filter(({ amount }) => amount === expected);
  const isMultiple = expected > 0n && left.settled % expected === 0n;
  if (isMultiple && left.settled > expected && whole.length > 1) {
    return { payment: 'settled_twice' };
  }
  const isPart = left.settled > 0n && left.settled < expected;
  return { payment: isPart && !(isLate && days.isWhole) ? 'partly_settled' : 'amount_differs' };
}

function isPending({ status }: Settlement): boolean {
  return serviceSays(status) === 'pending';
}

/** A surplus purchase and its refund, of one charge and amount, undo each other: the shop has neither. */
function afterPairs({ rows, bill, sums }: Pick<Subject, 'rows' | 'bill' | 'sums'>): Left {
  let { settled, refunded } = sums;
  const purchases = new Set(rows.filter(({ side }) => side === 'purchase'));
  const left = (): Left => ({ settled, refunded, purchases: [...purchases] });
  const isTooMuch = () => settled > bill.expected && refunded > bill.refunded;
  if (!isTooMuch()) return left();
  const keyOf = ({ chargeId }: OrderRow, amount: bigint) => `${chargeId} ${amount}`;
  const refunds = groupedBy(
    rows.filter(({ side, chargeId }) => side === 'refund' && chargeId !== ''),
    (row) => keyOf(row, -row.amount),
  );
  const taken = new Map<string, number>();
  const pairs = [...purchases].filter((row) => {
    const key = keyOf(row, row.amount);
    const before = taken.get(key) ?? 0;
    taken.set(key, before + 1);
    return before < (refunds.get(key)?.length ?? 0);
  });
  while (pairs.length > 0 && isTooMuch()) {
    const over = settled - bill.expected;
    // The one that leaves what is expected, if there is one.
    const exact = pairs.findIndex(({ amount }) => amount === over);
    for (const purchase of pairs.splice(Math.max(0, exact), 1)) {
      settled -= purchase.amount;
      refunded -= purchase.amount;
      purchases.delete(purchase);
    }
  }
  return left();
}

interface Refund {
  readonly refund: RefundState;
  readonly why?: OrderReason;
}

function refundOf({ bill, sums, days }: Subject, left: Left): Refund {
  const missing = bill.refunded - left.refunded;
  const agreed = left.refunded < left.settled ? 'refunded_in_part' : 'refunded';
  if (sums.chargedBack > 0n) return { refund: 'charged_back' };
  if (bill.isCancelled && sums.settled > 0n && sums.settled === sums.refunded) {
    return { refund: 'refunded' };
  }
  if (missing < 0n) return { refund: 'refund_unknown' };
  const isNothingDue = bill.hasSale && !bill.isDue && sums.settled === 0n;
  if (bill.refunded === 0n || isNothingDue) return { refund: 'none' };
  if (missing === 0n) return { refund: agreed };
  const recent = bill.refundsOn((day) => day > days.lateDay);
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
