import { keysOf, largestOf, smallestOf } from '../base/lists.ts';
import { magnitude } from '../money/money.ts';
import { type RoundingRule, rounded } from '../money/rate.ts';
import { ExactSums } from './sums.ts';

/** Fixed parts are exact in millionths of a minor unit, rates in millionths of the amount. */
export const million = 1_000_000;

/** What is left beyond whole minor units; a half is above an even or an odd number. */
const left = { nothing: 0, less: 1, halfAboveEven: 2, halfAboveOdd: 3, more: 4 } as const;

/** The number of kinds of leftovers; they are numbered from 0. */
export const leftovers = Object.keys(left).length;

/** The leftovers that each rule rounds away from zero. */
export const leftoversRoundedUp: Readonly<Record<RoundingRule, readonly number[]>> = {
  half_up: [left.halfAboveEven, left.halfAboveOdd, left.more],
  half_even: [left.halfAboveOdd, left.more],
  down: [],
  up: [left.less, left.halfAboveEven, left.halfAboveOdd, left.more],
};

/** All rules, the usual ones first. */
export const roundingRules = keysOf(leftoversRoundedUp);

/** The leftover of a number of whole minor units, odd or even, and `rest` millionths. */
function leftoverOf(isOdd: boolean, rest: number): number {
  if (rest === 0) return left.nothing;
  if (2 * rest === million) return isOdd ? left.halfAboveOdd : left.halfAboveEven;
  return 2 * rest < million ? left.less : left.more;
}

/** Rounds millionths of a minor unit. `up` is away from zero, so refunds round as purchases. */
export function inMinorUnits(millionths: bigint, rule: RoundingRule): bigint {
  const all = rounded(magnitude(millionths), BigInt(million), rule);
  return millionths < 0n ? -all : all;
}

/** Millionths of a minor unit, and of the amount, at least 0. Magnitudes are charged. */
export interface Tariff {
  readonly fixed: number;
  readonly rate: number;
}

/** Charged amounts other than 0, their fees or tax, and the numbers of their kinds. Minor units within ±(2^53 − 1). */
export interface ChargedRows {
  readonly bases: readonly number[];
  readonly values: readonly number[];
  readonly kinds: readonly number[];
}

/** The totals of the rows of one kind that fit a tariff, with the signs of their fees or tax. */
export interface KindTotals {
  /** The charges before rounding, in millionths of a minor unit. */
  readonly exact: bigint;
  /** The listed charges, in minor units. */
  readonly listed: bigint;
  /** The number of rows with each leftover, less those with a negative sign. */
  readonly leftovers: readonly number[];
}

interface FoundTariff {
  readonly tariff: Tariff;
  /** The rounding rules by which it does, at least one. */
  readonly rules: readonly RoundingRule[];
  /** The number of its digits, without those of known parts: the fewer, the simpler. */
  readonly digits: number;
  readonly totals: readonly KindTotals[];
}

/** A tariff with more digits beyond those of the simplest is a hundred times less likely. */
const maxMoreDigits = 1;
/** 12.34 + 1.2345 %. */
const maxDigits = 9;
/** Among more candidates the rows do not show which is right. */
const maxTested = 2_000;
/** If more fixed parts are possible, only those with at most two digits are tried. */
const maxFixed = 300;

/** Finds at most `limit` tariffs of rows, the simplest first; parts of `known` ones count as simple. */
export function tariffFinder(
  rows: ChargedRows,
): (limit: number, known?: readonly Tariff[]) => readonly FoundTariff[] {
  const sign = signOf(rows);
  if (!sign) return () => [];
  const magnitudes = magnitudesOf(rows);
  const tested = (tariff: Tariff) => {
    const rules = rulesFor(rows, tariff);
    const [rule] = rules;
    if (rule === undefined) return [];
    const [totals, withNothing] = totalsBy(rows, sign, tariff, leftoversRoundedUp[rule]);
    const found = { tariff, rules, totals };
    return withNothing ? [found, { tariff, rules: [rule], totals: withNothing }] : [found];
  };
  return (limit, known = []) => {
    // Fixed parts are usually whole minor units; tenths are rare.
    for (const step of [million, million / 10]) {
      const found: FoundTariff[] = [];
      let tries = 0;
      for (const { digits, ...tariff } of simplestFirst(magnitudes, step, known)) {
        const isRare = digits > (found[0]?.digits ?? maxDigits) + maxMoreDigits;
        if (isRare || found.length >= limit || tries >= maxTested) break;
        tries += 1;
        found.push(...tested(tariff).map((one) => ({ ...one, digits })));
      }
      if (found.length > 0) return found.sort(byUsualness);
    }
    return [];
  };
}

