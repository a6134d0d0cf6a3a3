import { figuresPerRow } from '../model/row-batch.ts';
import { ExactSums } from '../reconcile/sums.ts';
import type { Case } from './case.ts';
import type { RoundingRule } from './cause.ts';

/** `digits` / 10^`decimals`. */
export interface Rate {
  readonly digits: bigint;
  readonly decimals: number;
}

export const roundingRules: readonly RoundingRule[] = ['half_up', 'half_even', 'down', 'up'];

/**
 * An amount times a rate, in whole minor units. Signs are kept apart: a refund is rounded as its
 * purchase was, so that `up` is away from zero.
 */
export function roundedProduct(amount: bigint, { digits, decimals }: Rate, rule: RoundingRule) {
  const product = amount * digits;
  const magnitude = product < 0n ? -product : product;
  const divisor = 10n ** BigInt(decimals);
  const whole = magnitude / divisor;
  const isUp = goesUp(rule, whole % 2n === 1n, Number(magnitude % divisor), Number(divisor));
  const rounded = isUp ? whole + 1n : whole;
  return product < 0n ? -rounded : rounded;
}

function goesUp(rule: RoundingRule, isOdd: boolean, rest: number, divisor: number): boolean {
  switch (rule) {
    case 'up':
      return rest > 0;
    case 'down':
      return false;
    case 'half_up':
      return 2 * rest >= divisor;
    case 'half_even':
      return 2 * rest === divisor ? isOdd : 2 * rest > divisor;
  }
}

/**
 * Rows that are charged, in columns: an amount, the fee or tax on it, both whole minor units within
 * ±(2^53 − 1) and not 0, and the number of the row's kind.
 */
export interface ChargedRows {
  readonly bases: Float64Array;
  readonly values: Float64Array;
  readonly kinds: Int32Array;
}

/** A rate, and the rule by which it gives the value of every row. */
export interface FoundRate {
  readonly rate: Rate;
  readonly rule: RoundingRule;
  /** Whether no rate with fewer decimals would do. */
  readonly isShortest: boolean;
  /**
   * By kind: how many rows each rule rounds away from zero, less those with a negative value: what
   * it adds to the sum of the values, rounded down.
   */
  readonly roundedUp: Readonly<Record<RoundingRule, readonly number[]>>;
}

/** 1 % has two decimals, 0.0001 % six. */
const decimalsTried = [2, 3, 4, 5, 6] as const;
/** Where more rates than these would do, the rows don't show one. */
const mostRates = 8;
/** Of one number of decimals; among more, few rows tell rates apart. */
const mostTried = 30n;

/**
 * The rates that give every value, to the minor unit, by one rounding rule each: those with the
 * fewest decimals first. More decimals are tried as long as the rows tell enough of them apart.
 */
export function findRates(rows: ChargedRows): readonly FoundRate[] {
  const bounds = boundsOf(rows);
  const found: FoundRate[] = [];
  if (bounds === undefined) return found;
  for (const decimals of decimalsTried) {
    const more = ratesWithin(bounds, decimals)?.flatMap((rate) => {
      const rounding = roundingBy(rows, rate);
      return rounding ? [{ rate, ...rounding, isShortest: found.length === 0 }] : [];
    });
    if (more === undefined || found.length + more.length > mostRates) break;
    found.push(...more);
  }
  return found;
}

interface Bounds {
  readonly low: Fraction;
  readonly high: Fraction;
  /** −1 where values have the opposite sign of what they are charged on. */
  readonly sign: bigint;
}

interface Fraction {
  readonly over: number;
  readonly under: number;
}

/**
 * The bounds that all rows leave: however it was rounded, a value is less than one minor unit from
 * base × rate. A row whose sign is another has no rate in common with the first.
 */
function boundsOf({ bases, values }: ChargedRows): Bounds | undefined {
  const [firstBase, firstValue] = [bases[0], values[0]];
  if (firstBase === undefined || firstValue === undefined) return undefined;
  let low = { over: 0, under: 1 };
  let high = { over: 1, under: 0 };
  for (let row = 0; row < bases.length; row++) {
    const under = Math.abs(bases[row] ?? 0);
    const value = Math.abs(values[row] ?? 0);
    if (isLess(low.over, low.under, value - 1, under)) low = { over: value - 1, under };
    if (isLess(value + 1, under, high.over, high.under)) high = { over: value + 1, under };
  }
  return { low, high, sign: firstBase < 0 === firstValue < 0 ? 1n : -1n };
}

/** Whether over / under is less than the other fraction, exactly. */
function isLess(over: number, under: number, otherOver: number, otherUnder: number): boolean {
  const [one, other] = [over * otherUnder, otherOver * under];
  if (Number.isSafeInteger(one) && Number.isSafeInteger(other)) return one < other;
  return BigInt(over) * BigInt(otherUnder) < BigInt(otherOver) * BigInt(under);
}

/** Those with exactly so many decimals; nothing where there are too many. */
function ratesWithin({ low, high, sign }: Bounds, decimals: number): readonly Rate[] | undefined {
  const unit = 10n ** BigInt(decimals);
  const first = (BigInt(low.over) * unit) / BigInt(low.under) + 1n;
  const rates: Rate[] = [];
  for (let digits = first; digits * BigInt(high.under) < BigInt(high.over) * unit; digits++) {
    if (digits - first > mostTried) return undefined;
    const isShorter = decimals > decimalsTried[0] && digits % 10n === 0n;
    if (!isShorter) rates.push({ digits: sign * digits, decimals });
  }
  return rates;
}

