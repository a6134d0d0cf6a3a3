import { byText } from '../../base/texts.ts';
import { currencyForm, timestampForm, uuidForm } from '../../model/forms.ts';
import type { Settlement } from '../../model/settlement.ts';
import { entry } from '../entry.ts';
import { exampleLimit } from '../examples.ts';
import { isOdd, type OddValue } from '../odd-values.ts';
import type { Check } from '../subject.ts';
import { serviceSays } from '../verdict.ts';

/**
 * `unknown_value`: a status that the document doesn't name (doc 3.4), or an id, timestamp or
 * currency code of an unexpected form. All are kept as they came.
 */
export const unknownValue: Check = ({ settlement, rows }) => {
  const inHeader = oddInHeader(settlement);
  const count = inHeader.length + rows.odd.count;
  if (count === 0) return [];
  return [entry('unknown_value', count, { examples: pick([...inHeader, ...rows.odd.examples]) })];
};

function oddInHeader({ status, id, timestamp, currency }: Settlement): readonly OddValue[] {
  const odd: OddValue[] = [];
  if (serviceSays(status) === 'unknown') odd.push({ field: 'settlementStatus', value: status });
  if (isOdd(id, uuidForm)) odd.push({ field: 'settlementId', value: id });
  if (isOdd(timestamp, timestampForm)) odd.push({ field: 'settlementDate', value: timestamp });
  if (isOdd(currency, currencyForm)) odd.push({ field: 'currencyCode', value: currency });
  return odd;
}

/** Each value once; one of each field before the second of any, so that none is crowded out. */
function pick(values: readonly OddValue[]): readonly OddValue[] {
  const byField = new Map<string, Set<string>>();
  for (const { field, value } of values) {
    byField.set(field, (byField.get(field) ?? new Set()).add(value));
  }
  return [...byField]
    .flatMap(([field, distinct]) => [...distinct].map((value, rank) => ({ field, value, rank })))
    .sort((a, b) => a.rank - b.rank || byText(a.field, b.field))
    .slice(0, exampleLimit)
    .map(({ field, value }) => ({ field, value }));
}