/** 0.25 rounded down gives the same rows as 0.24 rounded up; the more usual one is first. */
function byUsualness(a: FoundTariff, b: FoundTariff): number {
  const isOdd = ({ tariff: { fixed } }: FoundTariff) => Number(fixed % (5 * million) !== 0);
  const ruleOf = ({ rules: [rule = 'up'] }: FoundTariff) => roundingRules.indexOf(rule);
  return a.digits - b.digits || isOdd(a) - isOdd(b) || ruleOf(a) - ruleOf(b);
}

/** 1 if all values have the signs of their bases, −1 if all have the opposite ones. */
function signOf({ bases, values }: ChargedRows): -1 | 1 | undefined {
  let sign = 0;
  for (let row = 0; row < bases.length; row++) {
    const own = Math.sign((bases[row] ?? 0) * (values[row] ?? 0));
    if (own !== 0 && sign !== 0 && own !== sign) return undefined;
    sign ||= own;
  }
  return sign > 0 ? 1 : sign < 0 ? -1 : undefined;
}

type Magnitudes = Pick<ChargedRows, 'bases' | 'values'>;

function magnitudesOf({ bases, values }: ChargedRows): Magnitudes {
  const rows = [...values.keys()].filter((row) => values[row] !== 0);
  const of = (all: readonly number[]) => rows.map((row) => Math.abs(all[row] ?? 0));
  return { bases: of(bases), values: of(values) };
}

/** Tariffs with a fixed part that is a multiple of `step`, those with few digits first. */
function* simplestFirst(
  rows: Magnitudes,
  step: number,
  known: readonly Tariff[],
): Iterable<Tariff & Pick<FoundTariff, 'digits'>> {
  const knownRates = new Set(known.map(({ rate }) => rate));
  const withFixed = fixedParts(rows, step).map((fixed) => ({
    fixed,
    fixedDigits: known.some((one) => one.fixed === fixed) ? 0 : digitsOf(fixed),
    rates: ratesBeside(rows, fixed),
  }));
  for (let digits = 0; digits <= maxDigits; digits++) {
    for (const { fixed, fixedDigits, rates } of withFixed) {
      if (fixedDigits > digits) continue;
      if (fixedDigits === digits) {
        for (const rate of knownRates) {
          if (rate >= rates.low && rate <= rates.high) yield { fixed, rate, digits };
        }
      }
      for (const rate of ratesOf(digits - fixedDigits, rates)) {
        if (!knownRates.has(rate)) yield { fixed, rate, digits };
      }
    }
  }
}

/** Of the rows with the smallest and the largest base, no fixed part may put one off by a minor unit. */
function fixedParts({ bases, values }: Magnitudes, step: number): readonly number[] {
  const [low, high] = [smallestOf(bases), largestOf(bases)];
  const [least, most] = [values[bases.indexOf(low)] ?? 0, values[bases.indexOf(high)] ?? 0];
  const rates =
    high > low ? [-2, 2].map((by) => (most - least + by) / (high - low)) : [0, Infinity];
  const [highest = 0, lowest = 0] = rates.map((rate) => least - rate * low);
  const first = Math.max(0, Math.ceil(((lowest - 1) * million) / step));
  const last = Math.floor((Math.min(highest + 1, smallestOf(values) + 1) * million) / step);
  if (last - first < maxFixed) {
    return Array.from({ length: Math.max(0, last - first + 1) }, (_, n) => (first + n) * step);
  }
  const short: number[] = first === 0 ? [0] : [];
  for (let unit = 1; unit <= last; unit *= 10) {
    for (let digits = unit === 1 ? 1 : 10; digits < 100; digits++) {
      const fixed = unit === 1 ? digits : (digits * unit) / 10;
      if (fixed >= first && fixed <= last) short.push(fixed * step);
    }
  }
  return [...new Set(short)];
}

/** The bounds of the rate, in millionths, by which no row is off by a minor unit. */
function ratesBeside({ bases, values }: Magnitudes, fixed: number): Bounds {
  let [low, high] = [0, Infinity];
  for (let row = 0; row < bases.length && low <= high; row++) {
    const [base, variable] = [bases[row] ?? 0, (values[row] ?? 0) * million - fixed];
    low = Math.max(low, (variable - million) / base);
    high = Math.min(high, (variable + million) / base);
  }
  return { low, high };
}

