import * as z from 'zod';
import { writtenDay } from '../base/calendar.ts';
import { isObject } from '../base/json.ts';

// Strict where money is, liberal elsewhere: texts that carry no amount are taken as they come, and
// fields that are not named here are ignored. The messages say what should have been there.

const minorUnits = z.int('a whole number of minor units within ±(2^53 − 1)');
const count = z.int('a whole number, 0 or more').min(0, 'a whole number, 0 or more');
const given = z.string('a text that is not empty').regex(/\S/, 'a text that is not empty');

/** Of any type, or not there at all. */
const anything = z.unknown().optional();

/** A number in a header, a text in a row (doc 2.7, 2.8): both are taken in both places. */
const decimalPlaces = z.unknown().refine(isScale, 'a whole number from 0 to 18');

const day = 'a timestamp that begins with a date, YYYY-MM-DD';
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

function isScale(value: unknown): boolean {
  // Number('') and Number(null) are 0: what is no scale must not become one.
  if (typeof value === 'string') return /^(0?\d|1[0-8])$/.test(value);
  return Number.isInteger(value) && 0 <= Number(value) && Number(value) <= 18;
}

export type HeaderRecord = z.infer<typeof headerSchema>;
export type RowRecord = z.infer<typeof rowSchema>;

/** The first fault of a record. */
export interface Fault {
  readonly field: string;
  readonly expected: string;
}

export function readHeaderRecord(record: unknown): HeaderRecord | Fault {
  return read(headerSchema, record);
}

export function readRowRecord(record: unknown): RowRecord | Fault {
  return read(rowSchema, record);
}

export function isFault(result: object): result is Fault {
  return 'field' in result && 'expected' in result;
}

function read<Schema extends z.ZodType>(schema: Schema, record: unknown): z.infer<Schema> | Fault {
  if (!isObject(record)) return { field: '', expected: 'an object' };
  const result = schema.safeParse(record);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  return { field: issue?.path.join('.') ?? '', expected: issue?.message ?? '' };
}
