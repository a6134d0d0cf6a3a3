import * as z from 'zod';
import { writtenDay } from '../base/calendar.ts';
import { isKeptNumber, isObject } from '../base/json.ts';

// Strict where money is, liberal elsewhere: texts that carry no amount are taken as they come, and
// fields that are not named here are ignored. The messages say what should have been there.

const minorUnits = z.int('a whole number of minor units within ±(2^53 − 1)');
const count = z.int('a whole number, 0 or more').min(0, 'a whole number, 0 or more');
const notEmpty = 'a non-empty text';
const given = z.string(notEmpty).refine((text) => /\S/.test(text) && !isKeptNumber(text), notEmpty);

/** Of any type, or not there at all. */
const anything = z.unknown().optional();

/** A number in a header, a text in a row (doc 2.7, 2.8): both are taken in both places. */
const decimalPlaces = z.unknown().refine(isScale, 'a whole number from 0 to 18');

const day = 'a timestamp that starts with a date, YYYY-MM-DD or YYYYMMDD';
const settlementDate = z.string(day).refine((text) => writtenDay(text) !== undefined, day);

/** A settlement header record (doc 2.7). */
const headerSchema = z.object({
  settlementId: given,
  settlementDate,
  accountingToken: given,
  merchantId: anything,
  paymentService: anything,
  settlementStatus: anything,
  currencyCode: given,
  decimalPlaces,
  amountGross: minorUnits,
  fees: minorUnits,
  tax: minorUnits,
  amountPayIn: minorUnits,
  totalTransactions: count,
  paymentReferences: anything,
  paymentEndToEndIds: anything,
});

/** A settlement transaction record (doc 2.8). */
const rowSchema = z.object({
  transactionId: given,
  settlementId: given,
  chargeId: anything,
  orderId: anything,
  timestamp: anything,
  transactionType: anything,
  paymentType: anything,
  state: anything,
  currencyCode: given,
  decimalPlaces,
  amount: minorUnits,
  fees: minorUnits,
  tax: minorUnits,
  notes: anything,
});

const chargeAmountForm =
  'a whole number of minor units within ±(2^53 − 1), or an object with such a value';
const amountObject = z.object({ value: minorUnits, currency: anything });
/** The document shows no shape: an integer or an object (doc 2.5). Not there, it is no zero. */
const chargeAmount = z.union([minorUnits, amountObject], chargeAmountForm).nullish();
/** Of no known shape at all: what is neither a number nor has a `value` is taken as it comes. */
const outOfBalanceAmount = z
  .unknown()
  .refine(
    (amount) =>
      typeof amount === 'number' || isKeptNumber(amount) || (isObject(amount) && 'value' in amount)
        ? chargeAmount.safeParse(amount).success
        : true,
    chargeAmountForm,
  );

const outOfBalanceAmounts = anything
  .transform((amounts) => (Array.isArray(amounts) ? amounts : [amounts ?? []].flat()))
  .pipe(z.array(outOfBalanceAmount));

const orderSchema = z.object({
  order_id: anything,
  service_id: anything,
  your_order_reference: anything,
  your_order_details: anything,
  order_amount: chargeAmount,
});
/** What is no order has no amount, and must not be quoted: a customer may stand in it. */
const order = anything
  .transform((value) => (isObject(value) ? value : undefined))
  .pipe(orderSchema.optional());

const summarySchema = z.object(
  {
    original_order_total: chargeAmount,
    current_order_total: chargeAmount,
    completed_amount: chargeAmount,
    refunded_amount: chargeAmount,
    settled_amount: chargeAmount,
    canceled_amount: chargeAmount,
    disputed_amount: chargeAmount,
    reconciled_amount: chargeAmount,
    reversed_amount: chargeAmount,
    out_of_balance_amounts: outOfBalanceAmounts,
  },
  'an object',
);

/** A charge (doc 2.2): strict only where it holds money. */
const chargeSchema = z.object({
  charge_id: anything,
  status: anything,
  order,
  summary_amounts: summarySchema.nullish(),
  event: anything,
  error_message: anything,
  payments: anything,
  psp_responses: anything,
});

/** The fields of records, whole (doc 2.7, 2.8). */
export const recordFields: Readonly<Record<'settlement' | 'transaction', readonly string[]>> = {
  settlement: Object.keys(headerSchema.shape),
  transaction: Object.keys(rowSchema.shape),
};

function isScale(value: unknown): boolean {
  // Number('') and Number(null) are 0: what is no scale must not become one.
  if (typeof value === 'string') return /^(0?\d|1[0-8])$/.test(value);
  return Number.isInteger(value) && 0 <= Number(value) && Number(value) <= 18;
}

export type HeaderRecord = z.infer<typeof headerSchema>;
export type RowRecord = z.infer<typeof rowSchema>;
export type ChargeRecord = z.infer<typeof chargeSchema>;
export type ChargeAmountRecord = z.infer<typeof chargeAmount>;

/** The first fault of a record. */
export interface Misread {
  readonly field: string;
  readonly expected: string;
}

export function readHeaderRecord(record: unknown): HeaderRecord | Misread {
  return read(headerSchema, record);
}

export function readRowRecord(record: unknown): RowRecord | Misread {
  return read(rowSchema, record);
}

export function readChargeRecord(record: unknown): ChargeRecord | Misread {
  return read(chargeSchema, record);
}

export function isMisread(result: object): result is Misread {
  return 'field' in result && 'expected' in result;
}

function read<Schema extends z.ZodType>(
  schema: Schema,
  record: unknown,
): z.infer<Schema> | Misread {
  if (!isObject(record)) return { field: '', expected: 'an object' };
  const result = schema.safeParse(record);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  return { field: issue?.path.join('.') ?? '', expected: issue?.message ?? '' };
}
