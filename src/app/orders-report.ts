import type { OrderMatching, StateSum } from '../match/orders/match-orders.ts';
import {
  asideStates,
  type OrderMatch,
  type OrderState,
  openOrderStates,
} from '../match/orders/order-match.ts';
import type { RowTypes } from '../match/orders/order-rows.ts';
import type { Charge } from '../model/charge.ts';
import type { Orders, OrdersCsv } from '../model/orders.ts';
import type { BankReport, BankVerdict } from './bank-report.ts';
import type { TransactionsRead } from './read-transactions.ts';

export interface OrdersReport
  extends Pick<BankReport, 'range' | 'profile' | 'filters' | 'names' | 'flags'> {
  readonly matching: OrderMatching;
  readonly orders: Orders;
  readonly files: readonly string[];
  readonly mapping: OrdersCsv;
  readonly types: RowTypes;
  readonly timeZone: string;
  readonly settleDays: number;
  readonly read: TransactionsRead;
  /** The charges of missing orders, by id; absent unless requested. */
  readonly charges: ReadonlyMap<string, Charge> | undefined;
  /** States that also change the verdict, by `--fail-on`. */
  readonly decidesBy: readonly OrderState[];
}

/** The verdict. Waiting orders do not change it; rows unknown to the shop do so only by `--fail-on`. */
export function ordersVerdict(report: OrdersReport): BankVerdict {
  if (!report.read.complete || report.orders.unreadableLines > 0) return 'incomplete';
  const isOpen = decidingStates(report).some((state) => countInState(report, state) > 0);
  return isOpen ? 'not_reconciled' : 'reconciled';
}

/** The states that need a decision, the most urgent first. */
export function decidingStates({ decidesBy }: Pick<OrdersReport, 'decidesBy'>) {
  const aside = asideStates.filter((state) => decidesBy.includes(state));
  return [...openOrderStates, ...aside] as const;
}

/** The sums of a state, by currency; orders and rows apart. */
export function sumsOfState(
  { matching }: Pick<OrdersReport, 'matching'>,
  state: OrderState,
  isOfRows?: boolean,
) {
  return matching.ladders.flatMap(({ currency, scale, states }) =>
    states
      .filter((one) => one.state === state && one.isOfRows === (isOfRows ?? one.isOfRows))
      .map((one): StateSum & { readonly currency: string; readonly scale: number } => {
        return { ...one, currency, scale };
      }),
  );
}

/** How many orders and rows are in a state, or only the rows or the orders of them. */
export function countInState(
  report: Pick<OrdersReport, 'matching'>,
  state: OrderState,
  isOfRows?: boolean,
): number {
  return sumsOfState(report, state, isOfRows).reduce((sum, { count }) => sum + count, 0);
}

/** The first matches in these states. */
export function matchesIn(
  { matching }: Pick<OrdersReport, 'matching'>,
  states: readonly OrderState[],
  limit: number,
): readonly NumberedMatch[] {
  const numbers = states.flatMap((state) => matching.inState(state).slice(0, limit));
  return numbers.slice(0, limit).map((number) => ({ number, match: matching.match(number) }));
}

export interface NumberedMatch {
  readonly number: number;
  readonly match: OrderMatch;
}

/** All orders in the order of the files, then the rows without an order. */
export function* allMatches(
  { matching }: Pick<OrdersReport, 'matching'>,
  part?: 'orders' | 'rows',
): Generator<OrderMatch> {
  const [from, to] = [
    part === 'rows' ? matching.orders : 0,
    part === 'orders' ? matching.orders : matching.size,
  ];
  for (let number = from; number < to; number += 1) yield matching.match(number);
}

/** The status of the charge of a missing order, if it was requested. */
export function chargeStatus(
  { documents }: OrderMatch,
  { charges }: Pick<OrdersReport, 'charges'>,
) {
  return documents.flatMap(({ chargeId }) => charges?.get(chargeId)?.status ?? [])[0];
}
