import type { CellKind, Column, Records } from '../report/common/columns.ts';
import { RecordBytes } from './csv-bytes.ts';
import type { Dialect } from './formats.ts';
import { inertButForLines } from './inert.ts';
import type { ListRenderer } from './renderer.ts';

interface Form {
  readonly delimiter: string;
  readonly decimal: string;
  /** Whether there is a byte order mark, and texts of digits are kept from becoming numbers. */
  readonly isForExcel: boolean;
}

const byteOrderMark = '\ufeff';
const recordEnd = '\r\n';
const forms: Readonly<Record<Dialect, Form>> = {
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
      ...(columns.every(({ part }) => part) && { batches: recordBytes(columns, dialect) }),
      closing: () => '',
    };
  },
};

/** What makes records of rows in columns; all `columns` have their parts. */
export function recordBytes<Row>(
  columns: readonly Column<Row>[],
  dialect: Dialect,
): RecordBytes<Row> {
  const form = forms[dialect];
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

/**
 * CSV for whoever has the records a batch at a time: the header row, which stands before all records,
 * and what makes text of records, cell by cell in the order of the columns.
 */
export function csvText(columns: Records['columns'], dialect: Dialect) {
  const form = forms[dialect];
  const mark = form.isForExcel ? byteOrderMark : '';
  // A key may be the user's own word.
  const keys = columns.map((column) => fieldText(column.key, 'text', form));
  const fields = columns.map((column) => fieldWriter(column.kind, form));
  const line = (row: readonly string[]) =>
    fields.map((field, index) => field(row[index] ?? '')).join(form.delimiter) + recordEnd;
  return {
    header: mark + keys.join(form.delimiter) + recordEnd,
    lines: (rows: readonly (readonly string[])[]) => rows.map(line).join(''),
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

/** Most texts are this: they stand as they are, in every dialect but those for Excel. */
const harmless = /^(?:[\dA-Za-z][ !#-+\--:<-~]*)?$/;

/** Nothing in it acts, in whatever dialect. */
const plain = /^(?:[\dA-Za-z][ -~]*)?$/;

/** As amounts are written, and harmless whoever wrote it. */
const number = /^-?\d+(?:\.\d+)?$/;

/**
 * A spreadsheet runs a cell that begins like a formula, also after spaces or invisible characters
 * and in the wide forms of East Asian keyboards.
 */
const likeFormula = /^(?:[\s\p{Z}\p{Cf}]*[=+\-@＝＋－＠﹢﹣﹦﹫]|[\t\r\n\0])/u;

/** Digits that a spreadsheet would take for a number: without the zeros, or beyond what it can hold. */
const likeNumber = /^(?:0\d+|\d{16,}|\d+e\d+)$/i;

/**
 * A cell as it stands in its record, quoted where it has to be. A CSV carries data, so texts keep
 * their tabs and line breaks. What else could act, on a terminal or in a spreadsheet, is made visible
 * or gets an apostrophe. Digits are ours, and stay: -12.34 has to be a number.
 */
function fieldText(cell: string, kind: CellKind, form: Form): string {
  const { delimiter, decimal, isForExcel } = form;
  if (kind === 'integer') return cell;
  if (kind === 'amount' || (kind === 'value' && number.test(cell))) {
    return decimal === '.' ? cell : cell.replace('.', decimal);
  }
  if (!isForExcel && harmless.test(cell)) return cell;
  const seen = plain.test(cell) ? cell : inertButForLines(cell);
  const inert = likeFormula.test(seen) ? `'${seen}` : seen;
  // A text of digits as a spreadsheet keeps it: the formula of that text.
  const text = isForExcel && likeNumber.test(inert) ? `="${inert}"` : inert;
  return text.includes(delimiter) || /["\r\n]/.test(text)
    ? `"${text.replaceAll('"', '""')}"`
    : text;
}
