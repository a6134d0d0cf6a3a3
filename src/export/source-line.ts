import * as z from 'zod';
import { contentsOf } from '../app/read-settlements.ts';
import { viewOf } from '../base/byte-writer.ts';
import { isObject, parseJson } from '../base/json.ts';
import { byText } from '../base/texts.ts';
import { type Row, rowFields } from '../model/row.ts';
import type { RowKind } from '../model/row-batch.ts';
import { type Settlement, settlementFields } from '../model/settlement.ts';
import { fieldForms, type HeaderList } from '../model/source.ts';

const sourceSchemaNumber = 1;

const text = z.string();
const id = text.min(1);
const count = z.int().min(0);
const scale = count.max(18);
const minorUnits = text.regex(/^-?\d{1,40}$/).transform(BigInt);

const headerSchema: z.ZodType<Settlement> = z.object({
  id,
  timestamp: text,
  date: text,
  accountingToken: text,
  merchantId: text,
  paymentService: text,
  status: text,
  currency: text,
  scale,
  gross: minorUnits,
  fees: minorUnits,
  tax: minorUnits,
  payIn: minorUnits,
  transactions: count,
  paymentReferences: text.array(),
  paymentEndToEndIds: text.array(),
});

const notesSchema = z.object({ key: text, value: text }).array();
const noNotes: Row['notes'] = [];

const rowSchema: z.ZodType<Row> = z.object({
  id,
  chargeId: text,
  orderId: text,
  settlementId: text,
  timestamp: text,
  type: text,
  paymentType: text,
  state: text,
  currency: text,
  scale,
  amount: minorUnits,
  fees: minorUnits,
  tax: minorUnits,
  notes: notesSchema,
});

const listOutcome = {
  unsteady: z.enum(['walks_disagree', 'no_progress', 'too_long']).exactOptional(),
  unreadable: z
    .object({ record: text, field: text, found: text, expected: z.enum(fieldForms) })
    .array()
    .readonly()
    .default([]),
};

const endSchema = z.object({
  type: z.literal('end'),
  settlement: id,
  rows: count,
  ...listOutcome,
  notRead: z.object({ code: text, facts: z.record(text, text) }).exactOptional(),
});

const lineSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('source'), schema: z.literal(sourceSchemaNumber), day: id }),
  z.object({ type: z.literal('settlement'), record: headerSchema }),
  z.object({ type: z.literal('headers'), ...listOutcome }),
  z.object({
    type: z.literal('row'),
    settlement: id,
    record: rowSchema,
    /** How often the service lists it: 1, and one more for each copy. */
    listed: count.min(1),
    /** A conflicting row of the id of the row before, which counts; this one does not. */
    conflicting: z.literal(true).optional(),
  }),
  endSchema,
]);

type SourceLine = z.infer<typeof lineSchema>;

export type RowsEnd = Omit<z.infer<typeof endSchema>, 'type' | 'settlement' | 'rows'>;

export type SourceHeaders = Pick<
  HeaderList,
  'settlements' | 'conflicts' | 'unreadable' | 'unsteady'
>;

/** All that the service lists for a transaction id of a settlement. */
export interface ListedTransaction {
  readonly row: Row;
  readonly listed: number;
  readonly others: readonly Row[];
}

// In lines, fields have the service's names, in this order. Lines have no line breaks here, but for `linePieces`.
const { timestamp, ...others } = settlementFields;
const headerNames = Object.entries({ id: 'settlementId', timestamp, date: 'day', ...others });
const rowNames = Object.entries({ id: 'transactionId', ...rowFields });
const recordNames = new Map<unknown, typeof rowNames>([
  ['settlement', headerNames],
  ['row', rowNames],
]);

export function sourceLine(day: string): string {
  return JSON.stringify({ type: 'source', schema: sourceSchemaNumber, day });
}

export function headerLine(header: Settlement): string {
  return `{"type":"settlement"${fieldsText(header, headerNames)}}`;
}

/** The line after the last header, with the outcome of listing them; undefined if all could be read. */
function headersEndLine({ unsteady, unreadable }: SourceHeaders): string | undefined {
  if (unsteady === undefined && unreadable.length === 0) return undefined;
  const sorted = unreadable.toSorted((one, other) =>
    byText(JSON.stringify(one), JSON.stringify(other)),
  );
  return JSON.stringify({ type: 'headers', unsteady, unreadable: sorted });
}

/** The lines of headers, of each settlement the one that counts first; then the outcome of listing them. */
export function* headerLines(headers: SourceHeaders): Generator<string> {
  for (const contents of contentsOf(headers)) yield* contents.map(headerLine);
  const end = headersEndLine(headers);
  if (end !== undefined) yield end;
}

/** The line of a row; `conflicting` if its id is that of the row before, which counts. */
export function rowLine(settlementId: string, row: Row, listed: number, conflicting = false) {
  const under = `"settlement":${JSON.stringify(settlementId)}`;
  const marks = `"listed":${listed}${conflicting ? ',"conflicting":true' : ''}`;
  return `{"type":"row",${under}${fieldsText(row, rowNames)},${marks}}`;
}

