import { dayAfter, daysFrom, dueDay } from '../calendar.ts';
import { sum } from '../year.ts';
import {
  abs,
  type Merchant,
  type Month,
  months,
  type Order,
  ownRows,
  payInDifferenceOf,
  payInOf,
  type Row,
  type Settlement,
} from './months.ts';

/** Days within which an order is settled (docs: `settle_days`), and a settlement is no longer pending. */
export const settleDays = 7;
const pendingDays = 14;

export interface Figure {
  readonly count: number;
  readonly net: bigint;
  readonly absolute: bigint;
}

/** By code of a point, or of a line and its state, and currency: `order_missing_in_settlements EUR`. */
type Figures = Readonly<Record<string, Figure>>;

/** What a close must say of a month. */
export interface Truth {
  /** Lines of the ladder by currency, such as `sold` or `orders missing_in_settlements`. */
  readonly ladder: Readonly<Record<string, Readonly<Record<string, Figure>>>>;
  readonly points: Figures;
  /** Codes of points of which the docs do not say whether they are there. */
  readonly unjudged: ReadonlySet<string>;
  /** Ids of settlements. */
  readonly pending: ReadonlySet<string>;
  readonly inBooks: Readonly<Record<string, bigint>>;
  /** By token and currency: sold by the end of the month, settled after it. */
  readonly accrued: Readonly<Record<string, bigint>>;
}

const lineOf = {
  received: 'received',
  charged: 'bank_charges',
  over: 'over',
  short: 'short',
} as const;

class Adder {
  readonly figures: Record<string, Figure> = {};

  add(key: string, amount: bigint, count = 1): void {
    const { [key]: before = { count: 0, net: 0n, absolute: 0n } } = this.figures;
    this.figures[key] = {
      count: before.count + count,
      net: before.net + amount,
      absolute: before.absolute + abs(amount),
    };
  }
}

const isIn = ({ from, to }: Month, day: string) => day >= from && day <= to;
export const isSettled = ({ day, settledOn }: Settlement, evening: string) =>
  day <= evening && settledOn <= evening;
const isPending = (one: Settlement, evening: string) =>
  one.day <= evening && one.settledOn > evening;

/** What the shop's file says of a refund in an evening. */
export function refundedOf({ refund }: Order, evening: string): bigint {
  return refund && refund.day <= evening ? refund.amount : 0n;
}

const notDue: ReadonlySet<string> = new Set([
  ...['cancelled', 'cancelled_settled', 'unpaid', 'unpaid_settled', 'other_method'],
]);

function dueOf(order: Order, evening: string): bigint {
  return notDue.has(order.kind) ? 0n : order.total - refundedOf(order, evening);
}

interface Judged {
  readonly order: Order;
  readonly due: bigint;
  readonly difference: bigint;
  readonly state: string;
}

const toDecide: ReadonlySet<string> = new Set([
  ...['missing_in_settlements', 'settled_twice', 'amount_differs', 'other_currency'],
  ...['cancelled_but_settled', 'unpaid_but_settled', 'refund_missing'],
]);

/** States that settlements of later days may change. */
const mayChange: ReadonlySet<string> = new Set([
  ...[...toDecide].filter((state) => state !== 'other_currency'),
  ...['in_transit', 'refund_in_transit', 'partly_settled'],
]);

/** The most days after those of the range that are read for orders that are still open. */
const mostLaterDays = 92;

const firstOf = (one: string, other: string) => (one < other ? one : other);

