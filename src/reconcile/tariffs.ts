import { largestOf, smallestOf } from '../base/lists.ts';
import {
  leftoverOf,
  leftovers,
  leftoversRoundedUp,
  million,
  type RoundingRule,
  roundingRules,
} from './rounding.ts';
import { ExactSums } from './sums.ts';

/**
 * What a row is charged: a fixed part, and a rate of its amount. In whole millionths, of a minor unit
 * and of the amount, at least 0. A negative amount is charged as a positive one, with the other sign.
 */
export interface Tariff {
  readonly fixed: number;
  readonly rate: number;
}

/**
 * Rows in columns: an amount (not 0), the fee or tax on it, both whole minor units within
 * ±(2^53 − 1), and the number of the row's kind. A row with a fee or tax of 0 needn't follow a tariff.
 */
export interface ChargedRows {
  readonly bases: readonly number[];
  readonly values: readonly number[];
  readonly kinds: readonly number[];
}

/** The rows of one kind that follow a tariff; signs are those of their fees or tax. */
export interface KindTotals {
  /** What they are charged before any rounding, in millionths of a minor unit. */
  readonly exact: bigint;
  /** What they list, in minor units. */
  readonly listed: bigint;
  /** By leftover, how many rows have it, less those with a negative sign. */
  readonly leftovers: readonly number[];
}

/** A tariff that gives the value of every row that has one. */
interface FoundTariff {
  readonly tariff: Tariff;
  /** The rounding rules by which it does; one at least. */
  readonly rules: readonly RoundingRule[];
  /** How many digits write it down, without those that are known: the fewer, the simpler it is. */
  readonly digits: number;
  /** By the number of each kind, as far as there are rows. */
  readonly totals: readonly KindTotals[];
}

/** A tariff with more digits than so many beside those of the simplest is a hundred times rarer. */
const mostDigitsMore = 1;
/** 12.34 + 1.2345 %. */
const mostDigits = 9;
/** Among more of them, the rows don't tell tariffs apart. */
const mostTested = 2_000;
/** Fixed parts that are tried one by one; of more, only those with two digits at most. */
const mostFixed = 300;

/**
 * Finds `most` tariffs, or fewer, that give every value, to the minor unit, by one rounding rule each:
 * the simplest first. The parts of `known` tariffs make others simpler.
 */
export type TariffFinder = (most: number, known?: readonly Tariff[]) => readonly FoundTariff[];

export function tariffFinder(rows: ChargedRows): TariffFinder {
  const sign = signOf(rows);
  const region = sign && regionOf(rows);
  if (!sign || !region) return () => [];
  const tested = (tariff: Tariff) => {
    const rules = rulesFor(rows, tariff);
    const [rule] = rules;
    if (rule === undefined) return [];
    const [totals, withNothing] = totalsBy(rows, sign, tariff, leftoversRoundedUp(rule));
    const found = { tariff, rules, totals };
    return withNothing ? [found, { tariff, rules: [rule], totals: withNothing }] : [found];
  };
  return (most, known = []) => {
    // A fixed part is whole minor units as a rule; tenths of one are rare.
    for (const step of [million, million / 10]) {
      const found: FoundTariff[] = [];
      let tries = 0;
      for (const { digits, ...tariff } of simplestFirst(region, step, known)) {
        const isRare = digits > (found[0]?.digits ?? mostDigits) + mostDigitsMore;
        if (isRare || found.length >= most || tries >= mostTested) break;
        tries += 1;
        found.push(...tested(tariff).map((one) => ({ ...one, digits })));
      }
      if (found.length > 0) return found.sort(byUsualness);
    }
    return [];
  };
}

/** 0.25 rounded down gives the same rows as 0.24 rounded up: the more usual one comes first. */
function byUsualness(a: FoundTariff, b: FoundTariff): number {
  const isOdd = ({ tariff: { fixed } }: FoundTariff) => Number(fixed % (5 * million) !== 0);
  const ruleOf = ({ rules: [rule = 'up'] }: FoundTariff) => roundingRules.indexOf(rule);
  return a.digits - b.digits || isOdd(a) - isOdd(b) || ruleOf(a) - ruleOf(b);
}

/** Whether values have the sign of what they are charged on, or all the other. */
function signOf({ bases, values }: ChargedRows): -1 | 1 | undefined {
  let sign = 0;
  for (let row = 0; row < bases.length; row++) {
    const own = Math.sign((bases[row] ?? 0) * (values[row] ?? 0));
    if (own !== 0 && sign !== 0 && own !== sign) return undefined;
    sign ||= own;
  }
  return sign > 0 ? 1 : sign < 0 ? -1 : undefined;
}

/** The fixed part, and what the rate makes of the largest base, both in minor units. */
type Corner = readonly [fixed: number, variable: number];

/**
 * A convex region outside of which no tariff gives all values: however it is rounded, each is less
 * than one minor unit from its exact amount. What is within is tested exactly afterwards.
 */
interface Region {
  readonly corners: readonly Corner[];
  readonly largestBase: number;
}

/** Nothing where it is empty. */
function regionOf({ bases, values }: ChargedRows): Region | undefined {
  let largestBase = 0;
  let largestValue = 0;
  for (let row = 0; row < bases.length; row++) {
    if (!values[row]) continue;
    largestBase = Math.max(largestBase, Math.abs(bases[row] ?? 0));
    largestValue = Math.max(largestValue, Math.abs(values[row] ?? 0));
  }
  // Wide enough that it doesn't matter how corners are rounded.
  const width = 1 + 1e-6 + largestValue * 1e-12;
  const [low, high] = [-0.5, largestValue + 2];
  let corners: readonly Corner[] = [
    [low, low],
    [high, low],
    [high, high],
    [low, high],
  ];
  for (let row = 0; row < bases.length; row++) {
    const value = Math.abs(values[row] ?? 0);
    if (value === 0) continue;
    const share = Math.abs(bases[row] ?? 0) / largestBase;
    corners = below(corners, 1, share, value + width);
    corners = below(corners, -1, -share, width - value);
    if (corners.length === 0) return undefined;
  }
  return { corners, largestBase };
}

