import { largestScale, rescale } from './scale.ts';

/** An exact amount: an integer in minor units, and what is needed to show it. */
export interface Money {
  readonly minor: bigint;
  /** Decimal places, 0 to 18. */
  readonly scale: number;
  readonly currency: string;
}

/**
 * The exact sum, at the larger of the two scales. Throws RangeError where the currencies differ:
 * there is no such sum.
 */
export function addMoney(a: Money, b: Money): Money {
  if (a.currency !== b.currency) {
    throw new RangeError(`${a.currency} and ${b.currency} can't be added`);
  }
  const scale = largestScale(a.scale, b.scale);
  const minor = rescale(a.minor, a.scale, scale) + rescale(b.minor, b.scale, scale);
  return { minor, scale, currency: a.currency };
}
