import { entry } from '../entry.ts';
import { byText, smallestIds } from '../examples.ts';
import type { Check } from './check.ts';

/** `currency`: rows in another currency than the header. They are never added to its sums. */
export const currency: Check = ({ settlement, rows, sums }) => {
  const others = [...sums]
    .filter(([code]) => code !== settlement.currency)
    .sort(([a], [b]) => byText(a, b))
    .map(([, totals]) => totals);
  if (others.length === 0) return [];
  const found = rows.where((index) => rows.currencies.get(index) !== settlement.currency);
  const examples = smallestIds(found.map((index) => rows.ids.get(index)));
  return [entry('currency', found.length, { totals: others, examples })];
};
