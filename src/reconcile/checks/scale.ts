import { entry } from '../entry.ts';
import { smallestIds } from '../examples.ts';
import type { Check } from './check.ts';

/**
 * `scale`: rows in the header's currency with other decimal places than the header. Their amounts
 * are rescaled, exactly. Another currency may well have others.
 */
export const scale: Check = ({ settlement, rows }) => {
  const found = rows.where(
    (index) =>
      rows.scales.get(index) !== settlement.scale &&
      rows.currencies.get(index) === settlement.currency,
  );
  if (found.length === 0) return [];
  const others = new Set(found.map((index) => rows.scales.get(index)));
  return [
    entry('scale', found.length, {
      decimalPlaces: settlement.scale,
      others: [...others].sort((a, b) => a - b),
      examples: smallestIds(found.map((index) => rows.ids.get(index))),
    }),
  ];
};
