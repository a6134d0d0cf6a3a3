import { amountsOfRow, type Case } from './case.ts';
import type { RoundingRule } from './cause.ts';
import { cellKeys } from './sides.ts';

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
  const rest = magnitude % divisor;
  const rounded = whole + (goesUp(rule, whole, 2n * rest, divisor) ? 1n : 0n);
  return product < 0n ? -rounded : rounded;
}

function goesUp(rule: RoundingRule, whole: bigint, twiceRest: bigint, divisor: bigint): boolean {
  switch (rule) {
    case 'up':
      return twiceRest > 0n;
    case 'down':
      return false;
    case 'half_up':
      return twiceRest >= divisor;
    case 'half_even':
      return twiceRest === divisor ? whole % 2n === 1n : twiceRest > divisor;
  }
}

/** An amount and the fee or tax on it; neither is 0. */
export interface Charged {
  readonly base: bigint;
  readonly value: bigint;
}

/** A rate, and the rule by which it gives the value of every row. */
export interface FoundRate {
  readonly rate: Rate;
  readonly rule: RoundingRule;
  /** Whether no rate with fewer decimals would do. */
  readonly isShortest: boolean;
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
export function findRates(rows: readonly Charged[]): readonly FoundRate[] {
  const bounds = boundsOf(rows);
  const found: FoundRate[] = [];
  if (bounds === undefined) return found;
  for (const decimals of decimalsTried) {
    const more = ratesWithin(bounds, decimals)?.flatMap((rate) => {
      const rule = roundingRules.find((one) => reproduces(rows, rate, one));
      return rule === undefined ? [] : [{ rate, rule, isShortest: found.length === 0 }];
    });
    if (more === undefined || found.length + more.length > mostRates) break;
    found.push(...more);
  }
  return found;
}

interface Fraction {
  readonly over: bigint;
  readonly under: bigint;
}

interface Bounds {
  readonly low: Fraction;
  readonly high: Fraction;
  /** −1 where values have the opposite sign of what they are charged on. */
  readonly sign: bigint;
}

/** The bounds that all rows leave. A row whose sign is another has no rate in common with the first. */
function boundsOf(rows: readonly Charged[]): Bounds | undefined {
  const [first] = rows;
  if (first === undefined) return undefined;
  let [low, high] = boundsOfRow(first);
  for (const row of rows) {
    const [least, most] = boundsOfRow(row);
    if (isLess(low, least)) low = least;
    if (isLess(most, high)) high = most;
  }
  return { low, high, sign: first.base < 0n === first.value < 0n ? 1n : -1n };
}

/** However it was rounded, a value is less than one minor unit from base × rate. */
function boundsOfRow({ base, value }: Charged): readonly [low: Fraction, high: Fraction] {
  const under = magnitude(base);
  const over = magnitude(value);
  return [
    { over: over - 1n, under },
    { over: over + 1n, under },
  ];
}

/** Those with exactly so many decimals; nothing where there are too many. */
function ratesWithin({ low, high, sign }: Bounds, decimals: number): readonly Rate[] | undefined {
  const unit = 10n ** BigInt(decimals);
  const rates: Rate[] = [];
  const first = (low.over * unit) / low.under + 1n;
  for (let digits = first; isLess({ over: digits, under: unit }, high); digits++) {
    if (digits - first > mostTried) return undefined;
    const isShorter = decimals > decimalsTried[0] && digits % 10n === 0n;
    if (!isShorter) rates.push({ digits: sign * digits, decimals });
  }
  return rates;
}

function reproduces(rows: readonly Charged[], rate: Rate, rule: RoundingRule): boolean {
  return rows.every(({ base, value }) => roundedProduct(base, rate, rule) === value);
}

function isLess(a: Fraction, b: Fraction): boolean {
  return a.over * b.under < b.over * a.under;
}

function magnitude(amount: bigint): bigint {
  return amount < 0n ? -amount : amount;
}

/** What may be charged on what. */
const relations = [
  { amount: 'fees', base: 'gross' },
  { amount: 'tax', base: 'fees' },
  { amount: 'tax', base: 'gross' },
] as const;

type Relation = (typeof relations)[number];

/** The rows of a cell that are charged: their sums as listed, and as each rule rounds them. */
export interface ChargedCell {
  base: bigint;
  value: bigint;
  readonly rounded: Record<RoundingRule, bigint>;
}

/** Fees or tax that are a rate of something in all rows that have them. */
export interface ChargedRate extends FoundRate {
  readonly amount: Relation['amount'];
  readonly base: Relation['base'];
  readonly cells: ReadonlyMap<string, ChargedCell>;
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
    found.push(...findCharges(subject, relation));
  }
  return found;
}

interface ChargedRow extends Charged {
  readonly cell: string;
}

function findCharges(subject: Case, relation: Relation): readonly ChargedRate[] {
  const rows = chargedRows(subject, relation);
  return findRates(rows).map((found) => ({ ...relation, ...found, cells: sumUp(rows, found) }));
}

/** Rows without the amount, or without anything it could be charged on, are not rounded. */
function chargedRows(subject: Case, { amount, base }: Relation): readonly ChargedRow[] {
  const rows: ChargedRow[] = [];
  const keys = cellKeys(subject.rows);
  for (let index = 0; index < subject.rows.size; index++) {
    const amounts = amountsOfRow(subject, index);
    if (amounts[amount] === 0n || amounts[base] === 0n) continue;
    const cell = keys[subject.rows.kindNumber(index)] ?? '';
    rows.push({ base: amounts[base], value: amounts[amount], cell });
  }
  return rows;
}

function sumUp(rows: readonly ChargedRow[], { rate }: FoundRate) {
  const cells = new Map<string, ChargedCell>();
  for (const { base, value, cell } of rows) {
    const sums = cells.get(cell) ?? noCharge();
    cells.set(cell, sums);
    sums.base += base;
    sums.value += value;
    for (const rule of roundingRules) sums.rounded[rule] += roundedProduct(base, rate, rule);
  }
  return cells;
}

function noCharge(): ChargedCell {
  return { base: 0n, value: 0n, rounded: { up: 0n, down: 0n, half_up: 0n, half_even: 0n } };
}
