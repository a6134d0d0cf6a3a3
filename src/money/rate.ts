import { formatMinor, magnitude } from './money.ts';

/** Decimal places of a rate in per cent. */
export const rateScale = 4;

/** A rate of 100 %. */
export const hundredPercent = 100n * 10n ** BigInt(rateScale);

/**
 * `part` in per cent of `whole`: an integer at `rateScale`, so 14000n is 1.4 %, rounded half away from zero.
 * Both are amounts at one scale. Undefined if `whole` is 0 or they have opposite signs.
 */
export function rateOf(part: bigint, whole: bigint): bigint | undefined {
  if (whole === 0n || (part !== 0n && part < 0n !== whole < 0n)) return undefined;
  return atRateOf(hundredPercent, part, whole);
}

/** `amount` × `part` / `whole`, rounded half away from zero. `part` and `whole` as for `rateOf`. */
export function atRateOf(amount: bigint, part: bigint, whole: bigint): bigint {
  const rate = rounded(magnitude(amount * part), magnitude(whole), 'half_up');
  return amount < 0n ? -rate : rate;
}

/** A rate as decimal text, `1.4000`; empty if undefined. */
export function rateText(rate: bigint | undefined): string {
  return rate === undefined ? '' : formatMinor(rate, rateScale);
}

/** `down` is towards zero, `up` away from it, `half_up` too for halves. */
export type RoundingRule = 'half_up' | 'half_even' | 'down' | 'up';

/** A quotient in whole units, by the rule. Neither number is negative. */
export function rounded(numerator: bigint, denominator: bigint, rule: RoundingRule): bigint {
  const whole = numerator / denominator;
  const rest = numerator % denominator;
  if (rest === 0n || rule === 'down') return whole;
  if (rule === 'up' || 2n * rest > denominator) return whole + 1n;
  const isUp = 2n * rest === denominator && (rule === 'half_up' || whole % 2n === 1n);
  return isUp ? whole + 1n : whole;
}
