import type { RowKind } from '../model/row-batch.ts';
import { type Pricing, tariffFor } from './pricing.ts';
import {
  inMinorUnits,
  leftovers,
  leftoversRoundedUp,
  million,
  type RoundingRule,
} from './rounding.ts';
import { ExactSums } from './sums.ts';
import { type ChargedRows, exactCharge, type Tariff } from './tariffs.ts';

/** What is rounded: each row, the total once, or the total of each payment type or type of row. */
export type RoundedOf = 'row' | 'total' | 'payment_type' | 'type';

/** A way to round. */
export interface Rounding {
  readonly rule: RoundingRule;
  readonly of: RoundedOf;
}

/**
 * How often the rows of a kind are in a sum: negative where they have the opposite sign there, 0 where
 * they are left out. By the number of the kind.
 */
export type Times = (kind: number) => bigint;

/** A fee or tax of a row, and the amount that it is charged on. Minor units. */
interface ChargedAmount {
  readonly base: bigint;
  readonly value: bigint;
}

/** What another rounding makes of a sum of fees or tax. */
export interface RoundingEffect {
  /** What the sum comes to, less what the rows list: minor units. */
  readonly difference: bigint;
  /** What it comes to more, with one more row of a kind; less, for a row that is left out. */
  readonly beside: (kind: RowKind, more: ChargedAmount, less: ChargedAmount) => bigint;
}

/** `times` is once for all kinds where absent. Rows without a tariff are in the sum as listed. */
export function roundingEffect(
  pricing: Pricing,
  { rule, of }: Rounding,
  times: Times = () => 1n,
): RoundingEffect {
  const exactOf = (kind: RowKind, charged: ChargedAmount) => exactly(pricing, kind, charged);
  if (of === 'row') {
    return {
      difference: sumOf(pricing, times, (kind) => roundedUp(pricing, rule, kind)),
      beside: (kind, more, less) =>
        inMinorUnits(exactOf(kind, more), rule) - inMinorUnits(exactOf(kind, less), rule),
    };
  }
  const exact = exactTotals(pricing, of, times);
  const listed = sumOf(pricing, times, (kind) => pricing.totals[kind]?.listed ?? 0n);
  const comesTo = [...exact.values()].reduce((sum, total) => sum + inMinorUnits(total, rule), 0n);
  return {
    difference: comesTo - listed,
    beside: (kind, more, less) => {
      const total = exact.get(groupOf(kind, of)) ?? 0n;
      const other = total + exactOf(kind, more) - exactOf(kind, less);
      return inMinorUnits(other, rule) - inMinorUnits(total, rule);
    },
  };
}

/** What becomes of the tax where it is charged on fees that are rounded this way. */
type TaxEffect = (
  to: Rounding & { readonly taxRule: RoundingRule },
  times?: Times,
) => RoundingEffect;

/**
 * Tax that is charged on fees as they are rounded: on their totals, or on those of each row. Nothing
 * where not all fees bear the same tax. `rows` are those of the fees, and so are amounts of rows.
 */
export function taxOnFees(rows: ChargedRows, fees: Pricing, tax: Pricing): TaxEffect | undefined {
  const [tariff] = tax.tariffs;
  if (tariff === undefined || !isOnAll(tax, fees)) return undefined;
  const exactOf = (kind: RowKind, charged: ChargedAmount) => exactly(fees, kind, charged);
  let ofRows: TaxOfRows | undefined;
  return ({ rule, of, taxRule }, times = () => 1n) => {
    const listed = sumOf(tax, times, (kind) => tax.totals[kind]?.listed ?? 0n);
    const taxOf = (exact: bigint) =>
      inMinorUnits(inMinorUnits(exact, rule) * BigInt(tariff.rate), taxRule);
    if (of === 'row') {
      ofRows ??= new TaxOfRows(rows, fees, tariff);
      const ofKind = ofRows.roundedBy(rule, taxRule);
      return {
        difference: sumOf(fees, times, ofKind) - listed,
        beside: (kind, more, less) => taxOf(exactOf(kind, more)) - taxOf(exactOf(kind, less)),
      };
    }
    const exact = exactTotals(fees, of, times);
    return {
      difference: [...exact.values()].reduce((sum, total) => sum + taxOf(total), 0n) - listed,
      beside: (kind, more, less) => {
        const total = exact.get(groupOf(kind, of)) ?? 0n;
        return taxOf(total + exactOf(kind, more) - exactOf(kind, less)) - taxOf(total);
      },
    };
  };
}

/** Whether there is one tax, a rate of all listed fees. */
function isOnAll({ base, tariffs: [tariff, another], totals }: Pricing, fees: Pricing): boolean {
  if (base !== 'fees' || !tariff || another || tariff.fixed !== 0) return false;
  const rate = BigInt(tariff.rate);
  return fees.totals.every(({ listed }, kind) => listed * rate === totals[kind]?.exact);
}

/**
 * The tax of each row on its fee as it may be rounded, down or up: summed by kind and leftover, so that
 * all rules are answered by one pass over the rows.
 */
class TaxOfRows {
  /** Of whole minor units, with the sign of the fee. */
  readonly #whole: ExactSums;
  /** By leftover of the tax, how many rows, less those with a negative sign. */
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

/** Where the rows of a kind stand whose fee has this leftover, rounded down or up. */
function placeOf(kind: number, leftover: number, up: 0 | 1): number {
  return (kind * leftovers + leftover) * 2 + up;
}

/** Sums over all kinds. */
function sumOf({ kinds }: Pricing, times: Times, measure: (kind: number) => bigint): bigint {
  return kinds.reduce((sum, _, kind) => sum + times(kind) * measure(kind), 0n);
}

/** How many rows of a kind another rule rounds away from zero, less those that are so by their own. */
function roundedUp({ totals, rule: own }: Pricing, rule: RoundingRule, kind: number): bigint {
  const rows = (by: RoundingRule) =>
    leftoversRoundedUp(by).reduce((sum, one) => sum + (totals[kind]?.leftovers[one] ?? 0), 0);
  return BigInt(rows(rule) - rows(own));
}

/** In millionths, by what is rounded at once. */
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

/** What a row is charged before any rounding, in millionths. A row without a tariff is as listed. */
function exactly(pricing: Pricing, kind: RowKind, { base, value }: ChargedAmount): bigint {
  const tariff = value === 0n ? undefined : tariffFor(pricing, kind, base < 0n ? -1 : 1);
  if (tariff === undefined || base === 0n) return value * BigInt(million);
  const magnitude = (base < 0n ? -base : base) * BigInt(tariff.rate) + BigInt(tariff.fixed);
  return value < 0n ? -magnitude : magnitude;
}
