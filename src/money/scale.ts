/** The most decimal places an amount may have. */
const maxScale = 18;

/** Throws RangeError where `scale` isn't a count of decimal places, 0 to 18. */
export function requireScale(scale: number): void {
  if (!Number.isInteger(scale) || scale < 0 || scale > maxScale) {
    throw new RangeError(`Not a scale of 0 to ${maxScale}: ${scale}`);
  }
}

/**
 * The same amount with more decimal places. Always exact: it throws RangeError where `to` is
 * smaller than `from`, because that could round.
 */
export function rescale(minor: bigint, from: number, to: number): bigint {
  requireScale(from);
  requireScale(to);
  if (to < from) {
    throw new RangeError(`Scale ${from} can't become ${to} without rounding`);
  }
  return to === from ? minor : minor * 10n ** BigInt(to - from);
}

/** The scale at which all amounts of the given scales are exact. */
export function largestScale(first: number, ...others: readonly number[]): number {
  return Math.max(first, ...others);
}
