import { stringify } from 'csv-stringify/sync';
import type { RecordKind, Records } from '../report/columns.ts';
import type { Dialect } from './formats.ts';
import { keptAsText, neutralised } from './formula.ts';
import { inertButForLines } from './inert.ts';

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
  const keys = columns.map((column) => cellText(column.key, 'text', form));
  const kinds = columns.map((column) => column.kind);
  return {
    header: form.mark + recordLines([keys], form),
    lines: (rows) =>
      recordLines(
        rows.map((row) => row.map((cell, index) => cellText(cell, kinds[index] ?? 'text', form))),
        form,
      ),
  };
}

/** Most cells are this, and need no closer look. */
const plain = /^(?:[\dA-Za-z][ -~]*)?$/;

/** As amounts are written, and harmless whoever wrote it. */
const number = /^-?\d+(?:\.\d+)?$/;

/**
 * A CSV carries data, so texts keep their tabs and line breaks, quoted. What else could act, on a
 * terminal or in a spreadsheet, is made visible or gets an apostrophe. Digits are ours, and stay.
 */
function cellText(cell: string, kind: RecordKind, form: Form): string {
  if (kind === 'value') return cellText(cell, number.test(cell) ? 'amount' : 'text', form);
  if (kind === 'amount') return cell.replace('.', form.decimal);
  if (kind === 'integer') return cell;
  const text = plain.test(cell) ? cell : neutralised(inertButForLines(cell));
  return form.keepsDigits ? keptAsText(text) : text;
}

function recordLines(rows: string[][], { delimiter }: Form): string {
  return stringify(rows, {
    delimiter,
    record_delimiter: '\r\n',
    // Off by default with this delimiter: a lone line feed would then break the record in two.
    quote_record_delimiter: true,
  });
}
