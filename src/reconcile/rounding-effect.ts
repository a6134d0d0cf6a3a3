import type { RowKind } from '../model/row-batch.ts';
import { type Pricing, tariffFor } from './pricing.ts';
import { ExactSums } from './sums.ts';
import {
  type ChargedRows,
  exactCharge,
  inMinorUnits,
  leftovers,
  leftoversRoundedUp,
  million,
  type RoundingRule,
  type Tariff,
} from './tariffs.ts';

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
  const listed = sumOf(pricing, times, (kind) => pricing.totals[kind]?.listed ?? 0n);
  const rounded = (exact: bigint) => inMinorUnits(exact, rule);
  return effectOf(pricing, of, times, listed, rounded, () =>
    sumOf(pricing, times, (kind) => roundedUp(pricing, rule, kind)),
  );
}

/** `charge` applies to what is rounded at once. If that is each row, `ofRows` compares. */
function effectOf(
  pricing: Pricing,
  of: RoundedOf,
  times: Times,
  listed: bigint,
  charge: (exact: bigint) => bigint,
  ofRows: () => bigint,
): RoundingEffect {
  const exactOf = (kind: RowKind, charged: ChargedAmount) => exactly(pricing, kind, charged);
  if (of === 'row') {
    return {
      difference: ofRows(),
      beside: (kind, more, less) => charge(exactOf(kind, more)) - charge(exactOf(kind, less)),
    };
  }
  const exact = exactTotals(pricing, of, times);
  return {
    difference: [...exact.values()].reduce((sum, total) => sum + charge(total), 0n) - listed,
    beside: (kind, more, less) => {
      const total = exact.get(groupOf(kind, of)) ?? 0n;
      return charge(total + exactOf(kind, more) - exactOf(kind, less)) - charge(total);
    },
  };
}

/** The effect on tax that is charged on fees rounded in a given way. */
type TaxEffect = (
  to: Rounding & { readonly taxRule: RoundingRule },
  times?: Times,
) => RoundingEffect;

/** The effect on tax of rounding fees. Undefined unless all fees bear the same tax. */
export function taxOnFees(rows: ChargedRows, fees: Pricing, tax: Pricing): TaxEffect | undefined {
  const [tariff] = tax.tariffs;
  if (tariff === undefined || !isOnAll(tax, fees)) return undefined;
  let ofRows: TaxOfRows | undefined;
  return ({ rule, of, taxRule }, times = () => 1n) => {
    const listed = sumOf(tax, times, (kind) => tax.totals[kind]?.listed ?? 0n);
    const taxOf = (exact: bigint) =>
      inMinorUnits(inMinorUnits(exact, rule) * BigInt(tariff.rate), taxRule);
    return effectOf(fees, of, times, listed, taxOf, () => {
      ofRows ??= new TaxOfRows(rows, fees, tariff);
      return sumOf(fees, times, ofRows.roundedBy(rule, taxRule)) - listed;
    });
  };
}

/** Whether the tax is one rate of all listed fees. */
function isOnAll({ base, tariffs: [tariff, another], totals }: Pricing, fees: Pricing): boolean {
  if (base !== 'fees' || !tariff || another || tariff.fixed !== 0) return false;
  const rate = BigInt(tariff.rate);
  return fees.totals.every(({ listed }, kind) => listed * rate === totals[kind]?.exact);
}

/** The tax of each row on its fee rounded down and up, summed by kind and leftover. */
class TaxOfRows {
  /** Whole minor units, with the sign of the fee. */
  readonly #whole: ExactSums;
  /** By leftover of the tax: the number of rows, less those with a negative sign. */
  readonly #leftovers: Float64Array;

  constructor({ bases, values, kinds: numbers }: ChargedRows, fees: Pricing, tax: Tariff) {
    const { kinds } = fees;
    const places = kinds.length * leftovers * 2;
    this.#whole = new ExactSums(places);
    this.#leftovers = new Float64Array(places * leftovers);
    const tariffs = kinds.flatMap((kind) => [-1, 1].map((sign) => tariffFor(fees, kind, sign)));
    for (let row = 0; row < bases.length; row++) {
      const [base, value, kind] = [bases[row] ?? 0, values[row] ?? 0, numbers[row] ?? 0];
      const tariff = tariffs[2 * kind + (base < 0 ? 0 : 1)];
      if (value === 0 || tariff === undefined) continue;
      const sign = Math.sign(value);
      const fee = exactCharge(tariff, Math.abs(base));
      for (const up of [0, 1] as const) {
        const { whole, leftover } = exactCharge(tax, fee.whole + up);
        const place = placeOf(kind, fee.leftover, up);
        const slot = place * leftovers + leftover;
        this.#whole.add(place, sign * whole);
        this.#leftovers[slot] = (this.#leftovers[slot] ?? 0) + sign;
      }
    }
  }

  /** The sum of each kind, with fees rounded by one rule and tax by the other. */
  roundedBy(rule: RoundingRule, taxRule: RoundingRule): (kind: number) => bigint {
    const [feesUp, taxUp] = [leftoversRoundedUp(rule), leftoversRoundedUp(taxRule)];
    return (kind) => {
      let sum = 0n;
      for (let leftover = 0; leftover < leftovers; leftover++) {
        const place = placeOf(kind, leftover, feesUp.includes(leftover) ? 1 : 0);
        sum += this.#whole.total(place);
        for (const one of taxUp) sum += BigInt(this.#leftovers[place * leftovers + one] ?? 0);
      }
      return sum;
    };
  }
}

/** The place of the rows of a kind whose fee has this leftover, rounded down or up. */
function placeOf(kind: number, leftover: number, up: 0 | 1): number {
  return (kind * leftovers + leftover) * 2 + up;
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
