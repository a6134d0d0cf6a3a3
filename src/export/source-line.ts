import * as z from 'zod';
import { isObject, parseJson } from '../base/json.ts';
import type { Row } from '../model/row.ts';
import type { Settlement } from '../model/settlement.ts';
import type { UnreadableRecord, UnsteadyReason } from '../model/source.ts';

/** The version of the lines. */
const schema = 1;

/** A row as the service lists it. */
export interface ListedRow {
  readonly row: Row;
  /** How often the service itself lists it: 1, and one more for each copy. */
  readonly listed: number;
  /** A further content of the id whose row came before; that one counts, this one doesn't. */
  readonly conflicting: boolean;
}

/** How the rows of a settlement ended; of what isn't set here there is nothing to say. */
export interface SectionEnd {
  /** Set where it isn't certain that all were read. */
  readonly unsteady?: UnsteadyReason;
  readonly unreadable: readonly UnreadableRecord[];
  /** Why they could not be fetched; then there are none. */
  readonly notRead?: string;
}

/** A line of a day's source, understood. */
export type SourceLine =
  | { readonly type: 'source'; readonly day: string }
  | { readonly type: 'settlement'; readonly settlement: Settlement }
  /** `under`: the id of the settlement that it is listed under. */
  | { readonly type: 'row'; readonly under: string; readonly listed: ListedRow }
  | {
      readonly type: 'end';
      readonly under: string;
      /** Lines of rows that came before. */
      readonly rows: number;
      readonly end: SectionEnd;
    };

// Lines are made and read without their line breaks.

/** The first line: whose it is. */
export function sourceLine(day: string): string {
  return lineOf({ type: 'source', schema, day });
}

/** A header, exactly. Amounts are minor units as text, since JSON's numbers are floats. */
export function sourceSettlementLine(one: Settlement): string {
  return lineOf({
    type: 'settlement',
    settlementId: one.id,
    settlementDate: one.timestamp,
    day: one.date,
    accountingToken: one.accountingToken,
    merchantId: one.merchantId,
    paymentService: one.paymentService,
    settlementStatus: one.status,
    currencyCode: one.currency,
    decimalPlaces: one.scale,
    amountGross: String(one.gross),
    fees: String(one.fees),
    tax: String(one.tax),
    amountPayIn: String(one.payIn),
    totalTransactions: one.transactions,
    paymentReferences: one.paymentReferences,
    paymentEndToEndIds: one.paymentEndToEndIds,
  });
}

/** A row, exactly, listed under the settlement with the id `under`. */
export function rowLine(under: string, { row, listed, conflicting }: ListedRow): string {
  return lineOf({
    type: 'row',
    settlement: under,
    transactionId: row.id,
    chargeId: row.chargeId,
    orderId: row.orderId,
    settlementId: row.settlementId,
    timestamp: row.timestamp,
    transactionType: row.type,
    paymentType: row.paymentType,
    state: row.state,
    currencyCode: row.currency,
    decimalPlaces: row.scale,
    amount: String(row.amount),
    fees: String(row.fees),
    tax: String(row.tax),
    notes: row.notes.map(({ key, value }) => ({ key, value })),
    listed,
    ...(conflicting && { conflicting: true }),
  });
}

/** The line that ends the rows of a settlement. */
export function endLine(under: string, rows: number, end: SectionEnd): string {
  return lineOf({
    type: 'end',
    settlement: under,
    rows,
    ...(end.unsteady !== undefined && { unsteady: end.unsteady }),
    ...(end.unreadable.length > 0 && {
      unreadable: end.unreadable.map(({ record, field, found, expected }) => ({
        record,
        field,
        found,
        expected,
      })),
    }),
    ...(end.notRead !== undefined && { notRead: end.notRead }),
  });
}

/** JSON escapes line breaks, control characters and lone surrogates: a line stays a line. */
function lineOf(value: object): string {
  return JSON.stringify(value);
}

const texts = z.string().array();
const count = z.int().min(0);
const scale = z.int().min(0).max(18);
const minorUnits = z
  .string()
  .regex(/^-?\d{1,40}$/)
  .transform(BigInt);
