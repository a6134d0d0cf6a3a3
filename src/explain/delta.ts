import { rescale } from '../money/money.ts';
import { type Identity, type IdentityName, identityNames, payInOf } from '../reconcile/identity.ts';

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
function payInFrom(identity: Identity, { gross, fees, tax }: Amounts): bigint {
  return identity === 'off' ? 0n : payInOf(identity, gross, fees, tax);
}

/** A change of transactions and amounts that the pay-in follows. */
export function changeOf(identity: Identity, count: number, amounts: Amounts): Delta {
  const { gross, fees, tax } = amounts;
  return { count, gross, fees, tax, payIn: payInFrom(identity, amounts) };
}

/** A change of the pay-in that no other amount shows. */
export function payInDelta(payIn: bigint): Delta {
  return { ...noDelta, payIn };
}

/**
 * By how much a header with this difference contradicts itself: what is left of the pay-in's
 * difference when the part that follows from gross, fees and tax is taken away.
 */
export function payInContradiction(identity: Identity, delta: Delta): bigint {
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

export function isSameDelta(a: Delta, b: Delta): boolean {
  return (
    a.gross === b.gross &&
    a.fees === b.fees &&
    a.tax === b.tax &&
    a.payIn === b.payIn &&
    a.count === b.count
  );
}

export function isNothing(delta: Delta): boolean {
  return isSameDelta(delta, noDelta);
}

/** Equal deltas, and only those, have the same key. */
export function deltaKey({ count, gross, fees, tax, payIn }: Delta): string {
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

/** An amount times 10^power; nothing where that is no whole number of minor units. */
export function shiftDecimals(minor: bigint, power: number): bigint | undefined {
  if (power >= 0) return minor * 10n ** BigInt(power);
  const divisor = 10n ** BigInt(-power);
  return minor % divisor === 0n ? minor / divisor : undefined;
}

/** All three amounts times 10^power; nothing where one of them is no whole number then. */
export function shiftAmounts(amounts: Amounts, power: number): Amounts | undefined {
  if (power === 0) return amounts;
  const gross = shiftDecimals(amounts.gross, power);
  const fees = shiftDecimals(amounts.fees, power);
  const tax = shiftDecimals(amounts.tax, power);
  if (gross === undefined || fees === undefined || tax === undefined) return undefined;
  return { gross, fees, tax };
}

/** Amounts with more decimal places; RangeError where `to` is smaller than `from`. */
export function rescaleAmounts(amounts: Amounts, from: number, to: number): Amounts {
  if (from === to) return amounts;
  const at = (minor: bigint) => rescale(minor, from, to);
  return { gross: at(amounts.gross), fees: at(amounts.fees), tax: at(amounts.tax) };
}

/**
 * The identities beside the chosen one, each with what it adds to the pay-in of these amounts.
 * None where nothing is assumed of the pay-in.
 */
export function otherIdentities(
  chosen: Identity,
  amounts: Amounts,
): readonly { readonly name: IdentityName; readonly payIn: bigint }[] {
  if (chosen === 'off') return [];
  const { gross, fees, tax } = amounts;
  const expected = payInFrom(chosen, amounts);
  return identityNames
    .filter((name) => name !== chosen)
    .map((name) => ({ name, payIn: payInOf(name, gross, fees, tax) - expected }));
}
