import { addDays, daysOf, isDayIn } from '../../base/calendar.ts';
import { groupedBy, tableOf } from '../../base/lists.ts';
import { byText, inOrderOf } from '../../base/texts.ts';
import type { Orders } from '../../model/orders.ts';
import type { Settlement } from '../../model/settlement.ts';
import type { DateRange } from '../../model/source.ts';
import { minorUnitsOf } from '../../money/minor-units.ts';
import { largestScales, type Money, rescale } from '../../money/money.ts';
import { rowDay } from '../../reconcile/agreed/price.ts';
import { isPending, judgeOrder, judgeRow, type OrderCase } from './judge.ts';
import { type MonthAsked, type MonthOfOrders, MonthTotals, saleDay } from './month-orders.ts';
import { type OrderMatch, type OrderState, orderStates } from './order-match.ts';
import type { OrderRows } from './order-rows.ts';

interface OrderQuestion {
  readonly range: DateRange;
  readonly lastDay: string;
  readonly settleDays: number;
  /** Whether all rows of the range were read. */
  readonly areRowsWhole: boolean;
  readonly timeZone: string;
  readonly tolerances: OrderCase['tolerances'];
  readonly accepted: OrderCase['accepted'];
  /** The range of sales that is asked for; absent if all orders are. */
  readonly month?: MonthAsked | undefined;
}

/** Orders against rows. Its items are numbered: orders first, then rows without an order. */
export interface OrderMatching {
  readonly size: number;
  /** How many of the items are orders. */
  readonly orders: number;
  /** Computed for each call, because a million matches would not fit into memory. */
  match(number: number): OrderMatch;
  /** All items or, of a range of sales, its own. */
  readonly counted: readonly number[];
  /** Of those that count. */
  inState(state: OrderState): readonly number[];
  /**
   * Of a missing order, what has as much too much: an order, or a row without one that is near its day. Or the reverse.
   * Undefined unless only one has.
   */
  counterpart(number: number): number | undefined;
  readonly ladders: readonly OrderLadder[];
  /** What rows come to whose type no setting names, by type and currency. */
  readonly unnamedTypes: readonly (Money & { readonly type: string; readonly rows: number })[];
  /** From the orders of a range of sales to its settlements, by currency; absent without one. */
  readonly months: readonly MonthOfOrders[] | undefined;
  /** The days of the newest settlements, by account and currency; of all accounts, by an empty one. */
  readonly newest: ReadonlyMap<string, string>;
}

/** Matches orders with the rows of a range. */
export function matchOrders(
  orders: Orders,
  rows: OrderRows,
  { range, lastDay, settleDays, areRowsWhole, timeZone, ...settings }: OrderQuestion,
): OrderMatching {
  rows.settle();
  const lateDay = addDays(lastDay, -settleDays);
  // Of the last days alone: they count again with the next range.
  const sold = settings.month?.range.to ?? orders.days?.to ?? lastDay;
  const newest = newestListed(rows);
  const lateDayOf = (currency: string, account: string) => {
    const listed = newest.get(`${account} ${currency}`) ?? '';
    const day = listed > sold ? listed : sold;
    return day < lastDay ? addDays(day, -settleDays) : lateDay;
  };
  const isWhole = areRowsWhole && orders.unreadableLines === 0;
  const scales = scalesOf(orders, rows);
  const days = { range, lastDay, lateDay, lateDayOf, isWhole };
  const all: OrderCase = {
    orders,
    rows,
    days,
    timeZone,
    scales,
    tolerances: settings.tolerances,
    accepted: settings.accepted,
  };
  const doesCount = (row: number) => rows.side(row) !== 'other';
  const open = rows.without().filter(doesCount);
  const ambiguous = rows.without(true).filter(doesCount);
  const single = [...open, ...ambiguous];
  const judgeAt = (number: number): OrderMatch => {
    if (number < orders.size) return judgeOrder(number, all);
    const at = number - orders.size;
    return judgeRow(single[at] ?? 0, at >= open.length, all);
  };
  let last: { readonly number: number; readonly match: OrderMatch } | undefined;
  const match = (number: number) => {
    if (last?.number !== number) last = { number, match: judgeAt(number) };
    return last.match;
  };
  const size = orders.size + single.length;
  const states = new Uint8Array(size);
  const counted: number[] = [];
  const totals = new OrderTotals(scales, settings.month?.range);
  const month = settings.month && new MonthTotals(settings.month, scales);
  for (const one of rows.kinds) {
    totals.addRows(one);
    month?.addRows(one);
  }
  for (let number = 0; number < size; number += 1) {
    const one = match(number);
    const isCounted = month?.add(one) ?? true;
    states[number] = isCounted ? orderStates.indexOf(one.state) : orderStates.length;
    if (isCounted) counted.push(number);
    totals.add(one, isCounted);
  }
  const inState = (state: OrderState) => numbersOf(states, orderStates.indexOf(state));
  const lacking = lacksAmong(inState('missing_in_settlements'), match);
  const over = [...inState('amount_differs'), ...inState('settled_twice')].map((number): Lot => {
    const { currency, difference = 0n } = match(number);
    return { number, keys: [amountText(currency, difference)] };
  });
  const wanted = new Set(lacking.map(({ keys: [money] }) => money));
  const alone = open.flatMap((row, at): Lot | [] => {
    const { currency, scale } = rows.kind(row);
    const minor = rescale(rows.amount(row), scale, scales.get(currency) ?? scale);
    const money = amountText(currency, minor);
    const day = wanted.has(money) ? rowDay(rows.timestamp(row), timeZone) : '';
    return day === '' ? [] : { number: orders.size + at, keys: [`${money} ${day}`] };
  });
  const counterparts = pairsAmong(lacking, [...over, ...alone]);
  return {
    size,
    orders: orders.size,
    match,
    counted,
    inState,
    counterpart: (number) => counterparts.get(number),
    ladders: totals.ladders(),
    unnamedTypes: unnamedTypesOf(rows, scales),
    months: month?.months(),
    newest,
  };
}

