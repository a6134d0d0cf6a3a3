import { keysOf } from '../base/keys.ts';
import { figuresPerRow } from '../model/row-batch.ts';
import type { RowColumns } from './row-columns.ts';
import { ExactSums } from './sums.ts';

/** Away from zero, towards it, or to the nearest, with halves away from zero or to the even. */
export type RoundingRule = 'up' | 'down' | 'half_up' | 'half_even';

/** `digits` / 10^`decimals`. */
export interface Rate {
  readonly digits: bigint;
  readonly decimals: number;
}

/** What is left of a quotient; a half, above an even number or an odd one. */
const left = { nothing: 0, less: 1, halfAboveEven: 2, halfAboveOdd: 3, more: 4 } as const;
const places = Object.keys(left).length;

/** What each rule rounds away from zero. */
const roundsUp: Readonly<Record<RoundingRule, readonly number[]>> = {
  half_up: [left.halfAboveEven, left.halfAboveOdd, left.more],
  half_even: [left.halfAboveOdd, left.more],
  down: [],
  up: [left.less, left.halfAboveEven, left.halfAboveOdd, left.more],
};

export const roundingRules = keysOf(roundsUp);

/**
 * An amount times a rate, in whole minor units. Signs are kept apart: a refund is rounded as its
 * purchase was, so that `up` is away from zero.
 */
export function roundedProduct(amount: bigint, { digits, decimals }: Rate, rule: RoundingRule) {
  const product = amount * digits;
  const magnitude = product < 0n ? -product : product;
  const divisor = 10n ** BigInt(decimals);
  const whole = magnitude / divisor;
  const place = leftOf(whole % 2n === 1n, Number(magnitude % divisor), Number(divisor));
  const rounded = roundsUp[rule].includes(place) ? whole + 1n : whole;
  return product < 0n ? -rounded : rounded;
}

function leftOf(isOdd: boolean, rest: number, divisor: number): number {
  if (rest === 0) return left.nothing;
  if (2 * rest === divisor) return isOdd ? left.halfAboveOdd : left.halfAboveEven;
  return 2 * rest < divisor ? left.less : left.more;
}

/**
 * Rows that are charged, in columns: an amount, the fee or tax on it, both whole minor units within
 * ±(2^53 − 1) and not 0, and the number of the row's kind.
 */
export interface ChargedRows {
  readonly bases: readonly number[];
  readonly values: readonly number[];
  readonly kinds: readonly number[];
}

/** A rate, and the rule by which it gives the value of every row. */
export interface FoundRate {
  readonly rate: Rate;
  readonly rule: RoundingRule;
  /** Whether no rate with fewer decimals would do. */
  readonly isShortest: boolean;
  /**
   * How many rows of a kind another rule rounds away from zero, less those with a negative value:
   * what it adds to the sum of their values, rounded down.
   */
  readonly roundedUp: (rule: RoundingRule, kind: number) => number;
}

/** 1 % has two decimals, 0.0001 % six. */
const decimalsTried = [2, 3, 4, 5, 6] as const;
const finest = 6;
/** Where more rates than these would do, the rows don't show one. */
const mostRates = 8;
/** Of one number of decimals; among more, few rows tell rates apart. */
const mostTried = 30;

/**
 * The rates that give every value, to the minor unit, by one rounding rule each: those with the
 * fewest decimals first. More decimals are tried as long as the rows tell enough of them apart.
 */
export function findRates(rows: ChargedRows): readonly FoundRate[] {
  const found: FoundRate[] = [];
  const bounds = boundsOf(rows);
  for (const decimals of decimalsTried) {
    const more = digitsWithin(bounds, decimals)?.flatMap((digits) => {
      const rounding = roundingBy(rows, digits, decimals);
      return rounding ? [{ ...rounding, isShortest: found.length === 0 }] : [];
    });
    if (more === undefined || found.length + more.length > mostRates) break;
    found.push(...more);
  }
  return found;
}

/**
 * The rates, in units of the finest, between which all rows leave theirs, whatever its sign: however
 * it was rounded, a value is less than one minor unit from base × rate.
 */
