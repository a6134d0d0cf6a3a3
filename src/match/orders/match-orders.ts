import { addDays } from '../../base/calendar.ts';
import { groupedBy } from '../../base/lists.ts';
import type { Orders } from '../../model/orders.ts';
import type { DateRange } from '../../model/source.ts';
import { minorUnitsOf } from '../../money/minor-units.ts';
import { largestScales } from '../../money/money.ts';
import { judgeOrder, judgeRow, type OrderCase } from './judge.ts';
import { type OrderLadder, OrderTotals } from './ladder.ts';
import { type OrderMatch, type OrderState, orderStates } from './order-match.ts';
import type { OrderRows } from './order-rows.ts';

interface OrderQuestion {
  readonly range: DateRange;
  readonly lastDay: string;
  readonly settleDays: number;
  /** Whether all rows of the range were read. */
  readonly areRowsWhole: boolean;
  readonly timeZone: string;
}

/** Orders against rows: numbers stand for the orders, then for the rows without an order. */
export interface OrderMatching {
  readonly size: number;
  /** How many of them are orders. */
  readonly orders: number;
  /** Judges again, as a million matches would not fit into memory. */
  match(number: number): OrderMatch;
  inState(state: OrderState): readonly number[];
  /** The order that is missing by as much as this one is over, or the reverse, if only one is. */
  counterpart(number: number): number | undefined;
  readonly ladders: readonly OrderLadder[];
}

/** Matches orders with the rows of a range. */
export function matchOrders(
  orders: Orders,
  rows: OrderRows,
  { range, lastDay, settleDays, areRowsWhole, timeZone }: OrderQuestion,
): OrderMatching {
  rows.settle();
  const lateDay = addDays(lastDay, -settleDays);
  const isWhole = areRowsWhole && orders.unreadableLines === 0;
  const scales = scalesOf(orders, rows);
  const days = { range, lastDay, lateDay, isWhole };
  const all: OrderCase = { orders, rows, days, timeZone, scales };
  const [open, ambiguous] = [rows.without(), rows.without(true)];
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
  const totals = new OrderTotals(scales);
  for (const one of rows.notCounted) totals.leaveOut(one);
  for (let number = 0; number < size; number += 1) {
    const one = match(number);
    states[number] = orderStates.indexOf(one.state);
    totals.add(one);
  }
  const inState = (state: OrderState) => numbersOf(states, orderStates.indexOf(state));
  const counterparts = pairsAmong([...inState('amount_differs'), ...inState('settled_twice')], {
    missing: inState('missing_in_settlements'),
    match,
  });
  return {
    size,
    orders: orders.size,
    match,
    inState,
    counterpart: (number) => counterparts.get(number),
    ladders: totals.ladders(),
  };
}

function numbersOf(states: Uint8Array, state: number): readonly number[] {
  const found: number[] = [];
  for (let at = states.indexOf(state); at >= 0; at = states.indexOf(state, at + 1)) found.push(at);
  return found;
}

/** The decimal places of each currency: of ISO 4217, or more if rows have more. */
function scalesOf(orders: Orders, rows: OrderRows): ReadonlyMap<string, number> {
  const own = orders.currencies.map((one) => ({ currency: one, scale: minorUnitsOf(one) ?? 2 }));
  return largestScales([...own, ...rows.kinds.map(({ kind }) => kind), ...rows.notCounted]);
}

/** Orders that are over and orders that are missing by one amount, if there is one of each. */
function pairsAmong(
  over: readonly number[],
  { missing, match }: { readonly missing: readonly number[] } & Pick<OrderMatching, 'match'>,
): ReadonlyMap<number, number> {
  const lacking = groupedBy(missing, (one) => amountText(match(one).currency, match(one).due));
  const having = groupedBy(over, (one) =>
    amountText(match(one).currency, match(one).difference ?? 0n),
  );
  const pairs = [...having].flatMap(([amount, [one, ...others]]) => {
    const [other, ...more] = lacking.get(amount) ?? [];
    const isOnly = others.length === 0 && more.length === 0;
    return one !== undefined && other !== undefined && isOnly ? [[one, other] as const] : [];
  });
  return new Map(pairs.flatMap(([one, other]) => [[one, other] as const, [other, one] as const]));
}

const amountText = (currency: string, minor: bigint) => `${currency} ${minor}`;
