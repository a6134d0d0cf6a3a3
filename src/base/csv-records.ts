import { longestRecord, type TextReader } from './text-reader.ts';

/** How a CSV file is written, and which of its columns has the date. */
export interface CsvForm {
  readonly delimiter: string;
  readonly encoding?: string | undefined;
  /** Lines before the header or, without one, before the first record. */
  readonly skip_lines: number;
  readonly header: boolean;
  readonly decimal: ',' | '.';
  /** The separator of thousands, if it is always written. */
  readonly thousands?: string | undefined;
  /** Of YYYY or YY, MM, M or MMM, DD or D, such as `DD.MM.YYYY`. */
  readonly date_format: string;
  readonly date: string;
}

/** What is so unless a mapping says otherwise. */
export const usualCsv = {
  delimiter: ',',
  skip_lines: 0,
  header: true,
  decimal: '.',
  date_format: 'YYYY-MM-DD',
} as const;

type Separation = Pick<CsvForm, 'delimiter' | 'skip_lines'>;

/** The trimmed cells of a record, and the line on which it ends. */
export interface CsvRecord {
  readonly cells: readonly string[];
  readonly line: number;
}

/** What takes the records of a CSV file. */
export interface CsvSink {
  record(record: CsvRecord): void;
  /**
   * A record has no end, or is longer than any, and nothing after it is read; or text follows a quotation mark that
   * closes a cell of several lines, which may have swallowed rows.
   */
  broken(line: number): void;
  end(): void;
}

const chunkLength = 16_384;

/** A record as it is written: what is in quotes keeps its blanks and line ends. */
export interface RawRecord {
  readonly cells: readonly string[];
  /** The line on which it begins, from 1, and its number of lines. */
  readonly line: number;
  readonly lines: number;
  readonly isQuoted: boolean;
  /** Whether each cell that begins with a quotation mark ends with one. */
  readonly isSound: boolean;
  /** With its line end. */
  readonly text: string;
}

interface RawSink {
  record(record: RawRecord): void;
  broken(line: number): void;
}

interface Scanning {
  readonly delimiter: string;
  /** Lines that are not looked at. */
  readonly skip_lines?: number;
  /** Whether blanks around cells are taken away. */
  readonly trims: boolean;
  readonly longest?: number;
}

/** Cuts CSV into records, empty ones too. Lines end with CR, LF or both; quotes begin a cell or are part of its text. */
export function csvScanner(
  { delimiter, skip_lines = 0, trims, longest = Number.POSITIVE_INFINITY }: Scanning,
  sink: RawSink,
): TextReader {
  let held = '';
  let line = 1;
  let isBroken = false;
  const read = (isLast: boolean) => {
    const text = held;
    let start = 0;
    let [quote, carriage] = [-1, -1];
    while (start < text.length) {
      if (quote < start) quote = indexOrEnd(text, '"', start);
      if (carriage < start) carriage = indexOrEnd(text, '\r', start);
      const lineEnd = Math.min(indexOrEnd(text, '\n', start), carriage);
      const isSkipped = line <= skip_lines;
      const isPlain = isSkipped || quote > lineEnd;
      const end = isPlain ? lineEnd : endOfRecord(text, start, delimiter, isLast);
      // A line end of two characters may be cut in two.
      const isCut = end === undefined || end + (text[end] === '\r' ? 1 : 0) >= text.length;
      if (end === undefined || (isCut && !isLast)) break;
      const next = end + (text.startsWith('\r\n', end) ? 2 : 1);
      const written = text.slice(start, end);
      const lines = isPlain ? 1 : written.split(/\r\n|\r|\n/).length;
      if (!isSkipped) {
        const { cells, isSound } = isPlain
          ? { cells: plainCells(written, delimiter, trims), isSound: true }
          : quotedCells(written, delimiter, trims);
        const whole = text.slice(start, next);
        sink.record({ cells, line, lines, isQuoted: !isPlain, isSound, text: whole });
      }
      line += lines;
      start = next;
    }
    held = text.slice(start);
    if ((isLast && held !== '') || held.length > longest) {
      isBroken = true;
      sink.broken(line);
    }
  };
  return {
    push: (text) => {
      if (isBroken) return;
      held += text;
      if (held.length >= chunkLength) read(false);
    },
    end: () => {
      if (!isBroken) read(true);
    },
  };
}

/** Excel names the delimiter in a line before the table: `sep=;`. */
const separatorLine = /^\ufeff?"?sep=(.)"?[\r\n]/i;
const longestSeparatorLine = 9;

/**
 * Reads CSV: cells without blanks around them, without empty records. A delimiter that the file names counts
 * before that of the form.
 */
export function csvReader(form: Separation, sink: CsvSink): TextReader {
  let held = '';
  let scanner: TextReader | undefined;
  const begin = () => {
    const [, named] = separatorLine.exec(held) ?? [];
    const skip_lines = named === undefined ? form.skip_lines : Math.max(1, form.skip_lines);
    const delimiter = named ?? form.delimiter;
    const begun = recordScanner({ delimiter, skip_lines }, sink);
    begun.push(held.replace(/^\ufeff/, ''));
    scanner = begun;
    return begun;
  };
  return {
    push: (text) => {
      if (scanner) return scanner.push(text);
      held += text;
      if (held.length >= longestSeparatorLine) begin();
    },
    end: () => {
      (scanner ?? begin()).end();
      sink.end();
    },
  };
}

