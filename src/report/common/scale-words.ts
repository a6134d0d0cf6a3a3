import type { ReconciledSettlement } from '../../reconcile/reconciled.ts';
import type { UnusualScale, UnusualScales } from '../../reconcile/unusual-scales.ts';
import { many } from './phrase.ts';

/** What may be wrong with amounts of unusual decimal places: too many make them too small. */
export function unusualScaleText({ currency, decimalPlaces, expected }: UnusualScale): string {
  const factor = `1${'0'.repeat(Math.abs(decimalPlaces - expected))}`;
  return (
    `${many(decimalPlaces, 'decimal place')} instead of ${expected} for ${currency}, so the amounts may be ` +
    `${factor} times too ${decimalPlaces > expected ? 'small' : 'large'}`
  );
}

/** What a verdict leaves open: `it has 2 decimal places instead of 0 for JPY, ...`; mostly nothing. */
export function scaleDoubts({ notices }: ReconciledSettlement): readonly string[] {
  return notices.flatMap((one) =>
    one.code === 'unusual_scale' ? [`it has ${unusualScaleText(one.facts)}`] : [],
  );
}

/** Unusual decimal places, a text for each currency. Without full stops, so that they fit in a list. */
export function unusualScaleTexts(found: readonly UnusualScales[]): readonly string[] {
  return found.map(
    (one) =>
      `${many(one.settlements, 'settlement')} ${one.settlements === 1 ? 'has' : 'have'} ${unusualScaleText(one)}`,
  );
}

/** `expected: JPY 2`; nothing where only ISO 4217 counts. */
export function expectedScalesText(expected: ReadonlyMap<string, number>): string | undefined {
  if (expected.size === 0) return undefined;
  return `expected: ${[...expected].map(([currency, places]) => `${currency} ${places}`).join(', ')}`;
}
