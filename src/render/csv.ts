import { stringify } from 'csv-stringify/sync';
import type { ColumnKind, Records } from '../report/columns.ts';
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
  const form = forms[dialect];
  yield form.mark + lines([columns.map((column) => column.key)], form);
  const kinds = columns.map((column) => column.kind);
  let batch: string[][] = [];
  for (const row of rows) {
    batch.push(row.map((cell, index) => cellText(cell, kinds[index] ?? 'text', form)));
    if (batch.length === batchSize) {
      yield lines(batch, form);
      batch = [];
    }
  }
  if (batch.length > 0) yield lines(batch, form);
}

/**
 * A CSV carries data, so texts keep their tabs and line breaks, quoted. What else could act, on a
 * terminal or in a spreadsheet, is made visible or gets an apostrophe. Digits are ours, and stay.
 */
function cellText(cell: string, kind: ColumnKind, { decimal, keepsDigits }: Form): string {
  if (kind === 'text') {
    const text = neutralised(inertButForLines(cell));
    return keepsDigits ? keptAsText(text) : text;
  }
  return kind === 'amount' ? cell.replace('.', decimal) : cell;
}

function lines(rows: readonly (readonly string[])[], { delimiter }: Form): string {
  return stringify([...rows], {
    delimiter,
    record_delimiter: '\r\n',
    // Off by default with this delimiter: a lone line feed would then break the record in two.
    quote_record_delimiter: true,
  });
}
