import { formatMinor, magnitude } from './money.ts';

/** Decimal places of a rate in per cent. */
export const rateScale = 4;

/** A rate of 100 %. */
export const hundredPercent = 100n * 10n ** BigInt(rateScale);

/**
 * What `part` is of `whole`, in per cent: an integer at `rateScale`, so that 14000n is 1.4 %. Rounded
 * half away from zero. Both are amounts in minor units at one scale. Undefined where a rate says
 * nothing: `whole` is 0, or the two have opposite signs.
 */
export function rateOf(part: bigint, whole: bigint): bigint | undefined {
  if (whole === 0n || (part !== 0n && part < 0n !== whole < 0n)) return undefined;
  return atRateOf(hundredPercent, part, whole);
}

/**
 * What `amount` comes to at the rate that `part` is of `whole`: in the unit of `amount`, rounded half
 * away from zero. `part` and `whole` as for a rate that says something.
 */
export function atRateOf(amount: bigint, part: bigint, whole: bigint): bigint {
  const [above, below] = [magnitude(amount * part), magnitude(whole)];
  // Neither is negative here, so that half a unit more and cutting off is rounding half away from zero.
  const rounded = (2n * above + below) / (2n * below);
  return amount < 0n ? -rounded : rounded;
}

/** A rate in per cent as decimal text, `1.4000`; empty where there is none. */
export function rateText(rate: bigint | undefined): string {
  return rate === undefined ? '' : formatMinor(rate, rateScale);
}
