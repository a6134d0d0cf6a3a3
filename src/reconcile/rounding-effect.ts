import type { RowKind } from '../model/row-batch.ts';
import { type Pricing, tariffFor } from './pricing.ts';
import { inMinorUnits, leftoversRoundedUp, million, type RoundingRule } from './tariffs.ts';

/** What is rounded: each row, the total, or the total of each payment type or type of row. */
export type RoundedOf = 'row' | 'total' | 'payment_type' | 'type';

/** A way to round. */
export interface Rounding {
  readonly rule: RoundingRule;
  readonly of: RoundedOf;
}

/** How often rows of a kind, by its number, are in a sum: negative with the opposite sign. */
export type Times = (kind: number) => bigint;

/** A fee or tax of a row, and the amount on which it is charged; minor units. */
interface ChargedAmount {
  readonly base: bigint;
  readonly value: bigint;
}

/** The effect of another rounding on a sum of fees or tax. */
export interface RoundingEffect {
  /** The sum − what the rows list; minor units. */
  readonly difference: bigint;
  /** The change of the sum if a row of a kind has the amounts `more` in place of `less`. */
  readonly beside: (kind: RowKind, more: ChargedAmount, less: ChargedAmount) => bigint;
}

/** The effect of a rounding. `times` is 1 by default. Rows without a tariff stay as listed. */
export function roundingEffect(
  pricing: Pricing,
  { rule, of }: Rounding,
  times: Times = () => 1n,
): RoundingEffect {
  const rounded = (exact: bigint) => inMinorUnits(exact, rule);
  const exactOf = (kind: RowKind, charged: ChargedAmount) => exactly(pricing, kind, charged);
  if (of === 'row') {
    return {
      difference: sumOf(pricing, times, (kind) => roundedUp(pricing, rule, kind)),
      beside: (kind, more, less) => rounded(exactOf(kind, more)) - rounded(exactOf(kind, less)),
    };
  }
  const exact = exactTotals(pricing, of, times);
  const listed = sumOf(pricing, times, (kind) => pricing.totals[kind]?.listed ?? 0n);
  return {
    difference: [...exact.values()].reduce((sum, total) => sum + rounded(total), 0n) - listed,
    beside: (kind, more, less) => {
      const total = exact.get(groupOf(kind, of)) ?? 0n;
      return rounded(total + exactOf(kind, more) - exactOf(kind, less)) - rounded(total);
    },
  };
}

function sumOf({ kinds }: Pricing, times: Times, measure: (kind: number) => bigint): bigint {
  return kinds.reduce((sum, _, kind) => sum + times(kind) * measure(kind), 0n);
}

/** The rows that another rule rounds away from zero, less those that their own rule does. */
function roundedUp({ totals, rule: own }: Pricing, rule: RoundingRule, kind: number): bigint {
  const rows = (by: RoundingRule) =>
    leftoversRoundedUp(by).reduce((sum, one) => sum + (totals[kind]?.leftovers[one] ?? 0), 0);
  return BigInt(rows(rule) - rows(own));
}

/** Millionths, by what is rounded at once. */
function exactTotals(
  { kinds, totals }: Pricing,
  of: RoundedOf,
  times: Times,
): ReadonlyMap<string, bigint> {
  const sums = new Map<string, bigint>();
  for (const [number, kind] of kinds.entries()) {
    const group = groupOf(kind, of);
    const own = times(number) * (totals[number]?.exact ?? 0n);
    sums.set(group, (sums.get(group) ?? 0n) + own);
  }
  return sums;
}

function groupOf({ paymentType, type }: RowKind, of: RoundedOf): string {
  if (of === 'payment_type') return paymentType;
  return of === 'type' ? type : '';
}

/** The charge of a row before rounding, in millionths; as listed without a tariff. */
function exactly(pricing: Pricing, kind: RowKind, { base, value }: ChargedAmount): bigint {
  const tariff = value === 0n ? undefined : tariffFor(pricing, kind, base < 0n ? -1 : 1);
  if (tariff === undefined || base === 0n) return value * BigInt(million);
  const magnitude = (base < 0n ? -base : base) * BigInt(tariff.rate) + BigInt(tariff.fixed);
  return value < 0n ? -magnitude : magnitude;
}
