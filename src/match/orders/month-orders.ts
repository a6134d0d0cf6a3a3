import { isDayIn } from '../../base/calendar.ts';
import { inOrderOf } from '../../base/texts.ts';
import type { OrderDocument } from '../../model/orders.ts';
import type { Settlement } from '../../model/settlement.ts';
import type { DateRange } from '../../model/source.ts';
import { rescale } from '../../money/money.ts';
import { type OrderMatch, type OrderState, orderStates } from './order-match.ts';
import type { OrderRows } from './order-rows.ts';

/**
 * What lies between the orders that were sold in a range and the gross of its settlements:
 * - `orders`: what is settled of these orders, less what is due, by state
 * - `settled_before`, `pending_rows`, `settled_after`: what of it is in settlements before the range, in pending ones,
 *   and in those after it
 * - `earlier_orders`, `later_orders`: what the settlements have of orders sold before or after the range
 * - `rows`: what they have without an order, by state
 * - `rows_in_other_currency`: rows of orders in another currency
 * - `not_counted`, `positive_refunds`: rows of types that do not count; refunds that the service adds
 * - `not_in_gross`: rows in another currency than their settlement
 */
export const monthParts = [
  'orders',
  'settled_before',
  'pending_rows',
  'settled_after',
  'earlier_orders',
  'later_orders',
  'rows',
  'rows_in_other_currency',
  'not_counted',
  'positive_refunds',
  'not_in_gross',
] as const;

export type MonthPart = (typeof monthParts)[number];

/** Minor units at the scale of its month. */
export interface MonthLine {
  readonly part: MonthPart;
  /** Of orders and of rows without one. */
  readonly state: OrderState | undefined;
  /** Of orders or, for the parts that are about rows, of rows. */
  readonly count: number;
  readonly minor: bigint;
}

/** The orders of a range in a currency: what was sold, and what makes the gross of the settlements differ. */
export interface MonthOfOrders {
  readonly currency: string;
  readonly scale: number;
  /** The orders that were sold in the range with an amount due, and that amount. */
  readonly orders: number;
  readonly sold: bigint;
  /** Together with what was sold, they are the gross. Differences that cancel each other are a line of 0. */
  readonly lines: readonly MonthLine[];
  /** The rows of the settlements of the range that are settled, in their own currency. */
  readonly gross: bigint;
}

/** A range of sales, and which of its settlements are settled. */
export interface MonthAsked {
  readonly range: DateRange;
  readonly isSettled: (settlement: Settlement) => boolean;
}

/** The day of an order: of its first sale or, of a mere refund, of that. */
export function saleDay(documents: readonly OrderDocument[]): string {
  const sales = documents.filter(({ isRefund }) => !isRefund);
  const days = (sales.length > 0 ? sales : documents).map(({ day }) => day);
  return days.sort()[0] ?? '';
}

type Place = 'before' | 'pending' | 'settled' | 'after';

interface Sums {
  orders: number;
  sold: bigint;
  gross: bigint;
  readonly lines: Map<string, { -readonly [Key in keyof MonthLine]: MonthLine[Key] }>;
}

/** Adds up matches for a range. */
export class MonthTotals {
  readonly #asked: MonthAsked;
  readonly #scales: ReadonlyMap<string, number>;
  readonly #sums = new Map<string, Sums>();

  constructor(asked: MonthAsked, scales: ReadonlyMap<string, number>) {
    this.#asked = asked;
    this.#scales = scales;
  }

  /** Adds a match. Returns whether it is of the range: its orders, and rows of its settlements without an order. */
  add(match: OrderMatch): boolean {
    const { state, rows, currency, payment } = match;
    const amounts = { before: 0n, pending: 0n, settled: 0n, after: 0n };
    const places = new Set<Place>();
    for (const { settlement, kind, amount } of rows) {
      const place = this.#placeOf(settlement);
      places.add(place);
      if (kind.currency === currency) amounts[place] += amount;
      else if (place === 'settled') this.#add(kind.currency, 'rows_in_other_currency', 1, amount);
    }
    if (payment === undefined) this.#add(currency, 'rows', 1, amounts.settled, state);
    else this.#addOrder(match, amounts);
    return this.#isOwn(match, places);
  }

  /** Earlier orders are told only for what came since, or never; a refund that was missing before, no more. */
  #isOwn({ payment, refund, documents }: OrderMatch, places: ReadonlySet<Place>): boolean {
    const { range } = this.#asked;
    if (payment === undefined) return places.has('settled') || places.has('pending');
    const day = saleDay(documents);
    if (day >= range.from) return day <= range.to;
    if (places.size > 0) return [...places].some((place) => place !== 'before');
    const isOfRefund = payment === 'not_covered' && refund === 'refund_missing';
    return !isOfRefund || documents.some((one) => isDayIn(range, one.refundDay));
  }

  #addOrder(
    { state, currency, due, net, documents }: OrderMatch,
    amounts: Readonly<Record<Place, bigint>>,
  ): void {
    const { range } = this.#asked;
    const day = saleDay(documents);
    if (!isDayIn(range, day)) {
      const part = day < range.from ? 'earlier_orders' : 'later_orders';
      this.#add(currency, part, 1, amounts.settled);
      return;
    }
    const sums = this.#of(currency);
    sums.sold += due;
    if (due !== 0n) sums.orders += 1;
    this.#add(currency, 'orders', 1, net - due, state);
    this.#add(currency, 'settled_before', 1, -amounts.before);
    this.#add(currency, 'pending_rows', 1, -amounts.pending);
    this.#add(currency, 'settled_after', 1, -amounts.after);
  }

  /** Adds the rows of a kind in a settlement. */
  addRows({ kind, settlement, factor, isOfType, rows, minor, turned }: OrderRows['kinds'][number]) {
    if (factor === 0 || this.#placeOf(settlement) !== 'settled') return;
    const { currency, scale } = kind;
    const at = (minor: bigint) => rescale(minor, scale, this.#scales.get(currency) ?? scale);
    const amount = at(minor);
    if (!isOfType) this.#add(currency, 'not_counted', rows, amount);
    this.#add(currency, 'positive_refunds', turned.rows, at(turned.minor));
    if (currency === settlement.currency) this.#of(currency).gross += amount;
    else this.#add(currency, 'not_in_gross', rows, -amount);
  }

  months(): readonly MonthOfOrders[] {
    const place = ({ part, state }: MonthLine) => [
      monthParts.indexOf(part),
      state ? orderStates.indexOf(state) : 0,
    ];
    return [...this.#sums].map(([currency, { orders, sold, gross, lines }]) => ({
      currency,
      scale: this.#scales.get(currency) ?? 0,
      orders,
      sold,
      lines: [...lines.values()].sort(inOrderOf(place)),
      gross,
    }));
  }

  #placeOf(settlement: Settlement): Place {
    const { range, isSettled } = this.#asked;
    if (settlement.date < range.from) return 'before';
    if (settlement.date > range.to) return 'after';
    return isSettled(settlement) ? 'settled' : 'pending';
  }

  #add(currency: string, part: MonthPart, count: number, minor: bigint, state?: OrderState): void {
    if (minor === 0n) return;
    const { lines } = this.#of(currency);
    const key = `${part} ${state}`;
    const line = lines.get(key) ?? { part, state, count: 0, minor: 0n };
    line.count += count;
    line.minor += minor;
    lines.set(key, line);
  }

  #of(currency: string): Sums {
    const sums = this.#sums.get(currency) ?? { orders: 0, sold: 0n, gross: 0n, lines: new Map() };
    this.#sums.set(currency, sums);
    return sums;
  }
}