function boundsOf({ bases, values }: ChargedRows): readonly [low: number, high: number] {
  const unit = 10 ** finest;
  let [low, high] = [0, Infinity];
  for (let row = 0; row < bases.length; row++) {
    const base = Math.abs(bases[row] ?? 0);
    const value = Math.abs(values[row] ?? 0);
    // Few rows move a bound. Rounded products are in the order of the exact ones, so none is missed.
    const isLow = (value - 1) * unit >= low * base;
    if (isLow) low = Math.max(low, divided(value - 1, unit, base).whole);
    if ((value + 1) * unit > high * base) continue;
    const { whole, rest } = divided(value + 1, unit, base);
    high = Math.min(high, rest === 0 ? whole : whole + 1);
  }
  return [low, high];
}

/** The digits of those with exactly so many decimals; nothing where there are too many. */
function digitsWithin([low, high]: readonly [number, number], decimals: number) {
  const unit = 10 ** (finest - decimals);
  const first = Math.floor(low / unit) + 1;
  const last = Math.ceil(high / unit) - 1;
  if (last - first > mostTried) return undefined;
  const all = Array.from({ length: Math.max(0, last - first + 1) }, (_, n) => first + n);
  return all.filter((digits) => decimals === decimalsTried[0] || digits % 10 !== 0);
}

/** The rule by which a rate gives every value, and what it rounds; nothing where none does. */
function roundingBy(
  { bases, values, kinds }: ChargedRows,
  digits: number,
  decimals: number,
): Omit<FoundRate, 'isShortest'> | undefined {
  const divisor = 10 ** decimals;
  const sign = Math.sign((bases[0] ?? 0) * (values[0] ?? 0));
  /** Those that give all values so far. Of rows that are rounded the same way, the first decides. */
  let rules = roundingRules;
  const hasDecided: boolean[] = [];
  /** By kind and what is left: how many rows had it. */
  const counts: number[] = [];
  for (let row = 0; row < bases.length; row++) {
    const base = bases[row] ?? 0;
    const value = values[row] ?? 0;
    const { whole, rest } = divided(Math.abs(base), digits, divisor);
    const up = Math.abs(value) - whole;
    if (Math.sign(base * value) !== sign || (up !== 0 && up !== 1)) return undefined;
    const place = leftOf(whole % 2 === 1, rest, divisor);
    const way = 2 * place + up;
    if (!hasDecided[way]) {
      hasDecided[way] = true;
      rules = rules.filter((rule) => roundsUp[rule].includes(place) === (up === 1));
      if (rules.length === 0) return undefined;
    }
    const at = (kinds[row] ?? 0) * places + place;
    counts[at] = (counts[at] ?? 0) + Math.sign(value);
  }
  const [rule] = rules;
  const roundedUp = (by: RoundingRule, kind: number) =>
    roundsUp[by].reduce((sum, place) => sum + (counts[kind * places + place] ?? 0), 0);
  return rule && { rate: { digits: BigInt(sign * digits), decimals }, rule, roundedUp };
}

/** A product, divided: exact, whatever its size. */
function divided(one: number, other: number, divisor: number) {
  const product = one * other;
  if (Number.isSafeInteger(product)) {
    // Below 2^53, a quotient is rounded by less than it is from the next whole number.
    const whole = Math.floor(product / divisor);
    return { whole, rest: product - whole * divisor };
  }
  const exact = BigInt(one) * BigInt(other);
  return { whole: Number(exact / BigInt(divisor)), rest: Number(exact % BigInt(divisor)) };
}

/** What may be charged on what. */
const relations = [
  { amount: 'fees', base: 'gross' },
  { amount: 'tax', base: 'fees' },
  { amount: 'tax', base: 'gross' },
] as const;

type Relation = (typeof relations)[number];

/** Fees or tax that are a rate of something in all rows that have them. */
export type ChargedRate = FoundRate &
  Relation & {
    /** By kind: the sums of its rows that are charged, as listed. */
    readonly sums: readonly { readonly base: bigint; readonly value: bigint }[];
  };