function newestListed({ kinds }: OrderRows): ReadonlyMap<string, string> {
  const newest = new Map<string, string>();
  for (const { settlement } of kinds) {
    const { accountingToken, currency, date } = settlement;
    for (const account of ['', accountingToken]) {
      const key = `${account} ${currency}`;
      if (date > (newest.get(key) ?? '')) newest.set(key, date);
    }
  }
  return newest;
}

function unnamedTypesOf({ kinds }: OrderRows, scales: ReadonlyMap<string, number>) {
  const left = kinds.filter(({ factor, isOfType }) => factor !== 0 && !isOfType);
  const groups = groupedBy(left, ({ kind: { type, currency } }) => `${currency} ${type}`);
  return [...groups.values()].flatMap((some) => {
    const [first] = some;
    if (!first) return [];
    const { type, currency } = first.kind;
    const scale = scales.get(currency) ?? 0;
    const rows = some.reduce((sum, one) => sum + one.rows, 0);
    return [{ type, currency, scale, rows, minor: sumOfKinds(scale, some) }];
  });
}

function sumOfKinds(scale: number, kinds: OrderRows['kinds']): bigint {
  return kinds.reduce((sum, { minor, kind }) => sum + rescale(minor, kind.scale, scale), 0n);
}

function numbersOf(states: Uint8Array, state: number): readonly number[] {
  const found: number[] = [];
  for (let at = states.indexOf(state); at >= 0; at = states.indexOf(state, at + 1)) found.push(at);
  return found;
}

/** The decimal places of each currency: of ISO 4217, or more if rows have more. */
function scalesOf(orders: Orders, rows: OrderRows): ReadonlyMap<string, number> {
  const own = orders.currencies.map((one) => ({ currency: one, scale: minorUnitsOf(one) ?? 2 }));
  const headers = rows.kinds.map(({ settlement }) => settlement);
  return largestScales([...own, ...headers, ...rows.kinds.map(({ kind }) => kind)]);
}

/** An order or a row, by what it has in common with its counterpart. */
interface Lot {
  readonly number: number;
  readonly keys: readonly string[];
}

/** More missing orders are not compared: then their references do not meet. */
const mostLacking = 10_000;

/** How many days lie between an order and the transaction that may be its own. */
const nearDays = 3;

/** Orders that are missing, by their amount alone and with each day near it. */
function lacksAmong(missing: readonly number[], match: OrderMatching['match']): readonly Lot[] {
  return (missing.length > mostLacking ? [] : missing).map((number) => {
    const { currency, due, documents } = match(number);
    const [day = ''] = documents.map(({ paidDay }) => paidDay);
    const money = amountText(currency, due);
    const near = daysOf({ from: addDays(day, -nearDays), to: addDays(day, nearDays) });
    return { number, keys: [money, ...[...near].map((one) => `${money} ${one}`)] };
  });
}

