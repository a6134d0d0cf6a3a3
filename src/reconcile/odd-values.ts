import { isUuid } from '../base/uuid.ts';
import { currencyForm, timestampForm, uuidForm } from '../model/forms.ts';
import type { Row } from '../model/row.ts';
import { SmallestKeys } from './examples.ts';

/** A value of an unexpected form, in the field that the service has it in. */
export interface OddValue {
  readonly field: string;
  readonly value: string;
}

interface CheckedField {
  readonly field: string;
  /** An id that whoever keeps it may already know to be a UUID. */
  readonly isKept?: true;
  isOdd(value: string): boolean;
  valueIn(row: Row): string;
}

/** Whether a value is of another form than the document says. One that was left out isn't. */
export function isOdd(value: string, form: RegExp): boolean {
  return value !== '' && !form.test(value);
}

/** The same for what is mostly a UUID in lower case, which is told without the expression. */
function isOddId(id: string): boolean {
  return !isUuid(id) && isOdd(id, uuidForm);
}

/** The fields of a row that have a form (doc 2.8). */
const checkedFields: readonly CheckedField[] = [
  { field: 'chargeId', isKept: true, isOdd: isOddId, valueIn: (row) => row.chargeId },
  {
    field: 'currencyCode',
    isOdd: (code) => isOdd(code, currencyForm),
    valueIn: (row) => row.currency,
  },
  { field: 'orderId', isOdd: isOddId, valueIn: (row) => row.orderId },
  { field: 'settlementId', isOdd: isOddId, valueIn: (row) => row.settlementId },
  {
    field: 'timestamp',
    isOdd: (time) => isOdd(time, timestampForm),
    valueIn: (row) => row.timestamp,
  },
  { field: 'transactionId', isKept: true, isOdd: isOddId, valueIn: (row) => row.id },
];

/**
 * The values of unexpected form among rows: their number, and for each field those of the rows with
 * the smallest ids. Noted as rows pass, because not all of these fields are kept.
 */
export class OddValues {
  #count = 0;
  readonly #byField = checkedFields.map((checked) => ({
    ...checked,
    examples: new SmallestKeys<string>(),
    /** The last value that wasn't odd: often the next one is the same. */
    usual: '',
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

  /**
   * Returns which fields were odd, a bit each: what `forget` needs to know of the row later.
   * `keptAreUuids`: the ids that are kept, `transactionId` and `chargeId`, are known to be UUIDs.
   */
  note(row: Row, keptAreUuids: boolean): number {
    let oddFields = 0;
    for (let bit = 0; bit < this.#byField.length; bit += 1) {
      const field = this.#byField[bit];
      const value = field?.valueIn(row);
      if (field === undefined || value === undefined || value === field.usual) continue;
      if (keptAreUuids && field.isKept) continue;
      if (!field.isOdd(value)) {
        field.usual = value;
        continue;
      }
      oddFields |= 1 << bit;
      this.#count += 1;
      field.examples.set(row.id, value);
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