/** A field that rows of the same kind do not share. */
export type PerRowField = Exclude<keyof Row, keyof RowKind>;

/** A field in a line, and what stands between it and the field before; no field at the end of the line. */
interface LinePiece {
  readonly before: DataView;
  readonly field: PerRowField | undefined;
}

/** The line that `rowLine` gives for rows of a kind that are listed once, with its line break, in pieces. */
export function linePieces(settlementId: string, kind: RowKind): readonly LinePiece[] {
  const pieces: LinePiece[] = [];
  const add = (before: string, field: PerRowField | undefined) =>
    pieces.push({ before: viewOf(Buffer.from(before)), field });
  const shared = new Map<string, unknown>(Object.entries(kind));
  let before = `{"type":"row","settlement":${JSON.stringify(settlementId)}`;
  for (const [field, name] of rowNames) {
    before += `,"${name}":`;
    if (shared.has(field)) before += JSON.stringify(shared.get(field));
    else {
      const quote = field === 'notes' ? '' : '"';
      add(before + quote, field as PerRowField);
      before = quote;
    }
  }
  add(`${before},"listed":1}\n`, undefined);
  return pieces;
}

/** The line after the rows of a settlement, of which there are `rows`. */
export function endLine(settlementId: string, rows: number, end: Partial<RowsEnd>): string {
  const { unsteady, unreadable = [], notRead } = end;
  return JSON.stringify({
    type: 'end',
    settlement: settlementId,
    rows,
    unsteady,
    unreadable: unreadable.length > 0 ? unreadable : undefined,
    notRead,
  });
}

/** The fields of a record as JSON, a comma before each. Amounts are texts, since numbers in JSON are floats. */
function fieldsText(record: object, names: typeof rowNames): string {
  const values: Readonly<Record<string, unknown>> = { ...record };
  let fields = '';
  for (const [field, name] of names) {
    const value = values[field];
    fields += `,"${name}":${JSON.stringify(typeof value === 'bigint' ? String(value) : value)}`;
  }
  return fields;
}

// Texts in which nothing is escaped.
const plain = String.raw`[^"\\\x00-\x1f]*`;
const plainNote = String.raw`\{"key":"${plain}","value":"${plain}"\}`;
const usualAmount = String.raw`"(-?\d{1,40})"`;
const usualValues: ReadonlyMap<string, string> = new Map([
  ['id', `"((?!")${plain})"`],
  ['scale', String.raw`(\d|1[0-8])`],
  ['amount', usualAmount],
  ['fees', usualAmount],
  ['tax', usualAmount],
  ['notes', String.raw`(\[(?:${plainNote}(?:,(?=\{)|(?=\])))*\])`],
]);
const usualFields = [['settlement', 'settlement'] as const, ...rowNames].map(([field, name]) => {
  const value = usualValues.get(field) ?? `"(${plain})"`;
  return `,"${name}":${value.replace('(', `(?<${field}>`)}`;
});
/** The line of most rows, with a group for each field. */
const usualRow = new RegExp(String.raw`^\{"type":"row"${usualFields.join('')},"listed":1\}$`);

/** Reads a line; `fault` is the name of the first invalid field. */
export function readLine(line: string): ReturnType<typeof parseLine> {
  const { groups } = usualRow.exec(line) ?? {};
  if (!groups) return parseLine(line);
  const { settlement = '', id = '', chargeId = '', orderId = '', settlementId = '' } = groups;
  const { timestamp = '', type = '', paymentType = '', state = '', currency = '' } = groups;
  const { scale, amount = '', fees = '', tax = '', notes = '' } = groups;
  const record: Row = {
    id,
    chargeId,
    orderId,
    settlementId,
    timestamp,
    type,
    paymentType,
    state,
    currency,
    scale: Number(scale),
    amount: BigInt(amount),
    fees: BigInt(fees),
    tax: BigInt(tax),
    notes: notes === '[]' ? noNotes : JSON.parse(notes),
  };
  return { type: 'row', settlement, record, listed: 1 };
}

/** As `readLine`, for a line of any form. */
export function parseLine(text: string): SourceLine | { readonly fault: string } {
  const line = parseJson(text);
  if (!isObject(line)) return { fault: 'the whole line' };
  const names = recordNames.get(line['type']);
  const record: Record<string, unknown> = {};
  for (const [field, name] of names ?? []) record[field] = line[name];
  const { type, settlement, listed, conflicting } = line;
  const result = lineSchema.safeParse(
    names ? { type, settlement, record, listed, conflicting } : line,
  );
  if (result.success) return result.data;
  const [field, ...within] = result.error.issues[0]?.path ?? [];
  if (field !== 'record') return { fault: [field, ...within].join('.') };
  const [inRecord, ...deeper] = within;
  return { fault: [new Map(names).get(String(inRecord)), ...deeper].join('.') };
}
