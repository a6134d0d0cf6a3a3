import { requireScale } from './scale.ts';

/**
 * Minor units as decimal text, built from digits: (-1234n, 2) is "-12.34", (-12n, 0) is "-12".
 * There are always exactly `scale` decimals.
 */
export function formatMinor(minor: bigint, scale: number): string {
  requireScale(scale);
  const sign = minor < 0n ? '-' : '';
  const digits = (minor < 0n ? -minor : minor).toString().padStart(scale + 1, '0');
  const point = digits.length - scale;
  const decimals = scale === 0 ? '' : `.${digits.slice(point)}`;
  return `${sign}${digits.slice(0, point)}${decimals}`;
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
