import { stringify } from 'csv-stringify/sync';
import {
  type CellKind,
  type Column,
  type Records,
  type Value,
  valueText,
} from '../report/common/columns.ts';
import { RecordBytes } from './csv-bytes.ts';
import type { Dialect, ListRenderer } from './formats.ts';
import { inertButForLines } from './inert.ts';

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
export function recordBytes<Row>(columns: readonly Column<Row>[], dialect: Dialect) {
  const form = forms[dialect];
  const { delimiter, decimal } = form;
  const field = (column: Column<Row>, row: Row) =>
    fieldText(valueText(column.value(row)), column.kind, form);
  return new RecordBytes(columns, { delimiter, decimal, recordEnd, field });
}

const batchSize = 1000;

/** The records of a report as CSV, in pieces: the header row, then the rows. */
export function* renderCsv({ columns, rows }: Records, dialect: Dialect): Generator<string> {
  const form = forms[dialect];
  const { delimiter } = form;
  const options = { delimiter, record_delimiter: recordEnd, quote_record_delimiter: true };
  yield csvText(columns, dialect).header;
  const batch: string[][] = [];
  for (const row of rows) {
    batch.push(columns.map(({ kind }, at) => safeText(valueText(row[at]), kind, form)));
    if (batch.length === batchSize) yield stringify(batch.splice(0), options);
  }
  yield* batch.length > 0 ? [stringify(batch, options)] : [];
}

/** CSV for records that come in batches: the header row, and the text of a batch. */
export function csvText(columns: Records['columns'], dialect: Dialect) {
  const form = forms[dialect];
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

/** Most texts. In the rfc dialect they need no other check. */
const harmless = /^(?:[\dA-Za-z][ !#-+\--:<-~]*)?$/;

const plain = /^(?:[\dA-Za-z][ -~]*)?$/;

const number = /^-?\d+(?:\.\d+)?$/;

/** What a spreadsheet runs as a formula, also after spaces or invisible characters and in wide forms. */
const likeFormula = /^(?:[\s\p{Z}\p{Cf}]*[=+\-@＝＋－＠﹢﹣﹦﹫]|[\t\r\n\0])/u;

/** Digits that a spreadsheet would take for a number: without the zeros, or beyond what it can hold. */
const likeNumber = /^(?:0\d+|\d{16,}|\d+e\d+)$/i;

function fieldText(cell: string, kind: CellKind, form: Form): string {
  const text = safeText(cell, kind, form);
  return text.includes(form.delimiter) || /["\r\n]/.test(text)
    ? `"${text.replaceAll('"', '""')}"`
    : text;
}

/** A cell that cannot act on a terminal or in a spreadsheet. Texts keep tabs and line breaks. Numbers are ours and stay: -12.34. */
function safeText(cell: string, kind: CellKind, { decimal, isForExcel }: Form): string {
  if (kind === 'integer') return cell;
  if (kind === 'amount' || (kind === 'value' && number.test(cell))) {
    return decimal === '.' ? cell : cell.replace('.', decimal);
  }
  if (!isForExcel && harmless.test(cell)) return cell;
  const seen = plain.test(cell) ? cell : inertButForLines(cell);
  const inert = likeFormula.test(seen) ? `'${seen}` : seen;
  // A text of digits as a spreadsheet keeps it: the formula of that text.
  return isForExcel && likeNumber.test(inert) ? `="${inert}"` : inert;
}
