import type { RoundingRule } from './cause.ts';
import { type Rate, roundedProduct, roundingRules } from './rounding-rules.ts';

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
