import {
  type Doc,
  dayOf,
  daysUntil,
  fileDays,
  inScope,
  type Month,
  normalised,
  range,
  type ShopRow,
  settleDays,
} from './month-maker.ts';

/** What an order is, by the definitions alone. */
interface Judged {
  readonly state: string;
  readonly refund: string;
  /** P − F − C. */
  readonly net: bigint;
  /** E − R. */
  readonly due: bigint;
}

/** The sums of a currency: the rows of the range, and what they are rows of. */
interface RowSums {
  range: bigint;
  ofOrders: bigint;
  withoutOrder: bigint;
  ambiguous: bigint;
  notCounted: bigint;
}

export interface Judgement {
  readonly orders: ReadonlyMap<string, Judged>;
  readonly strays: ReadonlyMap<string, string>;
  readonly sums: ReadonlyMap<string, RowSums>;
}

/** Judges a month by ORDERS 2 and 3 word for word: every rule looks at all documents and all rows. */
export function judge({ docs, rows, dialect }: Month): Judgement {
  const keyOf = (doc: Doc) => normalised(doc.ref, dialect);
  const keys = [...new Set(docs.map(keyOf))];
  const counted = rows.filter(({ state }) => state === 'approved');

  // Each row to the orders that its keys name.
  const direct = new Map(
    counted.map((row) => {
      const byNote = keys.filter((key) => key === row.note);
      const byCharge = docs.filter(({ charge }) => charge === row.chargeId).map(keyOf);
      return [row, new Set([...byNote, ...byCharge])];
    }),
  );
  const alike = (row: ShopRow, field: 'chargeId' | 'orderId') =>
    new Set(
      counted
        .filter((other) => other[field] === row[field] && direct.get(other)?.size === 1)
        .flatMap((other) => [...(direct.get(other) ?? [])]),
    );
  const named = new Map(
    counted.map((row) => {
      const steps = [direct.get(row) ?? new Set(), alike(row, 'chargeId'), alike(row, 'orderId')];
      return [row, [...(steps.find(({ size }) => size > 0) ?? [])] as readonly string[]];
    }),
  );

  const rowsOf = (key: string) => counted.filter((row) => named.get(row)?.join() === key);
  const isAmbiguous = (key: string) =>
    counted.some((row) => (named.get(row)?.length ?? 0) > 1 && named.get(row)?.includes(key));
  const orders = keys.map((key) => {
    const group = docs.filter((doc) => keyOf(doc) === key);
    return [key, judgeOrder(group, rowsOf(key), isAmbiguous(key), dialect === 'plain')] as const;
  });

  const strays = counted
    .filter((row) => named.get(row)?.length === 0)
    .map((row) => [row.transactionId, strayState(row, dialect === 'plain')] as const);
  return {
    orders: new Map(orders),
    strays: new Map(strays),
    sums: sumsOf(rows, (row) => named.get(row)?.length),
  };
}

function strayState({ type, at }: ShopRow, hasRefundLines: boolean): string {
  const isOfFile = dayOf(at) >= fileDays.from && dayOf(at) <= fileDays.to;
  if (type === 'purchase' && isOfFile) return 'unknown_to_shop';
  return type === 'refund' && hasRefundLines ? 'refund_unknown' : 'not_covered';
}

function sumsOf(
  rows: readonly ShopRow[],
  namedBy: (row: ShopRow) => number | undefined,
): ReadonlyMap<string, RowSums> {
  const sums = new Map<string, RowSums>();
  for (const row of rows) {
    const zero = { range: 0n, ofOrders: 0n, withoutOrder: 0n, ambiguous: 0n, notCounted: 0n };
    const sum = sums.get(row.currency) ?? zero;
    sums.set(row.currency, sum);
    sum.range += row.amount;
    const named = namedBy(row);
    if (named === undefined) sum.notCounted += row.amount;
    else if (named === 0) sum.withoutOrder += row.amount;
    else if (named === 1) sum.ofOrders += row.amount;
    else sum.ambiguous += row.amount;
  }
  return sums;
}

const total = (values: readonly bigint[]) => values.reduce((sum, value) => sum + value, 0n);
const amounts = (rows: readonly ShopRow[], type: string) =>
  rows.filter((row) => row.type === type).map(({ amount }) => amount);

