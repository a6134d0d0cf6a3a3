/** A transaction of a settlement (doc 2.8). Minor units at `scale`; missing texts are empty. */
export interface Row {
  /** `transactionId`, never empty. */
  readonly id: string;
  readonly chargeId: string;
  readonly orderId: string;
  readonly settlementId: string;
  readonly timestamp: string;
  readonly type: string;
  readonly paymentType: string;
  readonly state: string;
  readonly currency: string;
  /** `decimalPlaces`: 0 to 18. */
  readonly scale: number;
  readonly amount: bigint;
  readonly fees: bigint;
  readonly tax: bigint;
  readonly notes: readonly Note[];
}

/** A merchant's own key and value. Keys may occur more than once. */
export interface Note {
  readonly key: string;
  readonly value: string;
}

/** The service's names for the fields of a row (doc 2.8). */
export const rowFields: Readonly<Record<Exclude<keyof Row, 'id'>, string>> = {
  chargeId: 'chargeId',
  orderId: 'orderId',
  settlementId: 'settlementId',
  timestamp: 'timestamp',
  type: 'transactionType',
  paymentType: 'paymentType',
  state: 'state',
  currency: 'currencyCode',
  scale: 'decimalPlaces',
  amount: 'amount',
  fees: 'fees',
  tax: 'tax',
  notes: 'notes',
};

/** Whether a value is not of the form in the document. A missing value is not odd. */
export function isOdd(value: string, form: RegExp): boolean {
  return value !== '' && !form.test(value);
}

/**
 * The state of rows whose amount is no gross: a balance carried over, or a reserve, in a file of another provider.
 * It counts for the pay-in. No word of the service.
 */
export const carriedState = 'carried over (file)';

/** The form of ids (doc 2.7, 2.8). */
export const uuidForm = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** ISO 8601, extended or basic: a date, optionally with a time and an offset. */
export const timestampForm =
  /^\d{4}(-?)(?:0[1-9]|1[0-2])\1(?:0[1-9]|[12]\d|3[01])(?:T(?:[01]\d|2[0-4])(:?)[0-5]\d(?:\2(?:[0-5]\d|60)(?:[.,]\d+)?)?(?:Z|[+-]\d{2}(?::?[0-5]\d)?)?)?$/;

/** ISO 4217. */
export const currencyForm = /^[A-Z]{3}$/;
