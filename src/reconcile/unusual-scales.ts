import { groupedBy } from '../base/keys.ts';
import { byText } from '../base/texts.ts';
import type { Settlement } from '../model/settlement.ts';
import { minorUnitsOf } from '../money/minor-units.ts';

/** Decimal places that a currency doesn't have. */
export interface UnusualScale {
  readonly currency: string;
  readonly decimalPlaces: number;
  /** The decimal places that it has. */
  readonly expected: number;
}

/** Settlements with the same decimal places that their currency doesn't have. */
export interface UnusualScales extends UnusualScale {
  readonly settlements: number;
}

/**
 * What is unusual about the decimal places of a header: its currency has others by what is expected
 * of it, or else by ISO 4217. Undefined where they are as usual, or where nothing is known of the
 * currency.
 */
export function unusualScaleOf(
  { currency, scale }: Pick<Settlement, 'currency' | 'scale'>,
  expectedScales: ReadonlyMap<string, number>,
): UnusualScale | undefined {
  const expected = expectedScales.get(currency) ?? minorUnitsOf(currency);
  return expected === undefined || expected === scale
    ? undefined
    : { currency, decimalPlaces: scale, expected };
}

/** Counts the settlements with unusual decimal places, by currency and decimal places, sorted. */
export function unusualScales(
  settlements: readonly Pick<Settlement, 'currency' | 'scale'>[],
  expectedScales: ReadonlyMap<string, number>,
): readonly UnusualScales[] {
  const found = settlements.flatMap((one) => unusualScaleOf(one, expectedScales) ?? []);
  return [...groupedBy(found, (one) => `${one.currency} ${one.decimalPlaces}`).values()]
    .flatMap(([one, ...others]) => (one ? { ...one, settlements: others.length + 1 } : []))
    .sort((a, b) => byText(a.currency, b.currency) || a.decimalPlaces - b.decimalPlaces);
}
