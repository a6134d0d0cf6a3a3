import { byText } from '../../base/texts.ts';
import { type Money, rescale } from '../../money/money.ts';
import { type OrderMatch, type OrderState, orderStates } from './order-match.ts';

/** What a state comes to: orders, or rows without an order. Minor units at the scale of the ladder. */
export interface StateSum {
  readonly state: OrderState;
  readonly isOfRows: boolean;
  readonly count: number;
  /** What the shop expects of them, less what it gave back; 0 for rows. */
  readonly due: bigint;
  /** What their rows come to in this currency. */
  readonly settled: bigint;
}

/** Two ways to what is settled in a currency, both exact. */
export interface OrderLadder {
  readonly currency: string;
  readonly scale: number;
  /** Orders that something is due of, and those of them that are paid in full. */
  readonly payable: number;
  readonly paid: number;
  /** Orders by state, then rows without an order. */
  readonly states: readonly StateSum[];
  /** What the shop expects of all orders, less what it gave back. */
  readonly due: bigint;
  /** The rows of the range: those of orders, without an order, and those that do not count. */
  readonly ofOrders: RowSum;
  readonly withoutOrder: RowSum;
  readonly notCounted: RowSum;
  /** What rows of orders in another currency come to: part of `ofOrders`, and due in none. */
  readonly foreign: RowSum;
  /** All that count: due, and what each state adds or lacks. */
  readonly settled: bigint;
}

export interface RowSum {
  readonly rows: number;
  readonly minor: bigint;
}

const nothingDue: readonly OrderState[] = ['nothing_due', 'out_of_scope', 'cancelled'];
const paidInFull: readonly OrderState[] = ['settled', 'settled_in_parts', 'pending'];

const nothing: RowSum = { rows: 0, minor: 0n };

type Sums = {
  -readonly [Key in keyof Omit<OrderLadder, 'states'>]: OrderLadder[Key];
} & { readonly states: Map<string, StateSum> };

/** A step from what the shop expects to what is settled. */
export interface LadderStep {
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
  const { rows: count, minor } = foreign;
  const others: LadderStep = { of: 'foreign', state: 'other_currency', count, minor };
  return [...changes, others].filter((one) => one.minor !== 0n);
}

/** Adds up matches by currency and state. */
export class OrderTotals {
  readonly #scales: ReadonlyMap<string, number>;
  readonly #sums = new Map<string, Sums>();

  constructor(scales: ReadonlyMap<string, number>) {
    this.#scales = scales;
  }

  add({ state, rows, currency, due, payment }: OrderMatch): void {
    const own = this.#of(currency);
    const isOfRows = payment === undefined;
    let settled = 0n;
    for (const { kind, amount } of rows) {
      const sums = this.#of(kind.currency);
      sums.settled += amount;
      if (isOfRows) sums.withoutOrder = plus(sums.withoutOrder, amount);
      else sums.ofOrders = plus(sums.ofOrders, amount);
      if (kind.currency === currency) settled += amount;
      else sums.foreign = plus(sums.foreign, amount);
    }
    own.due += due;
    if (payment !== undefined && !nothingDue.includes(payment)) own.payable += 1;
    if (payment !== undefined && paidInFull.includes(payment)) own.paid += 1;
    const key = `${state} ${isOfRows}`;
    const before = own.states.get(key) ?? { state, isOfRows, count: 0, due: 0n, settled: 0n };
    own.states.set(key, {
      ...before,
      count: before.count + 1,
      due: before.due + due,
      settled: before.settled + settled,
    });
  }

  /** Adds rows that do not count. */
  leaveOut({ currency, scale, minor, rows }: Money & { readonly rows: number }): void {
    const sums = this.#of(currency);
    const more = rescale(minor, scale, sums.scale);
    sums.notCounted = { rows: sums.notCounted.rows + rows, minor: sums.notCounted.minor + more };
  }

  ladders(): readonly OrderLadder[] {
    const sorted = [...this.#sums.values()].sort((one, other) =>
      byText(one.currency, other.currency),
    );
    const place = ({ state, isOfRows }: StateSum) =>
      orderStates.indexOf(state) + (isOfRows ? orderStates.length : 0);
    return sorted.map((sums) => ({
      ...sums,
      states: [...sums.states.values()].sort((one, other) => place(one) - place(other)),
    }));
  }

  #of(currency: string): Sums {
    const known = this.#sums.get(currency);
    if (known) return known;
    const sums: Sums = {
      ...{ currency, scale: this.#scales.get(currency) ?? 0, states: new Map() },
      ...{ due: 0n, settled: 0n, ofOrders: nothing, withoutOrder: nothing },
      ...{ notCounted: nothing, foreign: nothing, payable: 0, paid: 0 },
    };
    this.#sums.set(currency, sums);
    return sums;
  }
}

function plus({ rows, minor }: RowSum, amount: bigint): RowSum {
  return { rows: rows + 1, minor: minor + amount };
}