/** The currency and scale (decimal places) of the header: rows in another currency are not charged. */
export interface ChargedIn {
  readonly currency: string;
  /** That of all minor units; none of its rows has more decimal places. */
  readonly scale: number;
}

/** By `scale currency`. */
type Charges = Map<string, readonly ChargedRate[]>;
const known = new WeakMap<RowColumns, Charges>();

/** All charges that the rows show; found once for the rows, which must not change after that. */
export function chargedRatesOf(
  rows: RowColumns,
  { currency, scale }: ChargedIn,
): readonly ChargedRate[] {
  const charges: Charges = known.get(rows) ?? new Map();
  known.set(rows, charges);
  const key = `${scale} ${currency}`;
  const found = charges.get(key) ?? findAll(rows, { currency, scale });
  charges.set(key, found);
  return found;
}

/** Whether each row is rounded, or once, the total. */
export type RoundedOf = 'row' | 'total';

/**
 * What a sum of fees or tax comes to by another rounding, less what the rows list: minor units at the
 * scale of the charge. `times`: how often the rows of a kind are in the sum, negative where they have
 * the opposite sign; once each where absent.
 */
export function roundingEffect(
  charge: ChargedRate,
  { rule, of }: { readonly rule: RoundingRule; readonly of: RoundedOf },
  times: (kind: number) => bigint = () => 1n,
): bigint {
  const { rate, sums, roundedUp } = charge;
  const sumOf = (measure: (kind: number) => bigint) =>
    sums.reduce((sum, _, kind) => sum + times(kind) * measure(kind), 0n);
  if (of === 'row') {
    return sumOf((kind) => BigInt(roundedUp(rule, kind) - roundedUp(charge.rule, kind)));
  }
  const base = sumOf((kind) => sums[kind]?.base ?? 0n);
  return roundedProduct(base, rate, rule) - sumOf((kind) => sums[kind]?.value ?? 0n);
}

/** Tax on fees that are a rate of the gross is one of the gross as well: the first will do. */
function findAll(rows: RowColumns, on: ChargedIn): readonly ChargedRate[] {
  const found: ChargedRate[] = [];
  for (const relation of relations) {
    if (found.some(({ amount }) => amount === relation.amount)) continue;
    const { sums, ...charged } = chargedRows(rows, on, relation);
    found.push(...findRates(charged).map((one) => ({ ...relation, ...one, sums })));
  }
  return found;
}

const figurePlaces = { gross: 0, fees: 1, tax: 2 } as const;

/**
 * Rows without the amount, or without anything it could be charged on, are not rounded. None where
 * one is beyond 2^53 − 1 at the scale of all, to which rows of fewer decimal places are brought.
 */
function chargedRows(
  { figures, kinds, kindNumbers }: RowColumns,
  { currency, scale }: ChargedIn,
  { amount, base }: Relation,
): ChargedRows & Pick<ChargedRate, 'sums'> {
  const units = kinds.map((kind) => (kind.currency === currency ? 10 ** (scale - kind.scale) : 0));
  const [baseSums, valueSums] = [new ExactSums(kinds.length), new ExactSums(kinds.length)];
  const [bases, values, charged]: [number[], number[], number[]] = [[], [], []];
  for (let index = 0; index < kindNumbers.length; index++) {
    const kind = kindNumbers[index] ?? 0;
    const unit = units[kind] ?? 0;
    const on = (figures[index * figuresPerRow + figurePlaces[base]] ?? 0) * unit;
    const value = (figures[index * figuresPerRow + figurePlaces[amount]] ?? 0) * unit;
    if (on === 0 || value === 0) continue;
    if (!Number.isSafeInteger(on) || !Number.isSafeInteger(value)) {
      return { bases: [], values: [], kinds: [], sums: [] };
    }
    bases.push(on);
    values.push(value);
    charged.push(kind);
    baseSums.add(kind, on);
    valueSums.add(kind, value);
  }
  return {
    bases,
    values,
    kinds: charged,
    sums: kinds.map((_, kind) => ({ base: baseSums.total(kind), value: valueSums.total(kind) })),
  };
}