/** The part of a region where `a` × fixed + `b` × variable is at most `limit`. Few rows cut it. */
function below(corners: readonly Corner[], a: number, b: number, limit: number): readonly Corner[] {
  if (isBelow(corners, a, b, limit)) return corners;
  const cut = corners.flatMap(([x, y], place) => {
    const [nextX, nextY] = corners[(place + 1) % corners.length] ?? [x, y];
    const [here, next] = [a * x + b * y - limit, a * nextX + b * nextY - limit];
    const kept: Corner[] = here <= 0 ? [[x, y]] : [];
    if (here < 0 !== next < 0 && here !== next) {
      const part = here / (here - next);
      kept.push([x + part * (nextX - x), y + part * (nextY - y)]);
    }
    return kept;
  });
  // Rows of one price all cut at the same corner: what rounding leaves of it would pile up.
  return cut.filter((corner, place) => place === 0 || !isClose(corner, cut[place - 1] ?? corner));
}

/** Closer than the region is too wide anyway. */
function isClose([x, y]: Corner, [otherX, otherY]: Corner): boolean {
  const size = Math.abs(x) + Math.abs(y);
  return Math.abs(x - otherX) + Math.abs(y - otherY) < 1e-8 + size * 1e-13;
}

function isBelow(corners: readonly Corner[], a: number, b: number, limit: number): boolean {
  for (const [x, y] of corners) if (a * x + b * y > limit) return false;
  return true;
}

/** The tariffs in a region with a fixed part that is a multiple of `step`; those with few digits first. */
function* simplestFirst(
  region: Region,
  step: number,
  known: readonly Tariff[],
): Iterable<Tariff & Pick<FoundTariff, 'digits'>> {
  const knownRates = new Set(known.map(({ rate }) => rate));
  const withFixed = fixedParts(region, step).map((fixed) => ({
    fixed,
    fixedDigits: known.some((one) => one.fixed === fixed) ? 0 : digitsOf(fixed),
    rates: ratesBeside(region, fixed),
  }));
  for (let digits = 0; digits <= mostDigits; digits++) {
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

function fixedParts({ corners }: Region, step: number): readonly number[] {
  const all = corners.map(([fixed]) => (fixed * million) / step);
  const first = Math.max(0, Math.ceil(smallestOf(all)));
  const last = Math.floor(largestOf(all));
  if (last - first < mostFixed) {
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

/** Between which rates, in millionths, a region lies where the fixed part is this. */
function ratesBeside({ corners, largestBase }: Region, fixed: number): Bounds {
  const at = fixed / million;
  let [low, high] = [Infinity, -Infinity];
  for (const [place, [x, y]] of corners.entries()) {
    const [nextX, nextY] = corners[(place + 1) % corners.length] ?? [x, y];
    if (Math.min(x, nextX) > at || Math.max(x, nextX) < at) continue;
    const met = x === nextX ? [y, nextY] : [y + ((at - x) / (nextX - x)) * (nextY - y)];
    low = Math.min(low, ...met);
    high = Math.max(high, ...met);
  }
  const unit = million / largestBase;
  return { low: Math.max(0, low * unit), high: high * unit };
}

/**
 * The rates in between that so many digits write down, in percent: 0.05 % has two. Zeros before the
 * point, and at the end of a whole number, are none.
 */
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

/** How many digits a number has without the zeros at its end; 0 has none. */
function digitsOf(number: number): number {
  return number === 0 ? 0 : `${number}`.replace(/0+$/, '').length;
}

/** The rounding rules by which a tariff gives every value that isn't 0. */
function rulesFor({ bases, values }: ChargedRows, tariff: Tariff): readonly RoundingRule[] {
  let rules = roundingRules;
  // Of rows that are rounded the same way, the first decides.
  const hasDecided: boolean[] = [];
  for (let row = 0; row < bases.length && rules.length > 0; row++) {
    const value = Math.abs(values[row] ?? 0);
    if (value === 0) continue;
    const { whole, leftover } = exactCharge(tariff, Math.abs(bases[row] ?? 0));
    const up = value - whole;
    if (up !== 0 && up !== 1) return [];
    const way = 2 * leftover + up;
    if (hasDecided[way]) continue;
    hasDecided[way] = true;
    rules = rules.filter((rule) => leftoversRoundedUp(rule).includes(leftover) === (up === 1));
  }
  return rules;
}

/**
 * What the rows are charged, by kind. Twice, where rows with a value of 0 may be rounded to it: without
 * them, and with them.
 */
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

/** What a magnitude is charged: whole minor units, and the leftover. Exact, whatever its size. */
export function exactCharge({ fixed, rate }: Tariff, base: number) {
  const exact = base * rate + fixed;
  if (Number.isSafeInteger(exact)) {
    // Below 2^53, a quotient is rounded by less than it is from the next whole number.
    const whole = Math.floor(exact / million);
    return { whole, leftover: leftoverOf(whole % 2 === 1, exact - whole * million) };
  }
  const [large, unit] = [BigInt(base) * BigInt(rate) + BigInt(fixed), BigInt(million)];
  const whole = large / unit;
  return { whole: Number(whole), leftover: leftoverOf(whole % 2n === 1n, Number(large % unit)) };
}

/** Adds rows up by kind. */
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

  /** `base` has the sign of what is charged on it. */
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