function recordScanner({ delimiter, skip_lines }: Separation, sink: CsvSink): TextReader {
  return csvScanner(
    { delimiter, skip_lines, trims: true, longest: longestRecord },
    {
      record: ({ cells, line, lines, isQuoted, isSound }) => {
        if (!isSound && lines > 1) return sink.broken(line);
        const isEmpty = cells.length === 1 && cells[0]?.trim() === '';
        if (isEmpty) return;
        const plain = isQuoted ? cells.map((cell) => cell.replace(/\r\n?/g, '\n').trim()) : cells;
        sink.record({ cells: plain, line: line + lines - 1 });
      },
      broken: (line) => sink.broken(line),
    },
  );
}

/** The first records of the beginning of a file. */
export function firstRecords(
  beginning: string,
  form: Separation,
  most: number,
): readonly CsvRecord[] {
  const first: CsvRecord[] = [];
  const reader = csvReader(form, {
    record: (record) => {
      if (first.length < most) first.push(record);
    },
    broken: () => {},
    end: () => {},
  });
  reader.push(beginning.slice(0, beginning.lastIndexOf('\n') + 1) || beginning);
  reader.end();
  return first;
}

function indexOrEnd(text: string, what: string, from: number): number {
  const index = text.indexOf(what, from);
  return index < 0 ? text.length : index;
}

/** The end of a record with quotes; undefined if it does not end in the text. */
function endOfRecord(text: string, start: number, delimiter: string, isLast: boolean) {
  for (let at = start; ; at += 1) {
    const end = endOfCell(text, at, delimiter);
    if (end === undefined) return undefined;
    if (text[end] !== delimiter) return end < text.length || isLast ? end : undefined;
    at = end;
  }
}

function endOfCell(text: string, start: number, delimiter: string): number | undefined {
  let at = start;
  while (isBlank(text[at]) && text[at] !== delimiter) at += 1;
  if (text[at] === '"') {
    at = closingQuote(text, at);
    if (at < 0) return undefined;
  }
  while (at < text.length && text[at] !== delimiter && !isLineEnd(text[at])) at += 1;
  return at;
}

const isLineEnd = (character = 'x') => character === '\n' || character === '\r';

const isBlank = (character = 'x') => character === ' ' || character === '\t';

/** The quote that closes the one at `at`; -1 if there is none. */
function closingQuote(text: string, at: number): number {
  let quote = text.indexOf('"', at + 1);
  while (quote >= 0 && text[quote + 1] === '"') quote = text.indexOf('"', quote + 2);
  return quote;
}

function plainCells(record: string, delimiter: string, trims: boolean): readonly string[] {
  const cells = record.split(delimiter);
  return trims ? cells.map((cell) => cell.trim()) : cells;
}

function quotedCells(record: string, delimiter: string, trims: boolean) {
  const cells: string[] = [];
  let isSound = true;
  for (let at = 0; at <= record.length; ) {
    const end = endOfCell(record, at, delimiter) ?? record.length;
    const written = record.slice(at, end);
    const cell = written.trim();
    const isBegun = cell.startsWith('"');
    const isQuoted = isBegun && closingQuote(cell, 0) === cell.length - 1;
    isSound &&= isQuoted || !isBegun;
    cells.push(isQuoted ? cell.slice(1, -1).replaceAll('""', '"') : trims ? cell : written);
    at = end + 1;
  }
  return { cells, isSound };
}

interface ColumnKeys<Mapping> {
  /** They always do; a key may name several, in a list or as the keys of a table. */
  readonly columns: readonly (keyof Mapping)[];
  /** They name a column, or stand for a value of this form in all records. */
  readonly columnsOrValues: readonly (readonly [key: keyof Mapping, value: RegExp])[];
}

/** The columns of a file by the keys of a mapping; without a header, they are named by number. */
export function csvColumns<Mapping extends object>(
  mapping: Mapping,
  header: readonly string[] | undefined,
  { columns, columnsOrValues }: ColumnKeys<Mapping>,
) {
  const indexOf = (column: string) => {
    const named = header?.indexOf(column) ?? -1;
    // By number, columns without a name can be read too.
    const number = /^\d{1,3}$/.test(column) ? Number(column) - 1 : -1;
    return named >= 0 || number >= (header?.length ?? 1_000) ? named : number;
  };
  const named = (key: keyof Mapping): readonly string[] => {
    const column: unknown = mapping[key];
    if (typeof column === 'string') return [column];
    if (Array.isArray(column)) return column.map(String);
    return typeof column === 'object' && column !== null ? Object.keys(column) : [];
  };
  const isTwice = (column: string) => header?.indexOf(column) !== header?.lastIndexOf(column);
  const either = columnsOrValues.flatMap(([key]) => named(key));
  const needed = [
    ...columns.flatMap(named),
    ...columnsOrValues.flatMap(([key, form]) => named(key).filter((name) => !form.test(name))),
  ];
  const keys = [...columns, ...columnsOrValues.map(([key]) => key)];
  const indexes = new Map(keys.map((key) => [key, named(key).map(indexOf)] as const));
  return {
    needed: new Set(needed),
    missing: new Set(needed.filter((column) => indexOf(column) < 0)),
    width: Math.max(0, ...[...indexes.values()].flat().map((index) => index + 1)),
    repeated: new Set([...needed, ...either].filter(isTwice)),
    of: (cells: readonly string[]) => ({
      at: (key: keyof Mapping): string => {
        const index = indexes.get(key)?.[0];
        return index === undefined ? '' : (cells[index] ?? '');
      },
      /** The cells of all columns of a key, empty ones too. */
      all: (key: keyof Mapping): readonly string[] =>
        (indexes.get(key) ?? []).map((index) => cells[index] ?? ''),
      /** The cell of the column or, if no column has this name, the name itself as a value. */
      columnOrValue: (key: keyof Mapping): string => {
        const [index = -1] = indexes.get(key) ?? [];
        return index < 0 ? (named(key)[0] ?? '') : (cells[index] ?? '');
      },
    }),
  };
}
