import type { Inert } from './inert.ts';

/** Amounts of one column, padded at the right so that their decimal points stand in one line. */
export function alignDecimals(amounts: readonly Inert[]): readonly Inert[] {
  const most = Math.max(0, ...amounts.map(decimals));
  return amounts.map((amount) => `${amount}${' '.repeat(most - decimals(amount))}` as Inert);
}

/** The length of `.34` in `12.34`. */
function decimals(amount: string): number {
  const point = amount.indexOf('.');
  return point === -1 ? 0 : amount.length - point;
}