/** What has a key in common, if there is one of each. */
function pairsAmong(some: readonly Lot[], others: readonly Lot[]): ReadonlyMap<number, number> {
  const byKey = (lots: readonly Lot[]) =>
    groupedBy(
      lots.flatMap((lot) => lot.keys.map((key) => ({ key, lot }))),
      ({ key }) => key,
    );
  const [own, their] = [byKey(some), byKey(others)];
  const fits = (all: typeof own, { keys }: Lot) => [
    ...new Set(keys.flatMap((key) => all.get(key)?.slice(0, 2) ?? []).map(({ lot }) => lot)),
  ];
  const pairs = some.flatMap((one) => {
    const [other, ...more] = fits(their, one);
    const isOnly = other && more.length === 0 && fits(own, other).length === 1;
    return isOnly ? [[one.number, other.number] as const, [other.number, one.number] as const] : [];
  });
  return new Map(pairs);
}

const amountText = (currency: string, minor: bigint) => `${currency} ${minor}`;

/** The sums of a state, of orders or rows without an order. Minor units at the scale of the ladder. */
export interface StateSum {
  readonly state: OrderState;
  readonly isOfRows: boolean;
  readonly count: number;
  /** What the shop expects for them, less its refunds; 0 for rows. */
  readonly due: bigint;
  /** The total of their rows in this currency. */
  readonly settled: bigint;
}

/** Two calculations of the settled amount in a currency, both exact. */
export interface OrderLadder {
  readonly currency: string;
  readonly scale: number;
  /** Orders with an amount due, and those of them that are paid in full; of these, those with a row left out. */
  readonly payable: number;
  readonly paid: number;
  readonly paidWithoutRow: number;
  /** Orders by state, then rows without an order. */
  readonly states: readonly StateSum[];
  /** What the shop expects for all orders, less its refunds. */
  readonly due: bigint;
  /** Of it, by the month of the sale. */
  readonly months: readonly MonthOfSale[];
  /** The rows of the range, by part. */
  readonly rows: Readonly<Record<LadderPart, RowSum>>;
  /** The total of rows in another currency than their order: part of `ofOrders`, due in no currency. */
  readonly foreign: bigint;
  /** All that count: due, and what each state adds or lacks. */
  readonly settled: bigint;
  /** The total of the rows of pending settlements, and the gross of the other ones by their headers, if stated. */
  readonly pending: bigint;
  readonly gross: bigint | undefined;
}

/** The orders of a month with an amount due: what the shop expects for them, and what is settled of it. */
interface MonthOfSale extends Pick<StateSum, 'count' | 'due' | 'settled'> {
  /** YYYY-MM. */
  readonly month: string;
}

const rowParts = ['range', 'ofOrders', 'withoutOrder', 'ambiguous', 'notCounted'] as const;

type LadderPart = (typeof rowParts)[number];

interface RowSum {
  readonly count: number;
  readonly minor: bigint;
}

const nothingDue: readonly OrderState[] = ['nothing_due', 'out_of_scope', 'cancelled'];
const paidInFull: readonly OrderState[] = ['settled', 'settled_in_parts', 'pending'];

interface LadderStep {
  /** `foreign`: rows of orders in another currency. */
  readonly of: 'orders' | 'rows' | 'foreign';
  readonly state: OrderState;
  readonly count: number;
  readonly minor: bigint;
}

/** The steps from what the shop expects to what is settled: together they are the difference, exactly. */
export function stepsOf({ states, foreign }: OrderLadder): readonly LadderStep[] {
  const changes = states.map(({ state, isOfRows, count, due, settled }): LadderStep => {
    return { of: isOfRows ? 'rows' : 'orders', state, count, minor: settled - due };
  });
  const others: LadderStep = { of: 'foreign', state: 'other_currency', count: 0, minor: foreign };
  return [...changes, others].filter((one) => one.minor !== 0n);
}

type Mutable<Type> = { -readonly [Key in keyof Type]: Type[Key] };

type Sums = Mutable<Omit<OrderLadder, 'states' | 'rows' | 'months'>> & {
  readonly states: Map<string, Mutable<StateSum>>;
  readonly months: Map<string, Mutable<MonthOfSale>>;
  readonly rows: Readonly<Record<LadderPart, Mutable<RowSum>>>;
};

