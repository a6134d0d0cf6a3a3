import type { CellKind, Column, Records } from '../report/common/columns.ts';
import { RecordBytes } from './csv-bytes.ts';
import type { Dialect } from './formats.ts';
import { inertButForLines } from './inert.ts';
import type { Renderer } from './renderer.ts';

interface Form {
  readonly mark: string;
  readonly delimiter: string;
  readonly decimal: string;
  /** Whether texts of digits are kept from becoming numbers. */
  readonly keepsDigits: boolean;
}

const byteOrderMark = '\ufeff';
const forms: Readonly<Record<Dialect, Form>> = {
  rfc: { mark: '', delimiter: ',', decimal: '.', keepsDigits: false },
  excel: { mark: byteOrderMark, delimiter: ',', decimal: '.', keepsDigits: true },
  'excel-eu': { mark: byteOrderMark, delimiter: ';', decimal: ',', keepsDigits: true },
};

/** Records, for spreadsheets and databases. */
export const csv: Renderer = {
  report: (views, { dialect }) => renderCsv(views.records(), dialect),
  list: ({ columns }, { dialect }) => {
    const { header, lines } = csvText(columns, dialect);
    return {
      opening: header,
      rows: (rows) => lines(rows.map((row) => columns.map((column) => column.value(row)))),
      ...(columns.every(({ part }) => part) && { batches: recordBytes(columns, forms[dialect]) }),
      closing: () => '',
    };
  },
};

function recordBytes<Row>(columns: readonly Column<Row>[], form: Form): RecordBytes<Row> {
  const { delimiter, decimal } = form;
  const field = (column: Column<Row>, row: Row) => fieldText(column.value(row), column.kind, form);
  return new RecordBytes(columns, { delimiter, decimal, recordEnd, field });
}

/** Large enough for speed, small enough for memory. */
const batchSize = 1000;

/** Records as CSV, a piece of text at a time: the header row always, then the rows. */
export function* renderCsv({ columns, rows }: Records, dialect: Dialect): Generator<string> {
  const { header, lines } = csvText(columns, dialect);
  yield header;
  let batch: (readonly string[])[] = [];
  for (const row of rows) {
    batch.push(row);
    if (batch.length === batchSize) {
      yield lines(batch);
      batch = [];
    }
  }
  if (batch.length > 0) yield lines(batch);
}

/** CSV for whoever has the records a batch at a time. */
export interface CsvText {
  /** The header row, which stands before all records. */
  readonly header: string;
  /** Records, cell by cell in the order of the columns. */
  readonly lines: (rows: readonly (readonly string[])[]) => string;
}

export function csvText(columns: Records['columns'], dialect: Dialect): CsvText {
  const form = forms[dialect];
  // A key may be the user's own word.
  const keys = columns.map((column) => fieldText(column.key, 'text', form));
  const fields = columns.map((column) => fieldWriter(column.kind, form));
  const line = (row: readonly string[]) => {
    const cells = fields.map((field, index) => field(row[index] ?? ''));
    return cells.join(form.delimiter) + recordEnd;
  };
  return {
    header: form.mark + keys.join(form.delimiter) + recordEnd,
    lines: (rows) => rows.map(line).join(''),
  };
}

/** The fields of one column; those that repeat, as most texts do, are looked at once. */
function fieldWriter(kind: CellKind, form: Form): (cell: string) => string {
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

/** A cell as it stands in its record, quoted where it has to be. */
function fieldText(cell: string, kind: CellKind, form: Form): string {
  if (kind === 'text' && !form.keepsDigits && harmless.test(cell)) return cell;
  const text = cellText(cell, kind, form);
  if (kind === 'amount' || kind === 'integer') return text;
  return text.includes(form.delimiter) || /["\r\n]/.test(text)
    ? `"${text.replaceAll('"', '""')}"`
    : text;
}

/** Most texts are this: they stand as they are, in every dialect that doesn't keep digits. */
const harmless = /^(?:[\dA-Za-z][ !#-+\--:<-~]*)?$/;

/** Most cells are this, and need no closer look. */
const plain = /^(?:[\dA-Za-z][ -~]*)?$/;

/** As amounts are written, and harmless whoever wrote it. */
const number = /^-?\d+(?:\.\d+)?$/;

/**
 * A CSV carries data, so texts keep their tabs and line breaks, quoted. What else could act, on a
 * terminal or in a spreadsheet, is made visible or gets an apostrophe. Digits are ours, and stay.
 */
function cellText(cell: string, kind: CellKind, form: Form): string {
  if (kind === 'value') return cellText(cell, number.test(cell) ? 'amount' : 'text', form);
  if (kind === 'amount') return form.decimal === '.' ? cell : cell.replace('.', form.decimal);
  if (kind === 'integer') return cell;
  const text = plain.test(cell) ? cell : neutralised(inertButForLines(cell));
  return form.keepsDigits ? keptAsText(text) : text;
}

const recordEnd = '\r\n';

/**
 * A spreadsheet runs a cell that begins like a formula, also after spaces or invisible characters
 * and in the wide forms of East Asian keyboards.
 */
const likeFormula = /^(?:[\s\p{Z}\p{Cf}]*[=+\-@＝＋－＠﹢﹣﹦﹫]|[\t\r\n\0])/u;

/** Makes a text cell inert in a spreadsheet. Not for amounts: -12.34 has to stay a number. */
function neutralised(text: string): string {
  return likeFormula.test(text) ? `'${text}` : text;
}

/** Digits that a spreadsheet would take for a number: without the zeros, or beyond what it can hold. */
const likeNumber = /^(?:0\d+|\d{16,}|\d+e\d+)$/i;

/** A text of digits as a spreadsheet keeps it: the formula of that text. */
function keptAsText(text: string): string {
  return likeNumber.test(text) ? `="${text}"` : text;
}