const id = z.string().min(1);

const sourceSchema = z.object({ type: z.literal('source'), schema: z.literal(schema), day: id });

const settlementSchema = z
  .object({
    type: z.literal('settlement'),
    settlementId: id,
    settlementDate: z.string(),
    day: z.string(),
    accountingToken: z.string(),
    merchantId: z.string(),
    paymentService: z.string(),
    settlementStatus: z.string(),
    currencyCode: z.string(),
    decimalPlaces: scale,
    amountGross: minorUnits,
    fees: minorUnits,
    tax: minorUnits,
    amountPayIn: minorUnits,
    totalTransactions: count,
    paymentReferences: texts,
    paymentEndToEndIds: texts,
  })
  .transform(
    (line): SourceLine => ({
      type: 'settlement',
      settlement: {
        id: line.settlementId,
        timestamp: line.settlementDate,
        date: line.day,
        accountingToken: line.accountingToken,
        merchantId: line.merchantId,
        paymentService: line.paymentService,
        status: line.settlementStatus,
        currency: line.currencyCode,
        scale: line.decimalPlaces,
        gross: line.amountGross,
        fees: line.fees,
        tax: line.tax,
        payIn: line.amountPayIn,
        transactions: line.totalTransactions,
        paymentReferences: line.paymentReferences,
        paymentEndToEndIds: line.paymentEndToEndIds,
      },
    }),
  );

const rowSchema = z
  .object({
    type: z.literal('row'),
    settlement: id,
    transactionId: id,
    chargeId: z.string(),
    orderId: z.string(),
    settlementId: z.string(),
    timestamp: z.string(),
    transactionType: z.string(),
    paymentType: z.string(),
    state: z.string(),
    currencyCode: z.string(),
    decimalPlaces: scale,
    amount: minorUnits,
    fees: minorUnits,
    tax: minorUnits,
    notes: z.object({ key: z.string(), value: z.string() }).array(),
    listed: z.int().min(1),
    conflicting: z.literal(true).optional(),
  })
  .transform(
    (line): SourceLine => ({
      type: 'row',
      under: line.settlement,
      listed: {
        row: {
          id: line.transactionId,
          chargeId: line.chargeId,
          orderId: line.orderId,
          settlementId: line.settlementId,
          timestamp: line.timestamp,
          type: line.transactionType,
          paymentType: line.paymentType,
          state: line.state,
          currency: line.currencyCode,
          scale: line.decimalPlaces,
          amount: line.amount,
          fees: line.fees,
          tax: line.tax,
          notes: line.notes,
        },
        listed: line.listed,
        conflicting: line.conflicting ?? false,
      },
    }),
  );

const endSchema = z
  .object({
    type: z.literal('end'),
    settlement: id,
    rows: count,
    unsteady: z.enum(['walks_disagree', 'no_progress', 'too_long']).optional(),
    unreadable: z
      .object({
        record: z.string(),
        field: z.string(),
        found: z.string(),
        expected: z.string(),
      })
      .array()
      .default([]),
    notRead: z.string().optional(),
  })
  .transform(
    ({ settlement, rows, unsteady, unreadable, notRead }): SourceLine => ({
      type: 'end',
      under: settlement,
      rows,
      end: {
        unreadable,
        ...(unsteady !== undefined && { unsteady }),
        ...(notRead !== undefined && { notRead }),
      },
    }),
  );

const schemas: ReadonlyMap<unknown, z.ZodType<SourceLine>> = new Map<
  unknown,
  z.ZodType<SourceLine>
>([
  ['source', sourceSchema],
  ['settlement', settlementSchema],
  ['row', rowSchema],
  ['end', endSchema],
]);

/** Reads a line. Gives the name of the field that doesn't fit, if one doesn't. */
export function readLine(text: string): SourceLine | { readonly fault: string } {
  const value = parseJson(text);
  if (!isObject(value)) return { fault: 'the whole line' };
  const result = schemas.get(value['type'])?.safeParse(value);
  if (result?.success) return result.data;
  return { fault: result?.error.issues[0]?.path.join('.') || 'type' };
}
