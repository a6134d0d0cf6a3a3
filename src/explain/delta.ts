import { type Identity, payInOf } from '../reconcile/identity.ts';

/** The amounts that rows have; minor units at the scale of the case. */
export interface Amounts {
  readonly gross: bigint;
  readonly fees: bigint;
  readonly tax: bigint;
}

/** A difference (reported − computed), or the part of it that a cause makes. */
export interface Delta extends Amounts {
  /** Transactions. */
  readonly count: number;
  /** 0 where no identity gives a pay-in. */
  readonly payIn: bigint;
}

export const noAmounts: Amounts = { gross: 0n, fees: 0n, tax: 0n };
export const noDelta: Delta = { count: 0, ...noAmounts, payIn: 0n };

/** What these amounts make of the pay-in, by the identity. */
export function payInFrom(identity: Identity, { gross, fees, tax }: Amounts): bigint {
  return identity === 'off' ? 0n : payInOf(identity, gross, fees, tax);
}

/** A change of transactions and amounts that the pay-in follows. */
export function followed(identity: Identity, count: number, amounts: Amounts): Delta {
  const { gross, fees, tax } = amounts;
  return { count, gross, fees, tax, payIn: payInFrom(identity, amounts) };
}

/** A change of the pay-in that no other amount shows. */
export function payInAlone(payIn: bigint): Delta {
  return { ...noDelta, payIn };
}

/**
 * By how much a header with this difference contradicts itself: what is left of the pay-in's
 * difference when the part that follows from gross, fees and tax is taken away.
 */
export function contradiction(identity: Identity, delta: Delta): bigint {
  return delta.payIn - payInFrom(identity, delta);
}

export function plus(a: Delta, b: Delta): Delta {
  return {
    count: a.count + b.count,
    gross: a.gross + b.gross,
    fees: a.fees + b.fees,
    tax: a.tax + b.tax,
    payIn: a.payIn + b.payIn,
  };
}

export function minus(a: Delta, b: Delta): Delta {
  return {
    count: a.count - b.count,
    gross: a.gross - b.gross,
    fees: a.fees - b.fees,
    tax: a.tax - b.tax,
    payIn: a.payIn - b.payIn,
  };
}

export function isSame(a: Delta, b: Delta): boolean {
  return (
    a.gross === b.gross &&
    a.fees === b.fees &&
    a.tax === b.tax &&
    a.payIn === b.payIn &&
    a.count === b.count
  );
}

export function isNothing(delta: Delta): boolean {
  return isSame(delta, noDelta);
}

/** Equal deltas, and only those, have the same key. */
export function keyOf({ count, gross, fees, tax, payIn }: Delta): string {
  return `${gross} ${fees} ${tax} ${payIn} ${count}`;
}

export function addAmounts(a: Amounts, b: Amounts): Amounts {
  return { gross: a.gross + b.gross, fees: a.fees + b.fees, tax: a.tax + b.tax };
}

export function subtractAmounts(a: Amounts, b: Amounts): Amounts {
  return { gross: a.gross - b.gross, fees: a.fees - b.fees, tax: a.tax - b.tax };
}

export function timesAmounts({ gross, fees, tax }: Amounts, factor: bigint): Amounts {
  return { gross: gross * factor, fees: fees * factor, tax: tax * factor };
}
