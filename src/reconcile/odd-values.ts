import { groupedBy } from '../base/keys.ts';
import { byText } from '../base/texts.ts';
import { currencyForm, timestampForm, uuidForm } from '../model/forms.ts';
import type { Row } from '../model/row.ts';
import { found } from './entry.ts';
import { exampleLimit, SmallestKeys } from './examples.ts';
import type { Check } from './subject.ts';
import { serviceSays } from './verdict.ts';

/** A value of an unexpected form, in the field that the service has it in. */
export interface OddValue {
  readonly field: string;
  readonly value: string;
}

/** Whether a value is of another form than the document says. One that was left out isn't. */
function isOdd(value: string, form: RegExp): boolean {
  return value !== '' && !form.test(value);
}

/** The fields of a row that have a form (doc 2.8). */
const checkedFields = [
  { field: 'chargeId', form: uuidForm, of: 'chargeId' },
  { field: 'currencyCode', form: currencyForm, of: 'currency' },
  { field: 'orderId', form: uuidForm, of: 'orderId' },
  { field: 'settlementId', form: uuidForm, of: 'settlementId' },
  { field: 'timestamp', form: timestampForm, of: 'timestamp' },
  { field: 'transactionId', form: uuidForm, of: 'id' },
] as const;

/**
 * The values of unexpected form among rows: their number, and for each field those of the rows with
 * the smallest ids. Noted as rows pass, because not all of these fields are kept.
 */
export class OddValues {
  #count = 0;
  readonly #byField = checkedFields.map((checked) => ({
    ...checked,
    examples: new SmallestKeys<string>(),
  }));

  get count(): number {
    return this.#count;
  }

  /** By field, then row. */
  get examples(): readonly OddValue[] {
    return this.#byField.flatMap(({ field, examples }) =>
      examples.entries().map(([, value]) => ({ field, value })),
    );
  }

  /** Returns which fields were odd, a bit each: what `forget` needs to know of the row later. */
  note(row: Row): number {
    let oddFields = 0;
    for (const [bit, { form, of, examples }] of this.#byField.entries()) {
      const value = row[of];
      if (!isOdd(value, form)) continue;
      oddFields |= 1 << bit;
      this.#count += 1;
      examples.set(row.id, value);
    }
    return oddFields;
  }

  /**
   * Takes back what was noted of a row. An example that had to give way to the row's doesn't come
   * back, so that there may be fewer than ten; the count is exact.
   */
  forget(id: string, oddFields: number): void {
    this.#byField.forEach(({ examples }, bit) => {
      if ((oddFields & (1 << bit)) === 0) return;
      this.#count -= 1;
      examples.delete(id);
    });
  }
}

/**
 * `unknown_value`: a status that the document doesn't name (doc 3.4), or an id, timestamp or
 * currency code of an unexpected form. All are kept as they came.
 */
export const unknownValue: Check = ({ settlement, rows }) => {
  const { status, id, timestamp, currency } = settlement;
  const inHeader = [
    { field: 'settlementStatus', value: status, isOdd: serviceSays(status) === 'unknown' },
    { field: 'settlementId', value: id, isOdd: isOdd(id, uuidForm) },
    { field: 'settlementDate', value: timestamp, isOdd: isOdd(timestamp, timestampForm) },
    { field: 'currencyCode', value: currency, isOdd: isOdd(currency, currencyForm) },
  ].filter((one) => one.isOdd);
  const examples = pick([...inHeader, ...rows.odd.examples]);
  return found('unknown_value', inHeader.length + rows.odd.count, { examples });
};

/** Each value once; one of each field before the second of any, so that none is crowded out. */
function pick(values: readonly OddValue[]): readonly OddValue[] {
  return [...groupedBy(values, ({ field }) => field)]
    .map(([field, all]) => [field, new Set(all.map(({ value }) => value))] as const)
    .flatMap(([field, distinct]) => [...distinct].map((value, rank) => ({ field, value, rank })))
    .sort((a, b) => a.rank - b.rank || byText(a.field, b.field))
    .slice(0, exampleLimit)
    .map(({ field, value }) => ({ field, value }));
}
