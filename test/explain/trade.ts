import type { Row } from '../../src/model/row.ts';
import type { Random } from '../support/random.ts';

/** What is charged on a row before it is rounded: `numerator` / `unit` minor units. */
interface ExactCharge {
  /** Charges of one tariff may be rounded together. */
  readonly tariff: string;
  readonly numerator: bigint;
  readonly unit: bigint;
}

/** A business: how its rows come about. */
export interface Trade {
  readonly currency: string;
  readonly scale: number;
  /** A row of the trade with the ids of this number. */
  readonly row: (random: Random, number: number) => Row;
  /** The exact fees or tax of a row that has some; absent where they follow no rate. */
  readonly exact?: (row: Row, amount: 'fees' | 'tax') => ExactCharge;
}

export type Rule = 'half_up' | 'half_even' | 'up' | 'down';

/** Halves away from zero, to even; all away from zero, or towards it. */
export function roundedBy(rule: Rule, numerator: bigint, unit: bigint): bigint {
  const magnitude = numerator < 0n ? -numerator : numerator;
  const [whole, rest] = [magnitude / unit, magnitude % unit];
  const isUp = {
    up: rest > 0n,
    down: false,
    half_up: 2n * rest >= unit,
    half_even: 2n * rest > unit || (2n * rest === unit && whole % 2n === 1n),
  }[rule];
  const rounded = isUp ? whole + 1n : whole;
  return numerator < 0n ? -rounded : rounded;
}

const currencies = [
  ['EUR', 2],
  ['USD', 2],
  ['GBP', 2],
  ['JPY', 0],
  ['KWD', 3],
] as const;

export function anyCurrency(random: Random) {
  return random.pick(currencies);
}
