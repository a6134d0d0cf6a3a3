import { stringify } from 'csv-stringify/sync';
import { loadModule, withRoom } from '../base/web-assembly.ts';
import { figurePlace, type RowKind, textPlace } from '../model/row-batch.ts';
import { type Value, valueText } from '../model/value.ts';
import type { CellKind, Column, Records, RowPart } from '../report/common/columns.ts';
import type { BatchText, Dialect, ListRenderer } from './formats.ts';
import { inertButForLines } from './inert.ts';
import * as layout from './kernel/layout.ts';
import { recordsKernel } from './kernel-binary.ts';

export interface CsvStyle {
  /** An ASCII character, as `decimal`. */
  readonly delimiter: string;
  readonly decimal: string;
  /** Whether there is a byte order mark, and texts of digits are kept from becoming numbers. */
  readonly isForExcel: boolean;
}

const byteOrderMark = '\ufeff';
const recordEnd = '\r\n';
const forms: Readonly<Record<Dialect, CsvStyle>> = {
  rfc: { delimiter: ',', decimal: '.', isForExcel: false },
  excel: { delimiter: ',', decimal: '.', isForExcel: true },
  'excel-eu': { delimiter: ';', decimal: ',', isForExcel: true },
};

/** Records, for spreadsheets and databases. */
export const csv: ListRenderer = {
  report: (views, { dialect }) => renderCsv(views.records(), dialect),
  list: ({ columns }, { dialect }) => {
    const { header, lines } = csvText(columns, dialect);
    return {
      opening: header,
      rows: (rows) => lines(rows.map((row) => columns.map((column) => column.value(row)))),
      ...(columns.every(({ part }) => part) && { batches: new RecordBytes(columns, dialect) }),
      closing: () => '',
    };
  },
};

const batchSize = 1000;

/** The records of a report as CSV, in pieces: the header row, then the rows. */
export function* renderCsv(
  { columns, rows }: Records,
  dialect: Dialect | CsvStyle,
): Generator<string> {
  const form = typeof dialect === 'string' ? forms[dialect] : dialect;
  const { delimiter } = form;
  const options = { delimiter, record_delimiter: recordEnd, quote_record_delimiter: true };
  yield csvText(columns, form).header;
  const batch: string[][] = [];
  for (const row of rows) {
    batch.push(columns.map(({ kind }, at) => safeText(valueText(row[at]), kind, form)));
    if (batch.length === batchSize) yield stringify(batch.splice(0), options);
  }
  yield* batch.length > 0 ? [stringify(batch, options)] : [];
}

/** CSV for records that come in batches: the header row, and the text of a batch. */
export function csvText(columns: Records['columns'], dialect: Dialect | CsvStyle) {
  const form = typeof dialect === 'string' ? forms[dialect] : dialect;
  const mark = form.isForExcel ? byteOrderMark : '';
  // A key may be the user's own word.
  const keys = columns.map((column) => fieldText(column.key, 'text', form));
  const fields = columns.map((column) => fieldWriter(column.kind, form));
  const line = (row: readonly Value[]) =>
    fields.map((field, index) => field(valueText(row[index]))).join(form.delimiter) + recordEnd;
  return {
    header: mark + keys.join(form.delimiter) + recordEnd,
    lines: (rows: readonly (readonly Value[])[]) => rows.map(line).join(''),
  };
}

/** Writes the fields of one column. The last one is reused, because most texts repeat. */
function fieldWriter(kind: CellKind, form: CsvStyle): (cell: string) => string {
  let last = '';
  let field = fieldText(last, kind, form);
  return (cell) => {
    if (cell !== last) {
      last = cell;
      field = fieldText(cell, kind, form);
    }
    return field;
  };
}