/** The rule by which a rate gives every value, and what it rounds; nothing where none does. */
function roundingBy(
  { bases, values, kinds }: ChargedRows,
  { digits, decimals }: Rate,
): Pick<FoundRate, 'rule' | 'roundedUp'> | undefined {
  const divisor = 10 ** decimals;
  const rate = digits < 0n ? -digits : digits;
  const givesAll = roundingRules.map(() => true);
  const roundedUp: Record<RoundingRule, number[]> = {
    half_up: [],
    half_even: [],
    down: [],
    up: [],
  };
  for (let row = 0; row < bases.length; row++) {
    const [base, value, kind] = [bases[row] ?? 0, values[row] ?? 0, kinds[row] ?? 0];
    const isOpposite = base < 0 !== value < 0;
    const { whole, rest } = divided(Math.abs(base), rate, divisor);
    const up = Math.abs(value) - whole;
    if (isOpposite !== digits < 0n || (up !== 0 && up !== 1)) return undefined;
    for (const [place, rule] of roundingRules.entries()) {
      const isUp = goesUp(rule, whole % 2 === 1, rest, divisor);
      if (isUp !== (up === 1)) givesAll[place] = false;
      const counts = roundedUp[rule];
      if (isUp) counts[kind] = (counts[kind] ?? 0) + Math.sign(value);
    }
    if (!givesAll.includes(true)) return undefined;
  }
  const rule = roundingRules.find((_, place) => givesAll[place]);
  return rule && { rule, roundedUp };
}

function divided(base: number, digits: bigint, divisor: number) {
  const product = base * Number(digits);
  if (Number.isSafeInteger(product)) {
    // Exact: below 2^53, a quotient is rounded by less than it is from the next whole number.
    const whole = Math.floor(product / divisor);
    return { whole, rest: product - whole * divisor };
  }
  const exact = BigInt(base) * digits;
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
export interface ChargedRate extends FoundRate {
  readonly amount: Relation['amount'];
  readonly base: Relation['base'];
  /** By kind: the sums of its rows that are charged, as listed. */
  readonly sums: readonly { readonly base: bigint; readonly value: bigint }[];
}

const known = new WeakMap<Case, readonly ChargedRate[]>();

/** All charges that the rows show; found once for each case. */
export function chargedRatesOf(subject: Case): readonly ChargedRate[] {
  const charges = known.get(subject) ?? findAll(subject);
  known.set(subject, charges);
  return charges;
}

/** Tax on fees that are a rate of the gross is one of the gross as well: the first will do. */
function findAll(subject: Case): readonly ChargedRate[] {
  const found: ChargedRate[] = [];
  for (const relation of relations) {
    if (found.some(({ amount }) => amount === relation.amount)) continue;
    const rows = chargedRows(subject, relation);
    const sums = sumsOf(rows, subject.rows.kinds.length);
    found.push(...findRates(rows).map((one) => ({ ...relation, ...one, sums })));
  }
  return found;
}

function sumsOf({ bases, values, kinds }: ChargedRows, size: number): ChargedRate['sums'] {
  const [base, value] = [new ExactSums(size), new ExactSums(size)];
  for (let row = 0; row < kinds.length; row++) {
    base.add(kinds[row] ?? 0, bases[row] ?? 0);
    value.add(kinds[row] ?? 0, values[row] ?? 0);
  }
  return Array.from({ length: size }, (_, kind) => ({
    base: base.total(kind),
    value: value.total(kind),
  }));
}

const places = { gross: 0, fees: 1, tax: 2 } as const;

/**
 * Rows without the amount, or without anything it could be charged on, are not rounded. None where
 * one is beyond 2^53 − 1 at the scale of the case, to which rows of fewer decimal places are brought.
 */
function chargedRows({ rows, settlement, scale }: Case, { amount, base }: Relation): ChargedRows {
  const { figures, kinds, kindNumbers } = rows;
  const units = kinds.map((kind) =>
    kind.currency === settlement.currency ? 10 ** (scale - kind.scale) : 0,
  );
  const charged = {
    bases: new Float64Array(rows.size),
    values: new Float64Array(rows.size),
    kinds: new Int32Array(rows.size),
  };
  let size = 0;
  for (let index = 0; index < kindNumbers.length; index++) {
    const kind = kindNumbers[index] ?? 0;
    const unit = units[kind] ?? 0;
    const on = (figures[index * figuresPerRow + places[base]] ?? 0) * unit;
    const value = (figures[index * figuresPerRow + places[amount]] ?? 0) * unit;
    if (on === 0 || value === 0) continue;
    if (!Number.isSafeInteger(on) || !Number.isSafeInteger(value)) return part(charged, 0);
    charged.bases[size] = on;
    charged.values[size] = value;
    charged.kinds[size] = kind;
    size += 1;
  }
  return part(charged, size);
}

function part({ bases, values, kinds }: ChargedRows, size: number): ChargedRows {
  return {
    bases: bases.subarray(0, size),
    values: values.subarray(0, size),
    kinds: kinds.subarray(0, size),
  };
}
