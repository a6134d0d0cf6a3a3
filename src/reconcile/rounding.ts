import { keysOf } from '../base/keys.ts';

/** Away from zero, towards it, or to the nearest: halves away from zero, or to the even number. */
export type RoundingRule = 'half_up' | 'half_even' | 'down' | 'up';

/** What is charged is exact in millionths: of a minor unit, or of the amount that it is charged on. */
export const million = 1_000_000;

/** What is left beyond whole minor units; a half, above an even number or an odd one. */
const left = { nothing: 0, less: 1, halfAboveEven: 2, halfAboveOdd: 3, more: 4 } as const;

/** How many kinds of leftovers there are, numbered from 0. */
export const leftovers = Object.keys(left).length;

const roundsUp: Readonly<Record<RoundingRule, readonly number[]>> = {
  half_up: [left.halfAboveEven, left.halfAboveOdd, left.more],
  half_even: [left.halfAboveOdd, left.more],
  down: [],
  up: [left.less, left.halfAboveEven, left.halfAboveOdd, left.more],
};

/** All rules, the usual ones first. */
export const roundingRules = keysOf(roundsUp);

/** The leftovers that a rule rounds away from zero. */
export function leftoversRoundedUp(rule: RoundingRule): readonly number[] {
  return roundsUp[rule];
}

/** The leftover of so many whole minor units (a magnitude) and so many millionths. */
export function leftoverOf(isOdd: boolean, rest: number): number {
  if (rest === 0) return left.nothing;
  if (2 * rest === million) return isOdd ? left.halfAboveOdd : left.halfAboveEven;
  return 2 * rest < million ? left.less : left.more;
}

/**
 * Millionths of a minor unit in whole minor units. Signs are kept apart: a refund is rounded as its
 * purchase was, so that `up` is away from zero.
 */
export function inMinorUnits(millionths: bigint, rule: RoundingRule): bigint {
  const magnitude = millionths < 0n ? -millionths : millionths;
  const unit = BigInt(million);
  const whole = magnitude / unit;
  const leftover = leftoverOf(whole % 2n === 1n, Number(magnitude % unit));
  const all = roundsUp[rule].includes(leftover) ? whole + 1n : whole;
  return millionths < 0n ? -all : all;
}
