import {
  countedTypes,
  type Doc,
  dayOf,
  daysUntil,
  fileDays,
  inScope,
  type Month,
  normalised,
  type Refund,
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

/** The rows that were read: of settlements up to a day. */
const readUntil = (rows: readonly ShopRow[], day: string) =>
  rows.filter(({ settlement }) => settlement.day <= day);

/** Judges a month by its definitions word for word: every rule looks at all documents and all rows. */
export function judge(month: Month, until: string = range.to): Judgement {
  const { dialect } = month;
  const docs = month.docs.filter(({ isTest }) => !isTest);
  const rows = readUntil(month.rows, until);
  const keyOf = (doc: Doc) => normalised(doc.ref, dialect);
  const keys = [...new Set(docs.map(keyOf))];
  const counted = rows.filter(
    ({ state, type }) => state === 'approved' && countedTypes.includes(type),
  );

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
  // By line: the method of a failed attempt is excused only where no line is the service's.
  const hasRows = rows.length > 0;
  const isOurs = group.some(isInScope) ? isInScope : () => hasRows;
  const lines = group.filter(isOurs);
  const due = lines.filter(({ status }) => status === 'paid');
  const given = due.flatMap(({ refunds }) => refunds.filter(({ status }) => status === 'paid'));
  const E = total(due.map((doc) => doc.total - doc.notDue));
  const R = total(given.map(({ amount }) => amount));
  const net = total(rows.map(({ amount }) => amount));
  const agrees = net === E - R;
  const C = -total(amounts(rows, 'chargeback'));
  const left = afterPairs(rows, E, R);
  const P = total(amounts(left, 'purchase'));
  const F = -total(amounts(left, 'refund'));
  const refund = refundState(P, F, R, C, agrees, given, hasRefundDates);
  const is = (state: string, refundIs = refund): Judged => ({
    state,
    refund: refundIs,
    net,
    due: E - R,
  });

  const paid = group.map(({ soldAt, paidAt }) => dayOf(hasRefundDates ? soldAt : paidAt)).sort();
  const day = paid[0] ?? '';
  const isLate = daysUntil(day, range.to) >= settleDays;
  const purchases = left.filter(({ type }) => type === 'purchase');
  const isAll = (status: Doc['status']) => lines.every((doc) => doc.status === status);

  if (group.some((doc) => group.some((other) => differs(doc, other)))) return is('conflicting');
  if (isAmbiguous) return is('ambiguous');
  if (lines.length === 0 && group.some((doc) => doc.total > 0n || doc.method !== '')) {
    return is('out_of_scope');
  }
  if (rows.some(({ currency }) => currency !== group[0]?.currency)) return is('other_currency');
  if (E === 0n && R === 0n && !hasRows) return is('nothing_due');
  if (isAll('cancelled')) return agrees ? is('cancelled', 'refunded') : is('cancelled_but_settled');
  if (agrees) {
    const waiting = ['pending_settlement', 'validated'];
    if (rows.some((row) => waiting.includes(row.settlement.status))) return is('pending');
    const isOne = purchases.length <= 1 || C !== 0n || (F !== R && P !== E);
    return is(isOne ? 'settled' : 'settled_in_parts');
  }
  if (isAll('unpaid')) return is('unpaid_but_settled');
  if (P === 0n && (day < range.from || F > 0n)) return is('not_covered');
  if (P === 0n) return is(isLate ? 'missing_in_settlements' : 'in_transit');
  if (P === E) return is(purchases.length === 1 ? 'settled' : 'settled_in_parts');
  // Payments that are days apart are payments, and no double click.
  const whole = purchases.filter(({ amount }) => amount === E);
  const moments = whole.map(({ at }) => at);
  const isAtOnce = Math.max(...moments) - Math.min(...moments) < 86_400_000;
  if (E > 0n && P % E === 0n && whole.length >= 2 && isAtOnce && net > E - R) {
    return is('settled_twice');
  }
  return is(P < E && !isLate ? 'partly_settled' : 'amount_differs');
}

/** One of its methods is one that the service pays. */
const isInScope = ({ method }: Doc) =>
  method.split(' + ').some((part) => inScope.some((one) => one === part));

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
  agrees: boolean,
  given: readonly Refund[],
  hasRefundDates: boolean,
): string {
  if (C > 0n) return 'charged_back';
  if (R === F) return R === 0n ? 'none' : F === P ? 'refunded' : 'refunded_in_part';
  if (F > R) return agrees ? 'none' : 'refund_unknown';
  if (agrees) return 'refunded_in_part';
  const isRecent = given.every(({ at }) => daysUntil(dayOf(at), range.to) < settleDays);
  return hasRefundDates && isRecent ? 'refund_in_transit' : 'refund_missing';
}
