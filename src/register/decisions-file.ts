import { archiveReader, isArchive } from '../base/archive.ts';
import { addDays, isDay, withoutTime } from '../base/calendar.ts';
import { usualCsv } from '../base/csv-records.ts';
import { ReconError } from '../base/errors.ts';
import { wholeOf } from '../base/files.ts';
import { tableOf } from '../base/lists.ts';
import { decodedBeginning, type NamedFile } from '../base/text-reader.ts';
import { isWorkbook, readSheets } from '../base/workbook.ts';
import { csvOf, unclosedQuote, writtenCell } from './kept-csv.ts';

/** The columns that people fill in. */
export const typedColumns = ['decision', 'reason', 'books_account', 'until', 'by'] as const;

/** The columns of a list of decisions. */
export const decisionColumns = [
  ...(['kind', 'settlement_id', 'date', 'account', 'currency'] as const),
  ...(['expected_seen', 'received_seen', 'difference_seen', 'codes_seen', 'cause'] as const),
  ...typedColumns,
] as const;

export type DecisionColumn = (typeof decisionColumns)[number];

/** Columns that may be missing, because nothing is checked against them. */
const spare: readonly string[] = ['cause', 'books_account', 'until', 'by'];

/** A line of a list of decisions, as the user wrote it. */
export interface WrittenDecision {
  readonly line: number;
  /** Without spaces around them; missing ones are empty. */
  readonly cells: Readonly<Record<DecisionColumn, string>>;
}

/**
 * Reads a list of decisions as spreadsheets save it as CSV: in any usual encoding, with commas, semicolons
 * or tabs, its columns moved or titled, its lines sorted. Throws ReconError `usage` for anything else.
 */
export async function readDecisions(file: NamedFile): Promise<readonly WrittenDecision[]> {
  const refused = (message: string, hint: string, where = file.name) =>
    new ReconError('usage', message, { where, hint });
  const text = await textOf(file);
  if (text === undefined) {
    const where =
      'the sheet Decisions of the workbook that the close has written, or that sheet as CSV';
    throw refused('This file has no list of decisions.', `Use ${where}.`);
  }
  const [header = ''] = text.split(/[\r\n]/, 1);
  const delimiter = /[;\t]/.exec(header)?.[0] ?? ',';
  const { columns, records, brokenAt } = csvOf(text, delimiter, columnNamed);
  const hint = 'Use the list that the close has written, with its first line.';
  const missing = missingIn(columns);
  if (missing.length > 0) throw refused(`Missing columns: ${missing.join(', ')}.`, hint);
  const twice = decisionColumns.find((key) => columns.indexOf(key) !== columns.lastIndexOf(key));
  if (twice) throw refused(`Two columns are named ${twice}.`, hint);
  if (brokenAt !== undefined) throw refused(unclosedQuote, hint, `${file.name}:${brokenAt}`);
  return records
    .filter(({ isEmpty }) => !isEmpty)
    .map(({ line, cells }) => ({
      line,
      cells: tableOf(decisionColumns, (key) => writtenCell(cells.get(key))),
    }));
}

/** The text of a CSV file or, as CSV, of the sheet of a workbook that is a list; undefined if there is none. */
async function textOf(file: NamedFile): Promise<string | undefined> {
  const whole = await wholeOf(file.blocks(), file.name);
  if (isArchive(whole)) return sheetIn(file.name, whole);
  const bytes = Buffer.concat([whole, Buffer.from('\n')]);
  // Workbooks of before 2007.
  if (bytes.toString('hex', 0, 4) === 'd0cf11e0') return undefined;
  // A text is decoded up to its last character that may go on.
  return decodedBeginning(bytes).replace(/^\ufeff/, '');
}

const sheetForm = { ...usualCsv, date: 'date' };

/** The first sheet of a workbook that has the columns of a list, as CSV with the rows as lines. */
function sheetIn(name: string, bytes: Uint8Array): string | undefined {
  let text: string | undefined;
  const push = (piece: string) => {
    text = (text ?? '') + piece;
  };
  const reader = archiveReader(name, (members) => {
    if (!isWorkbook(members)) return;
    const fault = readSheets(members, (_, beginning) => {
      const { columns } = csvOf(beginning(sheetForm), ',', columnNamed);
      const isList = text === undefined && missingIn(columns).length === 0;
      return isList ? { form: sheetForm, reader: { push, end: () => {} } } : undefined;
    });
    if (!fault) return;
    const { line, found, expected } = fault;
    const message = `The workbook cannot be read: found ${found || 'nothing'}, expected ${expected}.`;
    const hint = 'Save its sheet Decisions as CSV.';
    throw new ReconError('usage', message, { where: `${name}:${line}`, hint });
  });
  reader.push(bytes);
  reader.end();
  return text;
}

/** The columns of a list that are not there, though something is checked against them. */
function missingIn(columns: readonly string[]): readonly string[] {
  return decisionColumns.filter((key) => !spare.includes(key) && !columns.includes(key));
}

/** `settlement_id` of the sheet's title `Settlement id`. */
function columnNamed(title: string): string {
  return title.toLowerCase().replace(/[\s_-]+/g, '_');
}

/** The days that a cell may mean: 2026-03-05, 5.3.2026, days since 1899-12-30; of 05/03/2026, two. */
export function daysWritten(cell: string): readonly string[] {
  const text = withoutTime(cell);
  if (/^[345]\d{4}$/.test(text)) return [addDays('1899-12-30', Number(text))];
  const [, one = '', sign = '', two = '', three = ''] =
    /^(\d{1,2}|\d{4})([./-])(\d{1,2})\2(\d{1,2}|\d{4})$/.exec(text) ?? [];
  const day = (year: string, month: string, dayOfMonth: string) =>
    [
      year.length === 2 ? `20${year}` : year,
      month.padStart(2, '0'),
      dayOfMonth.padStart(2, '0'),
    ].join('-');
  const readings =
    one.length === 4
      ? [day(one, two, three)]
      : [day(three, two, one), ...(sign === '.' ? [] : [day(three, one, two)])];
  return [...new Set(readings.filter(isDay))];
}