/** Each order as it stands after the settlements up to `until`. `to`: the end of the month. */
function judge(
  merchant: Merchant,
  order: Order,
  evening: string,
  { until, to }: { readonly until: string; readonly to: string },
): Judged {
  // What is sold in the last days of the month is not late before a later settlement is listed.
  const listed = merchant.settlements.filter(
    ({ day, token }) => day <= until && token.currency === order.token.currency,
  );
  const newest = listed.reduce((day, one) => (one.day > day ? one.day : day), to);
  const lastDay = firstOf(newest, until);
  const rows = merchant.settlements
    .filter(({ day }) => day <= until)
    .flatMap((settlement) => settlement.rows.filter(({ ref }) => ref === order.ref));
  const own = rows.filter(({ currency }) => currency === order.token.currency);
  const total = (type: Row['type']) =>
    sum(own.filter((row) => row.type === type).map(({ amount }) => amount));
  const due = dueOf(order, evening);
  const difference = sum(own.map(({ amount }) => amount)) - due;
  const isLate = daysFrom(order.day, lastDay) >= settleDays;
  const missing = refundedOf(order, evening) + total('refund');
  const state = () => {
    if (rows.length > own.length) return 'other_currency';
    if (order.kind === 'cancelled_settled') return 'cancelled_but_settled';
    if (order.kind === 'unpaid_settled') return 'unpaid_but_settled';
    if (rows.length === 0 && due !== 0n) return isLate ? 'missing_in_settlements' : 'in_transit';
    if (order.kind === 'twice') return 'settled_twice';
    if (order.kind === 'more' || order.kind === 'less') return 'amount_differs';
    if (total('chargeback') !== 0n) return 'charged_back';
    if (missing < 0n) return 'refund_unknown';
    if (missing > 0n)
      return daysFrom(order.refund?.day ?? order.day, lastDay) >= settleDays
        ? 'refund_missing'
        : 'refund_in_transit';
    return total('purchase') === 0n ? 'nothing_due' : 'partly_settled';
  };
  return { order, due, difference, state: difference === 0n ? 'settled' : state() };
}

