import type { Random } from '../support/random.ts';

/** Decimal places: 0 for JPY, 2 for EUR, 3 for KWD. */
export type Scale = 0 | 2 | 3;

export const currencyCode: Readonly<Record<Scale, string>> = { 0: 'JPY', 2: 'EUR', 3: 'KWD' };

export interface Money {
  readonly gross: bigint;
  readonly fees: bigint;
  readonly tax: bigint;
}

/** How prices end: 14.99, 15.00, 1,480 yen, 4.750 dinars. */
const endings: Readonly<
  Record<Scale, { readonly unit: bigint; readonly last: readonly bigint[] }>
> = {
  0: { unit: 100n, last: [0n, 50n, 80n, 98n] },
  2: { unit: 100n, last: [99n, 99n, 95n, 90n, 50n, 0n] },
  3: { unit: 1000n, last: [990n, 750n, 500n, 250n, 0n] },
};

/** A price list; the most frequent price first. */
export function pricesOf(random: Random, count: number, scale: Scale): readonly bigint[] {
  const { unit, last } = endings[scale];
  const prices = new Set<bigint>();
  while (prices.size < count) {
    const whole = BigInt(random.int(2, random.pick([30, 120, 300])));
    prices.add(whole * unit + random.pick(last));
  }
  return [...prices];
}