/** Adds up matches by currency and state. */
class OrderTotals {
  readonly #scales: ReadonlyMap<string, number>;
  readonly #sums = new Map<string, Sums>();
  readonly #headers = new Set<Settlement>();
  /** The days of the settlements whose rows are added up; all, if absent. */
  readonly #days: DateRange | undefined;

  constructor(scales: ReadonlyMap<string, number>, days: DateRange | undefined) {
    this.#scales = scales;
    this.#days = days;
  }

  /** Adds the rows of a match and, if it counts, the match. */
  add(match: OrderMatch, isCounted: boolean): void {
    const { state, rows, currency, due, net, payment, reason, documents } = match;
    const own = this.#of(currency);
    const isOfRows = payment === undefined;
    const part = !isOfRows ? 'ofOrders' : state === 'ambiguous' ? 'ambiguous' : 'withoutOrder';
    for (const { kind, amount, settlement } of rows) {
      const sums = this.#of(kind.currency);
      if (this.#isOfDays(settlement)) count(sums.rows[part], 1, amount);
      if (!isCounted) continue;
      sums.settled += amount;
      if (sums !== own) sums.foreign += amount;
    }
    if (!isCounted) return;
    own.due += due;
    if (payment && !nothingDue.includes(payment)) own.payable += 1;
    if (payment && paidInFull.includes(payment)) {
      own.paid += 1;
      if (reason === 'row_left_out') own.paidWithoutRow += 1;
    }
    const key = `${state} ${isOfRows}`;
    const sum = own.states.get(key) ?? { state, isOfRows, count: 0, due: 0n, settled: 0n };
    sum.count += 1;
    sum.due += due;
    sum.settled += net;
    own.states.set(key, sum);
    if (isOfRows || (due === 0n && net === 0n)) return;
    const month = saleDay(documents).slice(0, 7);
    const sold = own.months.get(month) ?? { month, count: 0, due: 0n, settled: 0n };
    sold.count += due === 0n ? 0 : 1;
    sold.due += due;
    sold.settled += net;
    own.months.set(month, sold);
  }

  /** Adds the rows of a kind in a settlement, and its header with the first of them. */
  addRows({
    kind,
    settlement,
    factor,
    isOfType,
    rows,
    minor: own,
  }: OrderRows['kinds'][number]): void {
    if (!this.#isOfDays(settlement)) return;
    const sums = this.#of(kind.currency);
    const minor = rescale(own, kind.scale, sums.scale);
    count(sums.rows.range, rows, minor);
    if (factor === 0 || !isOfType) count(sums.rows.notCounted, rows, minor);
    if (isPending(settlement)) sums.pending += minor;
    else if (!this.#headers.has(settlement)) {
      this.#headers.add(settlement);
      const { currency, scale, gross } = settlement;
      const ofHeader = this.#of(currency);
      const before = ofHeader.gross;
      ofHeader.gross =
        gross === undefined || before === undefined
          ? undefined
          : before + rescale(gross, scale, ofHeader.scale);
    }
  }

  ladders(): readonly OrderLadder[] {
    const place = ({ state, isOfRows }: StateSum) => [Number(isOfRows), orderStates.indexOf(state)];
    return [...this.#sums.values()]
      .sort((one, other) => byText(one.currency, other.currency))
      .map((sums) => ({
        ...sums,
        states: [...sums.states.values()].sort(inOrderOf(place)),
        months: [...sums.months.values()].sort(inOrderOf(({ month }) => [month])),
      }));
  }

  #isOfDays({ date }: Settlement): boolean {
    return !this.#days || isDayIn(this.#days, date);
  }

  #of(currency: string): Sums {
    const known = this.#sums.get(currency);
    if (known) return known;
    const sums: Sums = {
      currency,
      scale: this.#scales.get(currency) ?? 0,
      payable: 0,
      paid: 0,
      paidWithoutRow: 0,
      states: new Map(),
      months: new Map(),
      due: 0n,
      foreign: 0n,
      settled: 0n,
      pending: 0n,
      gross: 0n,
      rows: tableOf(rowParts, () => ({ count: 0, minor: 0n })),
    };
    this.#sums.set(currency, sums);
    return sums;
  }
}

function count(sum: Mutable<RowSum>, rows: number, minor: bigint): void {
  sum.count += rows;
  sum.minor += minor;
}
