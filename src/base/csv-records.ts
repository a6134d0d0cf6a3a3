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

type Separation = Pick<CsvForm, 'delimiter' | 'skip_lines'>;

/** The trimmed cells of a record, and the line on which it ends. */
export interface CsvRecord {
  readonly cells: readonly string[];
  readonly line: number;
}

interface CsvSink {
  record(record: CsvRecord): void;
  /** A record has no end, or is longer than any; nothing after it is read. */
  broken(line: number): void;
  end(): void;
}

const chunkLength = 16_384;

/** Reads CSV: quotes begin a cell or are part of its text; empty lines are skipped, records have any length. */
export function csvReader({ delimiter, skip_lines }: Separation, sink: CsvSink): TextReader {
  let held = '';
  let line = 0;
  let isBroken = false;
  const read = (isLast: boolean) => {
    const carriesOn = !isLast && held.endsWith('\r');
    // A line end of two characters may be cut in two.
    const text = (carriesOn ? held.slice(0, -1) : held).replace(/\r\n?/g, '\n');
    let start = 0;
    let quote = -1;
    while (start < text.length) {
      if (quote < start) quote = indexOrEnd(text, '"', start);
      const lineEnd = indexOrEnd(text, '\n', start);
      const isSkipped = line < skip_lines;
      const end =
        isSkipped || quote > lineEnd ? lineEnd : endOfRecord(text, start, delimiter, isLast);
      if (end === undefined || (end === text.length && !isLast)) break;
      const written = text.slice(start, end);
      line += end === lineEnd ? 1 : written.split('\n').length;
      const cells = quote > end ? written.split(delimiter) : quotedCells(written, delimiter);
      const isEmpty = cells.length === 1 && cells[0]?.trim() === '';
      if (!isSkipped && !isEmpty) sink.record({ cells: cells.map((cell) => cell.trim()), line });
      start = end + 1;
    }
    held = text.slice(start) + (carriesOn ? '\r' : '');
    if ((isLast && held !== '') || held.length > longestRecord) {
      isBroken = true;
      sink.broken(line + 1);
    }
  };
  return {
    push: (text) => {
      if (isBroken) return;
      held += line === 0 && held === '' ? text.replace(/^\ufeff/, '') : text;
      if (held.length >= chunkLength) read(false);
    },
    end: () => {
      if (!isBroken) read(true);
      sink.end();
    },
  };
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
  while (at < text.length && text[at] !== delimiter && text[at] !== '\n') at += 1;
  return at;
}

const isBlank = (character = 'x') => character === ' ' || character === '\t';

/** The quote that closes the one at `at`; -1 if there is none. */
function closingQuote(text: string, at: number): number {
  let quote = text.indexOf('"', at + 1);
  while (quote >= 0 && text[quote + 1] === '"') quote = text.indexOf('"', quote + 2);
  return quote;
}

function quotedCells(record: string, delimiter: string): readonly string[] {
  const cells: string[] = [];
  for (let at = 0; at <= record.length; ) {
    const end = endOfCell(record, at, delimiter) ?? record.length;
    const cell = record.slice(at, end).trim();
    const isQuoted = cell.startsWith('"') && closingQuote(cell, 0) === cell.length - 1;
    cells.push(isQuoted ? cell.slice(1, -1).replaceAll('""', '"') : cell);
    at = end + 1;
  }
  return cells;
}

interface ColumnKeys<Mapping> {
  /** They always do; a key may name several. */
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
    return typeof column === 'string' ? [column] : Array.isArray(column) ? column.map(String) : [];
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