/** Most texts. In the rfc dialect they need no other check. */
const harmless = /^(?:[\dA-Za-z][ !#-+\--:<-~]*)?$/;

const plain = /^(?:[\dA-Za-z][ -~]*)?$/;

const number = /^-?\d+(?:\.\d+)?$/;

/** What a spreadsheet runs as a formula, also after spaces or invisible characters and in wide forms. */
const likeFormula = /^(?:[\s\p{Z}\p{Cf}]*[=+\-@＝＋－＠﹢﹣﹦﹫]|[\t\r\n\0])/u;

/**
 * Texts that a spreadsheet would change: it drops leading zeros or further digits, and makes numbers, dates, times
 * and truth values in the language of its user. It shows a plain day or time as it is.
 */
const changed = [
  /^(?:0\d+|\d{16,}|\d+(?:[.,]\d+)?e[-+]?\d+)$/i,
  /^(?!\d{4}-\d\d-\d\d$|\d\d:\d\d$)(?=.{1,30}$)(?=.*[^\d])[$€£¥]?\d[\d.,:/\s'’-]*[$€£¥%]?$/,
  /^\d{1,2}(?::\d\d){0,2} ?[ap]m?$/i,
  /^(?=.*\d)(?:\d{1,4}[-/.\s]*)?(?:jan|feb|fév|mar|mär|apr|avr|abr|ma[iy]|jun|jui|jul|aug|aoû|ago|sep|o[ck]t|nov|de[cz]|déc|dic|ene|gen|mag|giu|lug|set|ott)\p{L}{0,6}\.?[-/.,\s]*(?:\d{1,4}[-/.,\s]*){0,2}$/iu,
  /^(?:true|false|wahr|falsch|vrai|faux|verdadero|verdadeiro|falso|vero|waar|onwaar)$/i,
];

function fieldText(cell: string, kind: CellKind, form: CsvStyle): string {
  const text = safeText(cell, kind, form);
  return text.includes(form.delimiter) || /["\r\n]/.test(text)
    ? `"${text.replaceAll('"', '""')}"`
    : text;
}

function columnText<Row>(column: Column<Row>, row: Row, form: CsvStyle): string {
  return fieldText(valueText(column.value(row)), column.kind, form);
}

/** A cell that is inert on terminals and in spreadsheets. Tabs, line breaks and our numbers (-12.34) stay. */
function safeText(cell: string, kind: CellKind, { decimal, isForExcel }: CsvStyle): string {
  if (kind === 'integer') return cell;
  if (kind === 'amount' || (kind === 'value' && number.test(cell))) {
    return decimal === '.' ? cell : cell.replace('.', decimal);
  }
  if (!isForExcel && harmless.test(cell)) return cell;
  const seen = plain.test(cell) ? cell : inertButForLines(cell);
  const inert = likeFormula.test(seen) ? `'${seen}` : seen;
  // A text of digits as a spreadsheet keeps it: the formula of that text.
  return isForExcel && changed.some((form) => form.test(inert)) ? `="${inert}"` : inert;
}

/** The writer of records in WebAssembly, of which `kernel/` is the source. */
interface Kernel {
  /** Writes so many records, out of columns at these addresses, and from `to` on; the end of the last. */
  writeRecords(
    rows: number,
    shapes: number,
    figures: number,
    places: number,
    page: number,
    decimal: number,
    to: number,
  ): number;
}

/** The parts that differ from row to row, and their places in the columns. */
const values: Readonly<Partial<Record<RowPart, readonly [form: number, place: number]>>> = {
  id: [layout.valueId, textPlace.id],
  chargeId: [layout.valueId, textPlace.chargeId],
  orderId: [layout.valueId, textPlace.orderId],
  timestamp: [layout.valueTimestamp, textPlace.timestamp],
  amount: [layout.valueFigure, figurePlace.amount],
  fees: [layout.valueFigure, figurePlace.fees],
  tax: [layout.valueFigure, figurePlace.tax],
  notes: [layout.valueNotes, textPlace.notes],
};

/** A service with a new kind in each row must not fill the memory. */
const mostShapeBytes = 0x100000;
const mostValueBytes = 512;

/** Writes records of rows in columns: shared parts are made once, and texts are copied. The result is the same as field by field. */
export class RecordBytes<Row> implements BatchText<Row> {
  readonly #kernel = loadModule<Kernel>(recordsKernel);
  readonly #columns: readonly Column<Row>[];
  readonly #form: CsvStyle;
  #settlement = '';
  /** By kind, the address of the steps for its records in this settlement. */
  readonly #shapes = new Map<RowKind, number>();
  #longestShape = 0;
  #free = layout.start;

  constructor(columns: readonly Column<Row>[], dialect: Dialect) {
    if (columns.some(({ part }) => !part)) throw new RangeError('a column has no part');
    this.#columns = columns;
    this.#form = forms[dialect];
  }

  readonly bytes: BatchText<Row>['bytes'] = (batch, { page, places }, rowAt) => {
    this.#forgetOthers(rowAt(0));
    const shapes = this.#shapesOf(batch.kinds, rowAt);
    const columns = [shapes, batch.figures, places, page].map(bytesOf);
    const sizes = columns.map(({ length }) => length + layout.overrun);
    // In quotes, notes may become twice as long.
    const most = 2 * page.byteLength + batch.length * (this.#longestShape + mostValueBytes);
    const total = sizes.reduce((sum, size) => sum + size, this.#free + most);
    const memory = withRoom(this.#kernel.memory, total);
    let to = this.#free;
    const addresses = columns.map((bytes, index) => {
      const address = to;
      memory.set(bytes, address);
      to += sizes[index] ?? 0;
      return address;
    });
    const [shapesAt = 0, figuresAt = 0, placesAt = 0, pageAt = 0] = addresses;
    const decimal = this.#form.decimal.charCodeAt(0);
    const { writeRecords } = this.#kernel;
    const end = writeRecords(batch.length, shapesAt, figuresAt, placesAt, pageAt, decimal, to);
    return Buffer.from(memory.subarray(to, end));
  };

  #forgetOthers(row: Row): void {
    const ofSettlement = this.#columns.filter(({ part }) => part === 'settlement');
    const settlement = ofSettlement.map((column) => columnText(column, row, this.#form)).join('\0');
    if (settlement === this.#settlement && this.#free < mostShapeBytes) return;
    this.#settlement = settlement;
    this.#shapes.clear();
    this.#longestShape = 0;
    this.#free = layout.start;
  }

  #shapesOf(kinds: readonly RowKind[], rowAt: (index: number) => Row): Int32Array {
    const shapes = new Int32Array(kinds.length);
    for (const [index, kind] of kinds.entries()) {
      shapes[index] = this.#shapes.get(kind) ?? this.#learn(kind, rowAt(index));
    }
    return shapes;
  }

  /** Writes down the steps for the records of a kind: texts that are always the same, and values behind them. */
  #learn(kind: RowKind, row: Row): number {
    const steps: (readonly [before: string, form: number, place: number, decimals: number])[] = [];
    let before = '';
    for (const [index, column] of this.#columns.entries()) {
      if (index > 0) before += this.#form.delimiter;
      const value = column.part && values[column.part];
      if (!value) before += columnText(column, row, this.#form);
      else {
        steps.push([before, ...value, column.kind === 'amount' ? kind.scale : 0]);
        before = '';
      }
    }
    steps.push([before + recordEnd, layout.valueNone, 0, 0]);
    const shape = this.#free;
    let step = shape;
    let text = shape + 4 * layout.stepWords * steps.length;
    const length = Buffer.byteLength(steps.map(([own]) => own).join(''));
    const memory = withRoom(this.#kernel.memory, text + length);
    for (const [own, ...value] of steps) {
      const words = [text, memory.write(own, text), ...value];
      for (const word of words) step = memory.writeInt32LE(word, step);
      text += words[1] ?? 0;
    }
    // Columns of numbers stand at whole words.
    this.#free = 8 * Math.ceil(text / 8);
    this.#longestShape = Math.max(this.#longestShape, length);
    this.#shapes.set(kind, shape);
    return shape;
  }
}

function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}
