import { rescale } from '../money/money.ts';
import type { Amounts } from './delta.ts';

/** An amount times 10^power; nothing where that is no whole number of minor units. */
export function shift(minor: bigint, power: number): bigint | undefined {
  if (power >= 0) return minor * 10n ** BigInt(power);
  const divisor = 10n ** BigInt(-power);
  return minor % divisor === 0n ? minor / divisor : undefined;
}

/** All three amounts times 10^power; nothing where one of them is no whole number then. */
export function shiftAmounts(amounts: Amounts, power: number): Amounts | undefined {
  if (power === 0) return amounts;
  const gross = shift(amounts.gross, power);
  const fees = shift(amounts.fees, power);
  const tax = shift(amounts.tax, power);
  if (gross === undefined || fees === undefined || tax === undefined) return undefined;
  return { gross, fees, tax };
}

/** The same amounts with more decimal places; RangeError where `to` is smaller than `from`. */
export function rescaleAmounts(amounts: Amounts, from: number, to: number): Amounts {
  if (from === to) return amounts;
  const at = (minor: bigint) => rescale(minor, from, to);
  return { gross: at(amounts.gross), fees: at(amounts.fees), tax: at(amounts.tax) };
}
