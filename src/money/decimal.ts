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

/** How a file writes its amounts. */
interface AmountForm {
  readonly decimal: ',' | '.';
  /** The separator of thousands, if it is always written. */
  readonly thousands?: string | undefined;
}

/**
 * Parses an amount with a sign before or after it, or in brackets. Digits may be grouped in threes by the
 * separator of the form or, if decimals follow, by any usual one; without decimals, `1.234` is ambiguous.
 */
export function writtenAmount(text: string, { decimal, thousands }: AmountForm) {
  if (text.length > longestAmount) return undefined;
  // Most amounts.
  if (decimal === '.' && /^\d+(?:\.\d+)?$/.test(text)) return parseDigits(text);
  const [, open = '', before = '', number = '', after = '', close = ''] =
    /^(\()?\s*([-+−]?)\s*([\d.,'’\p{Zs}_]*\d)\s*([-+−]?)\s*(\))?$/u.exec(text.trim()) ?? [];
  if (number === '' || (before !== '' && after !== '') || (open !== '') !== (close !== '')) {
    return undefined;
  }
  const [whole = '', decimals, ...more] = number.split(decimal);
  if (more.length > 0 || (decimals !== undefined && !/^\d*$/.test(decimals))) return undefined;
  const digits = ungrouped(whole, thousands, decimals !== undefined);
  const amount: Decimal | undefined =
    digits === undefined ? undefined : parseDigits(`${digits}.${decimals ?? ''}`);
  return amount && signed(amount, open !== '' || /[-−]/.test(before + after));
}

const longestAmount = 60;

function ungrouped(
  whole: string,
  thousands: string | undefined,
  hasDecimals: boolean,
): string | undefined {
  if (/^\d*$/.test(whole)) return whole;
  const [, sign = ''] = /^\d{1,3}(\D)\d{3}/.exec(whole) ?? [];
  const isKnown = sign === thousands || (thousands === undefined && hasDecimals);
  const groups = whole.split(sign);
  const areThrees = groups.slice(1).every((group) => /^\d{3}$/.test(group));
  return isKnown && sign !== '' && areThrees ? groups.join('') : undefined;
}
