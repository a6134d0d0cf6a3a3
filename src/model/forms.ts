/** Whether a value is not of the form in the document. A missing value is not odd. */
export function isOdd(value: string, form: RegExp): boolean {
  return value !== '' && !form.test(value);
}

/** The form of ids (doc 2.7, 2.8). */
export const uuidForm = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** ISO 8601, extended or basic: a date, optionally with a time and an offset. */
export const timestampForm =
  /^\d{4}(-?)(?:0[1-9]|1[0-2])\1(?:0[1-9]|[12]\d|3[01])(?:T(?:[01]\d|2[0-4])(:?)[0-5]\d(?:\2(?:[0-5]\d|60)(?:[.,]\d+)?)?(?:Z|[+-]\d{2}(?::?[0-5]\d)?)?)?$/;

/** ISO 4217. */
export const currencyForm = /^[A-Z]{3}$/;
