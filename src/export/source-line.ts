import * as z from 'zod';
import { viewOf } from '../base/byte-writer.ts';
import { isObject, parseJson } from '../base/json.ts';
import { byText } from '../base/texts.ts';
import type { Row } from '../model/row.ts';
import type { RowKind } from '../model/row-batch.ts';
import type { Settlement } from '../model/settlement.ts';
import type { HeaderList } from '../model/source.ts';
import { rowFields, settlementFields } from '../reconcile/service-fields.ts';

/** The version of the lines. */
const version = 1;

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
  notes: z.object({ key: text, value: text }).array(),
});

/** What leaves it open whether a list was read whole. */
const listEnding = {
  /** Set where it isn't certain that all was read. */
  unsteady: z.enum(['walks_disagree', 'no_progress', 'too_long']).exactOptional(),
  unreadable: z
    .object({ record: text, field: text, found: text, expected: text })
    .array()
    .readonly()
    .default([]),
};

const endSchema = z.object({
  type: z.literal('end'),
  /** The id of the settlement whose rows end. */
  settlement: id,
  /** Lines of rows that came before. */
  rows: count,
  ...listEnding,
  /** Why the rows could not be fetched; then there are none. */
  notRead: text.exactOptional(),
});

const lineSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('source'), schema: z.literal(version), day: id }),
  z.object({ type: z.literal('settlement'), record: headerSchema }),
  z.object({ type: z.literal('headers'), ...listEnding }),
  z.object({
    type: z.literal('row'),
    /** The id of the settlement that it is listed under. */
    settlement: id,
    record: rowSchema,
    /** How often the service itself lists it: 1, and one more for each copy. */
    listed: count.min(1),
    /** A further content of the id whose row came before; that one counts, this one doesn't. */
    conflicting: z.literal(true).optional(),
  }),
  endSchema,
]);

/** A line of a day's source, understood. */
export type SourceLine = z.infer<typeof lineSchema>;

/** How the rows of a settlement ended; of what isn't set there is nothing to say. */
export type SectionEnd = Omit<z.infer<typeof endSchema>, 'type' | 'settlement' | 'rows'>;

/** A transaction of a settlement: all that the service lists for its id. */
export interface ListedTransaction {
  /** The content that counts. */
  readonly row: Row;
  /** How often the service itself lists it: 1, and one more for each copy. */
  readonly listed: number;
  /** Further contents of the id, which don't count. */
  readonly others: readonly Row[];
}

// In lines, the fields of a header and of a row have the service's names. Their order is this one.
const { timestamp, ...furtherFields } = settlementFields;
const headerNames = Object.entries({
  id: 'settlementId',
  timestamp,
  date: 'day',
  ...furtherFields,
});
const rowNames = Object.entries({ id: 'transactionId', ...rowFields });
const recordNames = new Map<unknown, typeof rowNames>([
  ['settlement', headerNames],
  ['row', rowNames],
]);

// Lines are made and read without their line breaks.

/** The first line: whose it is. */
export function sourceLine(day: string): string {
  return JSON.stringify({ type: 'source', schema: version, day });
}

/** The line of a header, exactly. */
export function headerLine(header: Settlement): string {
  return `{"type":"settlement"${fieldsText(header, headerNames)}}`;
}

/**
 * The line after the last header, which says how listing them ended; undefined where all were listed
 * and could be read. The order of unreadable ones is that of their texts.
 */
export function headersEndLine({
  unsteady,
  unreadable,
}: Pick<HeaderList, 'unsteady' | 'unreadable'>): string | undefined {
  if (unsteady === undefined && unreadable.length === 0) return undefined;
  const sorted = unreadable.toSorted((one, other) =>
    byText(JSON.stringify(one), JSON.stringify(other)),
  );
  return JSON.stringify({ type: 'headers', unsteady, unreadable: sorted });
}

/**
 * The line of a row, exactly, which is listed `listed` times under the settlement with that id;
 * `conflicting` where it is a further content of the id whose row came before.
 */
export function rowLine(
  settlementId: string,
  row: Row,
  listed: number,
  conflicting = false,
): string {
  const under = `"settlement":${JSON.stringify(settlementId)}`;
  const marks = `"listed":${listed}${conflicting ? ',"conflicting":true' : ''}`;
  return `{"type":"row",${under}${fieldsText(row, rowNames)},${marks}}`;
}

/** A field that a row doesn't share with others of its kind. */
export type OwnField = Exclude<keyof Row, keyof RowKind>;

/** The value of a field, and all bytes of the line before it. */
export interface LinePiece {
  readonly before: DataView;
  /** Undefined where the line ends. */
  readonly field: OwnField | undefined;
}

/** The line of any row of a kind, listed once, and its line break: as `rowLine` has it. */
export function linePieces(settlementId: string, kind: RowKind): readonly LinePiece[] {
  const pieces: LinePiece[] = [];
  const shared = new Map<string, unknown>(Object.entries(kind));
  let before = `{"type":"row","settlement":${JSON.stringify(settlementId)}`;
  for (const [field, name] of rowNames) {
    before += `,"${name}":`;
    if (shared.has(field)) before += JSON.stringify(shared.get(field));
    else {
      const quote = field === 'notes' ? '' : '"';
      pieces.push({ before: bytesOf(before + quote), field: field as OwnField });
      before = quote;
    }
  }
  return [...pieces, { before: bytesOf(`${before},"listed":1}\n`), field: undefined }];
}

function bytesOf(text: string): DataView {
  return viewOf(Buffer.from(text));
}

/** The line that ends the rows of a settlement, after `rows` lines of them. */
export function endLine(settlementId: string, rows: number, end: Partial<SectionEnd>): string {
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

/**
 * The fields of a record in JSON, a comma before each. Amounts are minor units as text, since JSON's
 * numbers are floats. JSON escapes line breaks and lone surrogates: a line stays a line.
 */
function fieldsText(record: object, names: typeof rowNames): string {
  const values: Readonly<Record<string, unknown>> = { ...record };
  let fields = '';
  for (const [field, name] of names) {
    const value = values[field];
    fields += `,"${name}":${JSON.stringify(typeof value === 'bigint' ? String(value) : value)}`;
  }
  return fields;
}

/** Reads a line. Gives the name of the field that doesn't fit, if one doesn't. */
export function readLine(text: string): SourceLine | { readonly fault: string } {
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
