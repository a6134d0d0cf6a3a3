import { requireScale } from './scale.ts';

/**
 * Minor units as decimal text, built from digits: (-1234n, 2) is "-12.34", (-12n, 0) is "-12".
 * There are always exactly `scale` decimals.
 */
export function formatMinor(minor: bigint, scale: number): string {
  requireScale(scale);
  const text = minor.toString();
  if (scale === 0) return text;
  const isNegative = text.startsWith('-');
  const digits = (isNegative ? text.slice(1) : text).padStart(scale + 1, '0');
  const point = digits.length - scale;
  return `${isNegative ? '-' : ''}${digits.slice(0, point)}.${digits.slice(point)}`;
}

const plainDecimal = /^(-?)(0|[1-9][0-9]*)(?:\.([0-9]+))?$/;

/**
 * Decimal text as minor units at `scale`. Fewer decimals are filled up with zeros. It throws
 * RangeError for more decimals than `scale`, and for anything but a sign, digits and one dot.
 */
export function parseDecimal(text: string, scale: number): bigint {
  requireScale(scale);
  const [, sign = '', whole, decimals = ''] = plainDecimal.exec(text) ?? [];
  if (whole === undefined) {
    throw new RangeError(`Not a decimal number: ${JSON.stringify(text)}`);
  }
  if (decimals.length > scale) {
    throw new RangeError(`More than ${scale} decimals: ${text}`);
  }
  return BigInt(`${sign}${whole}${decimals.padEnd(scale, '0')}`);
}
