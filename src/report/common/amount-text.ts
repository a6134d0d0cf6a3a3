import { formatMinor, type Money } from '../../money/money.ts';

/** `-12.34`; an amount that isn't there is an empty cell, never a zero. */
export function amountText(minor: bigint | undefined, scale: number): string {
  return minor === undefined ? '' : formatMinor(minor, scale);
}

/** `+12.34`, `-12.34`, `0.00`: a difference shows its direction in both directions. */
export function signedText(minor: bigint | undefined, scale: number): string {
  return (minor !== undefined && minor > 0n ? '+' : '') + amountText(minor, scale);
}

/** `12.34 EUR`. */
export function moneyText({ minor, scale, currency }: Money): string {
  return `${formatMinor(minor, scale)} ${currency}`;
}
