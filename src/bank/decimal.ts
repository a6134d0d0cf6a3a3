/** An exact number: `digits` is an integer in units of `scale` decimal places, of which none is a zero at the end. */
export interface Decimal {
  readonly digits: bigint;
  readonly scale: number;
}

/**
 * Understands digits with or without a dot among them: `0012.50`, `12.`, `.5`. Undefined for anything
 * else, a sign too, for more than 30 digits before the dot and more than 18 that count after it.
 */
export function parseDigits(text: string): Decimal | undefined {
  const written = /^(?=\.?\d)0*(\d{0,30})(?:\.(\d{0,18}?)0*)?$/.exec(text);
  if (!written) return undefined;
  const [, whole = '', decimals = ''] = written;
  return { digits: BigInt(`0${whole}${decimals}`), scale: decimals.length };
}

/** The same number with the other sign, where `isNegative`. */
export function signed({ digits, scale }: Decimal, isNegative: boolean): Decimal {
  return { digits: isNegative ? -digits : digits, scale };
}