/** Rates with so many digits in per cent: 0.05 % has two. Zeros at either end do not count. */
function* ratesOf(digits: number, { low, high }: Bounds): Iterable<number> {
  if (digits === 0 && low <= 0) yield 0;
  for (let decimals = 4; decimals >= -2; decimals--) {
    if (decimals > digits || digits === 0) continue;
    const unit = 10 ** (4 - decimals);
    const least = decimals === digits ? 1 : 10 ** (digits - 1);
    const first = Math.max(least, Math.ceil(low / unit));
    const last = Math.min(10 ** digits - 1, Math.floor(high / unit));
    for (let number = first; number <= last; number++) if (number % 10 !== 0) yield number * unit;
  }
}

interface Bounds {
  readonly low: number;
  readonly high: number;
}

/** The number of digits without zeros at the end; 0 has none. */
function digitsOf(number: number): number {
  return number === 0 ? 0 : `${number}`.replace(/0+$/, '').length;
}

/** The rounding rules by which a tariff gives every value other than 0. */
function rulesFor({ bases, values }: ChargedRows, tariff: Tariff): readonly RoundingRule[] {
  let rules = roundingRules;
  // One row is enough for each leftover and direction.
  const isTested: boolean[] = [];
  for (let row = 0; row < bases.length && rules.length > 0; row++) {
    const value = Math.abs(values[row] ?? 0);
    if (value === 0) continue;
    const { whole, leftover } = exactCharge(tariff, Math.abs(bases[row] ?? 0));
    const up = value - whole;
    if (up !== 0 && up !== 1) return [];
    const way = 2 * leftover + up;
    if (isTested[way]) continue;
    isTested[way] = true;
    rules = rules.filter((rule) => leftoversRoundedUp[rule].includes(leftover) === (up === 1));
  }
  return rules;
}

/** The totals by kind. If rows with a value of 0 may be rounded to it: without, and with them. */
function totalsBy(
  { bases, values, kinds }: ChargedRows,
  sign: -1 | 1,
  tariff: Tariff,
  roundedUp: readonly number[],
): readonly [readonly KindTotals[], (readonly KindTotals[])?] {
  const size = kinds.reduce((most, kind) => Math.max(most, kind + 1), 0);
  const [charged, all] = [new TotalsByKind(size), new TotalsByKind(size)];
  for (let row = 0; row < bases.length; row++) {
    const [base, value, kind] = [bases[row] ?? 0, values[row] ?? 0, kinds[row] ?? 0];
    const { whole, leftover } = exactCharge(tariff, Math.abs(base));
    const isNothing = whole === 0 && !roundedUp.includes(leftover);
    if (value !== 0) charged.add(kind, leftover, sign * base, value);
    if (value !== 0 || isNothing) all.add(kind, leftover, sign * base, value);
  }
  return all.rows > charged.rows ? [charged.by(tariff), all.by(tariff)] : [charged.by(tariff)];
}

/** The charge on a magnitude: whole minor units and the leftover. Exact for any size. */
function exactCharge({ fixed, rate }: Tariff, base: number) {
  const exact = base * rate + fixed;
  if (Number.isSafeInteger(exact)) {
    // Below 2^53 a quotient cannot be rounded up to the next integer.
    const whole = Math.floor(exact / million);
    return { whole, leftover: leftoverOf(whole % 2 === 1, exact - whole * million) };
  }
  const [large, unit] = [BigInt(base) * BigInt(rate) + BigInt(fixed), BigInt(million)];
  const whole = large / unit;
  return { whole: Number(whole), leftover: leftoverOf(whole % 2n === 1n, Number(large % unit)) };
}

class TotalsByKind {
  rows = 0;
  readonly #counts: Float64Array;
  readonly #leftovers: Float64Array;
  readonly #bases: ExactSums;
  readonly #values: ExactSums;

  constructor(kinds: number) {
    this.#counts = new Float64Array(kinds);
    this.#leftovers = new Float64Array(kinds * leftovers);
    this.#bases = new ExactSums(kinds);
    this.#values = new ExactSums(kinds);
  }

  /** `base` has the sign of its charge. */
  add(kind: number, leftover: number, base: number, value: number): void {
    const slot = kind * leftovers + leftover;
    this.rows += 1;
    this.#counts[kind] = (this.#counts[kind] ?? 0) + Math.sign(base);
    this.#leftovers[slot] = (this.#leftovers[slot] ?? 0) + Math.sign(base);
    this.#bases.add(kind, base);
    this.#values.add(kind, value);
  }

  by({ fixed, rate }: Tariff): readonly KindTotals[] {
    return Array.from(this.#counts, (count, kind) => ({
      exact: BigInt(fixed) * BigInt(count) + BigInt(rate) * this.#bases.total(kind),
      listed: this.#values.total(kind),
      leftovers: [...this.#leftovers.subarray(kind * leftovers, (kind + 1) * leftovers)],
    }));
  }
}
