import type { Subject } from './subject.ts';

/** Whether an amount is at most the tolerance, up or down. */
export function isWithin(tolerance: bigint, difference: bigint): boolean {
  return -tolerance <= difference && difference <= tolerance;
}

/**
 * Whether a difference of the subject's is forgiven. The tolerance is for each amount, but small
 * differences must not add up: the pay-in that the rows give has to be within it too. Where there
 * is none (identity off, rows not read whole), the amount stands alone.
 */
export function isForgiven({ tolerance, difference }: Subject, amount: bigint): boolean {
  return isWithin(tolerance, amount) && isWithin(tolerance, difference?.payIn ?? 0n);
}
