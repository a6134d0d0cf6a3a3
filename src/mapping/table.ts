import { type CsvRecord, firstRecords } from '../base/csv-records.ts';
import { groupedBy, largestOf } from '../base/lists.ts';
import { cut } from '../base/texts.ts';
import { writtenAmount } from '../money/decimal.ts';
import { minorUnitsOf } from '../money/minor-units.ts';
import type { Beginning } from './beginning.ts';

/** The table in a file: records of one width, below a header if there is one. */
export interface Table {
  readonly delimiter: string;
  readonly columns: readonly FileColumn[];
  /** Undefined if the first line has data. */
  readonly header: readonly string[] | undefined;
  /** Whether the header is known by its names, not by its place alone. */
  readonly isNamed: boolean;
  /** Lines above the header or, without one, above the first row. */
  readonly linesAbove: number;
  /** What stands above: never shown, as it may be personal. */
  readonly above: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

export interface FileColumn {
  /** What a mapping calls it: its name or, if that is missing or repeated, its number. */
  readonly label: string;
  /** Its name as names are compared: without case, accents, signs and its currency. */
  readonly name: string;
  /** That its name ends with: `Betrag (EUR)`. */
  readonly currency: string | undefined;
  /** Those of all rows, in their order. */
  readonly cells: readonly string[];
}

const mostRecords = 2 ** 16;
const mostBeforeHeader = 50;

/** Finds the table of a file. `fieldOf` is the field that a compared name stands for, if any. */
export function tableIn(
  { text, isWorkbook }: Beginning,
  fieldOf: (name: string) => string | undefined,
): Table | undefined {
  const read = ([',', ';', '\t', '|'] as const).map((delimiter) => {
    const records = recordsOf(text, delimiter, isWorkbook);
    const [width, most] = widthOf(records);
    const isTable = most * 2 >= records.length;
    const header = headerIn(records, fieldOf);
    return { delimiter, records, header, width: isTable || header.fields > 0 ? width : 1 };
  });
  const best = read.reduce((most, one) => {
    const more = one.header.fields - most.header.fields;
    return more > 0 || (more === 0 && one.width > most.width) ? one : most;
  });
  return best.width < 2 ? undefined : tableOf(best);
}

/** In a workbook, a row ends with its last cell that is filled: all are made equally long. */
function recordsOf(text: string, delimiter: string, isWorkbook: boolean): readonly CsvRecord[] {
  const records = firstRecords(text, { delimiter, skip_lines: 0 }, mostRecords);
  if (!isWorkbook) return records;
  const width = largestOf(records.map(({ cells }) => cells.length));
  return records.map(({ cells, line }) => ({
    cells: Array.from({ length: width }, (_, at) => cells[at] ?? ''),
    line,
  }));
}

interface Separated {
  readonly delimiter: string;
  readonly records: readonly CsvRecord[];
  readonly header: { readonly at: number; readonly fields: number };
  readonly width: number;
}

function tableOf({ delimiter, records, header, width }: Separated): Table {
  const first = records.findIndex(({ cells }) => cells.length === width && cells.some(isData));
  const at = header.fields > 0 ? header.at : headerAbove(records, first);
  const names = records[at]?.cells;
  // Of another width are balances, texts below the table, and rows that a sign in a text has broken.
  const below = names ? records.slice(at + 1) : records.slice(Math.max(first, 0));
  const [ofRows] = widthOf(below);
  const rows = below.map(({ cells }) => cells).filter(({ length }) => length === ofRows);
  const [top] = names ? [records[at]] : below;
  const isOnce = (name: string) => names?.indexOf(name) === names?.lastIndexOf(name);
  const columns = Array.from({ length: Math.max(names?.length ?? 0, ofRows) }, (_, index) => {
    const written = names?.[index] ?? '';
    const isUsable = written !== '' && !isData(written) && isOnce(written);
    const compared = comparedName(written);
    return {
      label: isUsable ? written : String(index + 1),
      ...compared,
      cells: rows.map((cells) => cells[index] ?? ''),
    };
  });
  const above = records.slice(0, names ? at : Math.max(first, 0)).flatMap(({ cells }) => cells);
  // Empty lines are skipped anyway.
  const linesAbove = above.length > 0 ? (top?.line ?? 1) - 1 : 0;
  const isNamed = header.fields > 0;
  return { delimiter, columns, header: names, isNamed, linesAbove, above, rows };
}

/** The record that names the most fields, two at least, and has no data. */
function headerIn(records: readonly CsvRecord[], fieldOf: (name: string) => string | undefined) {
  let found = { at: -1, fields: 0 };
  for (const [at, { cells }] of records.slice(0, mostBeforeHeader).entries()) {
    const named = cells.flatMap((cell) => fieldOf(comparedName(cell).name) ?? []);
    const fields = new Set(named).size;
    if (fields > Math.max(1, found.fields) && !cells.some(isData)) found = { at, fields };
  }
  return found;
}

/** A record above the first row that fills most of its columns, in a language that is not known; or -1. */
function headerAbove(records: readonly CsvRecord[], first: number): number {
  const { cells = [] } = records[first - 1] ?? {};
  const width = records[first]?.cells.length ?? 0;
  const filled = cells.filter((cell) => cell !== '').length;
  const isHeader = cells.length === width && filled * 2 > width && !cells.some(isData);
  return isHeader ? first - 1 : -1;
}

/** The number of cells that most records have, and how many have it. */
function widthOf(records: readonly CsvRecord[]): readonly [width: number, most: number] {
  let best: readonly [number, number] = [0, 0];
  for (const [width, { length }] of groupedBy(records, ({ cells }) => cells.length)) {
    if (length > best[1]) best = [width, length];
  }
  return best;
}

/** Whether a cell holds data, which could be personal, and no name of a column. */
function isData(cell: string): boolean {
  const isAmount = (['.', ','] as const).some((decimal) => writtenAmount(cell, { decimal }));
  return (
    cell.includes('@') ||
    isAmount ||
    /\d{1,4}[-./]\d{1,2}[-./]\d{1,4}|\d{5}|[A-Z]{2}\d\d/.test(cell)
  );
}

function comparedName(written: string): Pick<FileColumn, 'name' | 'currency'> {
  const name = written
    .replaceAll('€', ' eur ')
    .replaceAll('£', ' gbp ')
    .replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replace(/[^\p{L}\d#]+/gu, ' ')
    .replace(/ euros?\b/, ' eur')
    .trim();
  // A column of amounts may be named by its currency alone.
  const isCode = /^[A-Z]{3} ?\$?$/.test(written);
  const [, rest = name, code = ''] =
    /^(.+?)(?: in)? ([a-z]{3})$/.exec(isCode ? `amount ${name}` : name) ?? [];
  const currency = code.toUpperCase();
  return minorUnitsOf(currency) === undefined
    ? { name, currency: undefined }
    : { name: rest, currency };
}

const mostNamed = 100;
const longestName = 60;

/** The columns of a first line, named only if it is a header: `Name, Total` or `column 1, column 2`. */
export function columnNames(cells: readonly string[]): readonly string[] {
  const areNames = !cells.some(isData);
  return cells
    .slice(0, mostNamed)
    .map((cell, at) =>
      areNames && cell !== ''
        ? cut(cell.replace(/[\p{C}\s]+/gu, ' '), longestName)
        : `column ${at + 1}`,
    );
}