/** The merchant's month, as it must be closed in an evening. `before`: the close before it. */
export function truthOf(merchant: Merchant, month: Month, evening: string, before?: Month): Truth {
  const { settlements, orders, tokens, moves, lines } = merchant;
  const ladder: Record<string, Adder> = {};
  const points = new Adder();
  const at = (currency: string) => (ladder[currency] ??= new Adder());
  const { from, to } = month;
  const last = dayAfter(to, settleDays);
  const window = firstOf(evening, last);
  for (const { currency } of tokens) at(currency).add('sold', 0n, 0);

  // Orders of the month, and where their money is.
  const inFile = orders.filter(
    ({ day }) => day <= evening && (day >= months[0].from || merchant.hasEarlierFile),
  );
  const byRef = new Map(inFile.map((order) => [order.ref, order]));
  const told = inFile.filter(({ day }) => {
    const isOfBefore = before && day < from && day >= dayAfter(from, -settleDays);
    return isIn(month, day) || isOfBefore;
  });
  const isOpen = told.some((order) =>
    mayChange.has(judge(merchant, order, evening, { until: window, to }).state),
  );
  const until = isOpen ? firstOf(evening, dayAfter(window, mostLaterDays)) : window;
  for (const order of told) {
    const { currency } = order.token;
    const isOfMonth = isIn(month, order.day);
    const { due, difference, state } = judge(merchant, order, evening, { until, to });
    if (toDecide.has(state)) points.add(`order_${state} ${currency}`, difference);
    if (!isOfMonth) continue;
    at(currency).add('sold', due, due === 0n ? 0 : 1);
    if (difference !== 0n) at(currency).add(`orders ${state}`, difference);
  }
  // Lines of orders count orders, however many rows they have, unless these add up to nothing.
  const ofOrders = new Map<string, bigint>();
  const ofOrder = (line: string, { ref, currency, amount }: Row, sign: bigint) => {
    const key = `${line} ${ref}`;
    const [before, after] = [ofOrders.get(key) ?? 0n, (ofOrders.get(key) ?? 0n) + amount];
    const count = Number(after !== 0n) - Number(before !== 0n);
    at(currency).add(line, sign * amount, count);
    ofOrders.set(key, after);
  };
  for (const settlement of settlements.filter(({ day }) => day >= months[0].from && day <= until)) {
    const { currency } = settlement.token;
    const settled = isSettled(settlement, evening);
    const inMonth = isIn(month, settlement.day);
    for (const row of settlement.rows) {
      const order = byRef.get(row.ref);
      const isOfMonth = order && isIn(month, order.day);
      if (row.currency !== currency) {
        if (!inMonth || !settled) continue;
        at(row.currency).add('sold', 0n, 0);
        at(row.currency).add('rows_in_other_currency', row.amount);
        at(row.currency).add('not_in_gross', -row.amount);
        points.add(`currency ${row.currency}`, row.amount);
      } else if (isOfMonth && !settled) ofOrder('pending_rows', row, -1n);
      else if (isOfMonth && !inMonth)
        ofOrder(settlement.day < from ? 'settled_before' : 'settled_after', row, -1n);
      else if (inMonth && settled && order && !isOfMonth)
        ofOrder(order.day < from ? 'earlier_orders' : 'later_orders', row, 1n);
      else if (inMonth && settled && !order)
        at(currency).add(
          row.ref.startsWith('X') ? 'rows unknown_to_shop' : 'rows not_covered',
          row.amount,
        );
    }
  }

  // Settlements of the month.
  for (const settlement of settlements.filter(({ day }) => isIn(month, day))) {
    const { currency } = settlement.token;
    const payIn = payInOf(settlement, evening);
    if (isPending(settlement, evening)) {
      if (daysFrom(settlement.day, evening) > pendingDays)
        points.add(`overdue ${currency}`, -payIn);
      continue;
    }
    if (!isSettled(settlement, evening)) continue;
    const own = ownRows(settlement, evening);
    const one = at(currency);
    one.add('gross', sum(own.map(({ amount }) => amount)));
    one.add('fees', -sum(own.map(({ fees }) => fees)));
    one.add('tax', -sum(own.map(({ tax }) => tax)));
    const difference = payInDifferenceOf(settlement);
    if (difference !== 0n) one.add('pay_in_difference', difference);
    one.add('pay_in', payIn);
    const isForeign = own.length < settlement.rows.length;
    if (settlement.header !== 'right' || settlement.hidden || isForeign)
      points.add(`out_of_balance ${currency}`, difference);
    for (const row of own) if (row.over > 0n) points.add(`overcharged ${currency}`, row.over);
  }

  // In transit: what was settled and has not arrived.
  const leftAt = (settlement: Settlement, day: string, known: string): bigint => {
    if (settlement.day > day || !isSettled(settlement, known)) return 0n;
    const own = moves.filter((move) => move.settlement === settlement && move.day <= day);
    const of = (what: string) =>
      sum(own.filter((move) => move.what === what).map(({ amount }) => amount));
    const left = payInOf(settlement, known) - of('received') - of('charged');
    return left + of('over') - of('short');
  };
  const inTransit: Record<string, bigint> = {};
  for (const settlement of settlements) {
    const { currency } = settlement.token;
    const one = at(currency);
    const start = dayAfter(from, -1);
    const opening = leftAt(settlement, start, before ? knownThen(merchant, before) : evening);
    if (opening !== 0n) one.add('opening', opening);
    const changed = before ? leftAt(settlement, start, evening) - opening : 0n;
    if (changed !== 0n) one.add('changed', changed);
    const left = leftAt(settlement, to, evening);
    inTransit[currency] = (inTransit[currency] ?? 0n) + left;
    one.add('in_transit', left, left === 0n ? 0 : 1);
    point(points, merchant, settlement, month, evening);
  }
  const seen = new Set<string>();
  for (const { settlement, day, what, amount } of moves) {
    if (!isIn(month, day) || !isSettled(settlement, evening)) continue;
    const isAgain = seen.has(`${settlement.id} ${what}`);
    seen.add(`${settlement.id} ${what}`);
    const signed = what === 'over' ? amount : -amount;
    at(settlement.token.currency).add(lineOf[what], signed, isAgain ? 0 : 1);
  }
  for (const { kind, currency, day, amount } of lines)
    if (kind === 'unknown' && isIn(month, day)) points.add(`unknown_on_bank ${currency}`, amount);

  return {
    ladder: Object.fromEntries(Object.entries(ladder).map(([key, { figures }]) => [key, figures])),
    points: points.figures,
    inBooks: inTransit,
    unjudged: new Set(
      settlements.some((one) => isInPart(merchant, one, to, evening)) ? ['difference'] : [],
    ),
    pending: new Set(settlements.flatMap((one) => (isPending(one, evening) ? [one.id] : []))),
    accrued: accruedOf(merchant, to, evening),
  };
}

