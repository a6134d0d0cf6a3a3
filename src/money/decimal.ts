import { minorUnitsOf } from './minor-units.ts';
import { rescale } from './money.ts';

/** An exact number: `digits` in units of `scale` decimals, without zeros at the end. */
export interface Decimal {
  readonly digits: bigint;
  readonly scale: number;
}

/** Parses `0012.50`, `12.` or `.5`, with at most 30 digits before the dot and 18 decimals. */
export function parseDigits(text: string): Decimal | undefined {
  const written = /^(?=\.?\d)0*(\d{0,30})(?:\.(\d{0,18}?)0*)?$/.exec(text);
  if (!written) return undefined;
  const [, whole = '', decimals = ''] = written;
  return { digits: BigInt(`0${whole}${decimals}`), scale: decimals.length };
}

/** The number, with the opposite sign if `isNegative`. */
export function signed({ digits, scale }: Decimal, isNegative: boolean): Decimal {
  return { digits: isNegative ? -digits : digits, scale };
}

/** The number in minor units; `scale` must not be smaller than its own. */
export function atScale({ digits, scale: own }: Decimal, scale: number): bigint {
  return rescale(digits, own, scale);
}

/** The decimal places of a currency, or more if an amount has more. */
export function scaleOf(
  currency: string,
  amounts: readonly (Pick<Decimal, 'scale'> | undefined)[],
): number {
  return amounts.reduce(
    (most, amount) => Math.max(most, amount?.scale ?? 0),
    minorUnitsOf(currency) ?? 0,
  );
}