function judgeOrder(
  group: readonly Doc[],
  rows: readonly ShopRow[],
  isAmbiguous: boolean,
  hasRefundDates: boolean,
): Judged {
  const isWaived = (doc: Doc) => doc.status !== 'paid' || isOut(doc, rows);
  const E = total(group.map((doc) => (isWaived(doc) ? 0n : doc.total - doc.notDue)));
  const R = total(
    group.flatMap((doc) => (isWaived(doc) ? [] : doc.refunds.map(({ amount }) => amount))),
  );
  const net = total(rows.map(({ amount }) => amount));
  const figures = { net, due: E - R };
  const C = -total(amounts(rows, 'chargeback'));
  const left = afterPairs(rows, E, R);
  const P = total(amounts(left, 'purchase'));
  const F = -total(amounts(left, 'refund'));
  const refund = refundState(P, F, R, C, group, hasRefundDates);
  const is = (state: string, refundIs = refund): Judged => ({
    state,
    refund: refundIs,
    ...figures,
  });

  const paid = group.map(({ soldAt, paidAt }) => dayOf(hasRefundDates ? soldAt : paidAt)).sort();
  const day = paid[0] ?? '';
  const isLate = daysUntil(day, range.to) >= settleDays;
  const purchases = left.filter(({ type }) => type === 'purchase');
  const isCancelled = group.every(({ status }) => status === 'cancelled');
  const isUnpaid = group.every(({ status }) => status === 'unpaid');
  const hasNone = rows.length === 0;
  const isEven = P === E && purchases.length > 0;

  if (group.some((doc) => group.some((other) => differs(doc, other)))) return is('conflicting');
  if (isAmbiguous) return is('ambiguous');
  if (group.every((doc) => isOut(doc, rows)) && E === 0n) {
    if (group.some((doc) => doc.total > 0n || doc.method !== '')) return is('out_of_scope');
  }
  if (rows.some(({ currency }) => currency !== group[0]?.currency)) return is('other_currency');
  if (isCancelled && total(amounts(rows, 'purchase')) > 0n) {
    return net === 0n ? is('cancelled', 'refunded') : is('cancelled_but_settled');
  }
  if (isUnpaid && P > 0n) return is('unpaid_but_settled');
  if (E === 0n && hasNone) return is('nothing_due');
  if (P === 0n && !isEven && (day < range.from || F > 0n)) return is('not_covered');
  if (P === 0n && !isEven) return is(isLate ? 'missing_in_settlements' : 'in_transit');
  if (P === E) {
    const pending = ['pending_settlement', 'validated'];
    if (purchases.some((row) => pending.includes(row.settlement.status))) return is('pending');
    return is(purchases.length === 1 ? 'settled' : 'settled_in_parts');
  }
  const whole = purchases.filter(({ amount }) => amount === E);
  if (E > 0n && P % E === 0n && P / E >= 2n && whole.length >= 2) return is('settled_twice');
  return is(P < E && !isLate ? 'partly_settled' : 'amount_differs');
}

/** Out of scope: none of its methods is one that the service pays, and no row says otherwise. */
function isOut({ method }: Doc, rows: readonly ShopRow[]): boolean {
  const isPaid = method.split(' + ').some((part) => inScope.some((one) => one === part));
  return !isPaid && rows.length === 0;
}

const differs = (one: Doc, other: Doc) => one.id === other.id && one.total !== other.total;

function afterPairs(rows: readonly ShopRow[], E: bigint, R: bigint): readonly ShopRow[] {
  const P = total(amounts(rows, 'purchase'));
  const F = -total(amounts(rows, 'refund'));
  if (P <= E || F <= R) return rows;
  for (const refund of rows.filter(({ type }) => type === 'refund')) {
    const purchase = rows.find(
      ({ type, chargeId, amount }) =>
        type === 'purchase' && chargeId === refund.chargeId && amount === -refund.amount,
    );
    const left = rows.filter((row) => row !== refund && row !== purchase);
    if (purchase) return afterPairs(left, E, R);
  }
  return rows;
}

function refundState(
  P: bigint,
  F: bigint,
  R: bigint,
  C: bigint,
  group: readonly Doc[],
  hasRefundDates: boolean,
): string {
  if (C > 0n) return 'charged_back';
  if (R === F) return R === 0n ? 'none' : F === P ? 'refunded' : 'refunded_in_part';
  if (F > R) return 'refund_unknown';
  const days = group.flatMap(({ refunds }) => refunds.map(({ at }) => dayOf(at)));
  const isRecent = days.every((day) => daysUntil(day, range.to) < settleDays);
  return hasRefundDates && isRecent ? 'refund_in_transit' : 'refund_missing';
}
