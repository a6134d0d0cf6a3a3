import type { RowKind } from '../model/row-batch.ts';
import type { RoundingRule } from '../money/rounding.ts';
import { type Pricing, tariffFor } from './pricing.ts';
import { inMinorUnits, leftoversRoundedUp, million } from './tariffs.ts';

/** What is rounded: each row, or the total. */
type RoundedOf = 'row' | 'total';

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
  const exact = sumOf(pricing, times, (kind) => pricing.totals[kind]?.exact ?? 0n);
  const listed = sumOf(pricing, times, (kind) => pricing.totals[kind]?.listed ?? 0n);
  return {
    difference: rounded(exact) - listed,
    beside: (kind, more, less) =>
      rounded(exact + exactOf(kind, more) - exactOf(kind, less)) - rounded(exact),
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

/** The charge of a row before rounding, in millionths; as listed without a tariff. */
function exactly(pricing: Pricing, kind: RowKind, { base, value }: ChargedAmount): bigint {
  const tariff = value === 0n ? undefined : tariffFor(pricing, kind, base < 0n ? -1 : 1);
  if (tariff === undefined || base === 0n) return value * BigInt(million);
  const magnitude = (base < 0n ? -base : base) * BigInt(tariff.rate) + BigInt(tariff.fixed);
  return value < 0n ? -magnitude : magnitude;
}
