import * as z from 'zod';
import { contentsOf } from '../app/read-settlements.ts';
import { viewOf } from '../base/byte-writer.ts';
import { isObject, parseJson } from '../base/json.ts';
import { byText } from '../base/texts.ts';
import { type Row, rowFields } from '../model/row.ts';
import { isOfKind, kindOf, type RowKind } from '../model/row-batch.ts';
import { type Settlement, settlementFields } from '../model/settlement.ts';
import type { HeaderList } from '../model/source.ts';

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
    .object({ record: text, field: text, found: text, expected: text })
    .array()
    .readonly()
    .default([]),
};

const endSchema = z.object({
  type: z.literal('end'),
  settlement: id,
  rows: count,
  ...listOutcome,
  notRead: text.exactOptional(),
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
interface LinePiece<Between> {
  readonly before: Between;
  readonly field: PerRowField | undefined;
}

/** The line that `rowLine` gives for rows of a kind that are listed once, in pieces. */
function lineTexts(settlementId: string, kind: RowKind): readonly LinePiece<string>[] {
  const pieces: LinePiece<string>[] = [];
  const shared = new Map<string, unknown>(Object.entries(kind));
  let before = `{"type":"row","settlement":${JSON.stringify(settlementId)}`;
  for (const [field, name] of rowNames) {
    before += `,"${name}":`;
    if (shared.has(field)) before += JSON.stringify(shared.get(field));
    else {
      const quote = field === 'notes' ? '' : '"';
      pieces.push({ before: before + quote, field: field as PerRowField });
      before = quote;
    }
  }
  return [...pieces, { before: `${before},"listed":1}`, field: undefined }];
}

/** As `lineTexts`, for copying: bytes, with the line break. */
export function linePieces(settlementId: string, kind: RowKind): readonly LinePiece<DataView>[] {
  return lineTexts(settlementId, kind).map(({ before, field }) => {
    const text = field === undefined ? `${before}\n` : before;
    return { before: viewOf(Buffer.from(text)), field };
  });
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

/** Parses a line; `fault` is the name of the first invalid field. */
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

const mostKinds = 16;
const plainText = /[ !#-[\]-~]*/y;
const isAmount = (text: string): boolean => /^-?\d{1,40}$/.test(text);

/**
 * Reads the lines of a source one after the other. Most lines of rows differ from another one of the same
 * kind in a few texts only: these are read by their places, and all others by `readLine`, which gives the same.
 */
export class LineReader {
  /** Of the last kinds of rows, the last one first. */
  readonly #known: { readonly kind: RowKind; readonly pieces: readonly LinePiece<string>[] }[] = [];

  read(text: string): ReturnType<typeof readLine> {
    for (const [at, known] of this.#known.entries()) {
      const texts = textsIn(text, known.pieces);
      const row = texts && rowFrom(known.kind, texts);
      if (!row) continue;
      if (at > 0) {
        this.#known.splice(at, 1);
        this.#known.unshift(known);
      }
      return { type: 'row', settlement: row.settlementId, record: row, listed: 1 };
    }
    const line = readLine(text);
    if ('record' in line && line.type === 'row' && line.settlement === line.record.settlementId) {
      const kind = kindOf(line.record);
      if (!this.#known.some((known) => isOfKind(known.kind, kind))) {
        this.#known.unshift({ kind, pieces: lineTexts(kind.settlementId, kind) });
        this.#known.length = Math.min(this.#known.length, mostKinds);
      }
    }
    return line;
  }
}

/** The texts between the pieces of a line, or undefined if it has other pieces or a text with an escape. */
function textsIn(
  text: string,
  pieces: readonly LinePiece<string>[],
): readonly string[] | undefined {
  const texts: string[] = [];
  const tail = pieces.at(-1)?.before.length ?? 0;
  let at = 0;
  for (const { before, field } of pieces) {
    if (!text.startsWith(before, at)) return undefined;
    at += before.length;
    if (field === undefined) break;
    let end = text.length - tail;
    if (field !== 'notes') {
      plainText.lastIndex = at;
      plainText.test(text);
      end = plainText.lastIndex;
    }
    texts.push(text.slice(at, end));
    at = end;
  }
  return at === text.length ? texts : undefined;
}

/** A row of the texts of a line, in their order there; undefined unless all are as `rowSchema` wants them. */
function rowFrom(kind: RowKind, texts: readonly string[]): Row | undefined {
  const [id = '', chargeId = '', orderId = '', timestamp = ''] = texts;
  const [, , , , amount = '', fees = '', tax = '', notes = ''] = texts;
  if (id === '' || !isAmount(amount) || !isAmount(fees) || !isAmount(tax)) return undefined;
  const parsed = notes === '[]' ? noNotes : notesSchema.safeParse(parseJson(notes)).data;
  if (!parsed) return undefined;
  const { settlementId, type, paymentType, state, currency, scale } = kind;
  return {
    id,
    chargeId,
    orderId,
    settlementId,
    timestamp,
    type,
    paymentType,
    state,
    currency,
    scale,
    amount: BigInt(amount),
    fees: BigInt(fees),
    tax: BigInt(tax),
    notes: parsed,
  };
}