function knownThen({ evenings }: Merchant, { name }: Month): string {
  return evenings[months.findIndex((month) => month.name === name)] ?? '';
}

/**
 * Received in part, at the end of the month or in the evening, and not due until after the month. If the rest may come
 * even after the evening, it is in transit.
 */
function isInPart(merchant: Merchant, one: Settlement, to: string, evening: string): boolean {
  if (one.day > to || dueDay(one.day, one.token.currency) <= to) return false;
  return [to, evening].some((day) => {
    const received = receivedBy(merchant, one, day);
    const isOff = received !== 0n && received !== payInOf(one, evening);
    return isOff && !restMayCome(merchant, one, day, evening);
  });
}

function receivedBy({ moves }: Merchant, one: Settlement, day: string): bigint {
  const own = moves.filter((move) => move.settlement === one && move.day <= day);
  return sum(own.map(({ what, amount }) => (what === 'received' ? amount : 0n)));
}

/** Whether less is received by a day than is due, and its last due day is after the evening. */
function restMayCome(merchant: Merchant, one: Settlement, day: string, evening: string): boolean {
  const [received, payIn] = [receivedBy(merchant, one, day), payInOf(one, evening)];
  const isLess = payIn > 0n ? received < payIn : received > payIn;
  return isLess && dueDay(one.day, one.token.currency) > evening;
}

/** Where a pay-out needs a decision at the end of a month. */
function point(
  points: Adder,
  merchant: Merchant,
  settlement: Settlement,
  { from, to }: Month,
  evening: string,
): void {
  const { token, day, story } = settlement;
  const { currency } = token;
  if (day > to || !isSettled(settlement, evening)) return;
  const payIn = payInOf(settlement, evening);
  const own = merchant.moves.filter((move) => move.settlement === settlement && move.day <= to);
  const received = sum(own.filter(({ what }) => what === 'received').map(({ amount }) => amount));
  const charged = own.some(({ what }) => what === 'charged');
  const isOfMonth = day >= from;
  const moved = own.some(({ what, day: on }) => what !== 'received' && on >= from);
  if (own.length === 0) {
    if (dueDay(day, currency) <= to) points.add(`missing_on_bank ${currency}`, -payIn);
  } else if (story.startsWith('returned') && received === 0n)
    points.add(`returned ${currency}`, received - payIn);
  else if (restMayCome(merchant, settlement, to, evening)) return;
  else if (received !== payIn && !charged && (isOfMonth || moved))
    points.add(`difference ${currency}`, received - payIn);
}

/** Sold by a day, and settled in a later month: `token currency`. */
export function accruedOf(
  { settlements }: Merchant,
  to: string,
  evening: string,
): Readonly<Record<string, bigint>> {
  const last = dayAfter(to, settleDays);
  const accrued: Record<string, bigint> = {};
  for (const settlement of settlements) {
    const { day, token } = settlement;
    if (day <= to || day > last || !isSettled(settlement, evening)) continue;
    for (const row of ownRows(settlement, evening)) {
      if (row.day > to) continue;
      const key = `${token.name} ${token.currency}`;
      accrued[key] = (accrued[key] ?? 0n) + row.amount;
    }
  }
  return accrued;
}
