import { CsvError, parse } from 'csv-parse/sync';
import { spanOf } from '../base/calendar.ts';
import { accountNumber } from '../model/bank.ts';
import type { BankCsv } from '../model/bank-csv.ts';
import { columnsOf, csvDay, csvEntry } from './csv-entry.ts';
import { EntryColumns } from './entry-columns.ts';
import {
  longestRecord,
  longestText,
  type Misfit,
  type StatementFormat,
  type StatementSink,
  type TextReader,
} from './written.ts';

/** A record, and the line on which it ends. */
interface Line {
  readonly cells: readonly string[];
  readonly line: number;
}

/** CSV with the columns of a mapping. */
export function csvFormat(mapping: BankCsv): StatementFormat {
  return {
    matches: (beginning) => hasMappedColumns(beginning, mapping),
    encodingOf: () => mapping.encoding,
    reader: (file, sink) => csvReader(file, sink, mapping),
  };
}

function hasMappedColumns(beginning: string, mapping: BankCsv): boolean {
  const complete = beginning.slice(0, beginning.lastIndexOf('\n') + 1) || beginning;
  const [first] = linesOf(complete, mapping.delimiter, mapping.skip_lines).lines;
  if (!first) return false;
  if (mapping.header) return first.cells.includes(mapping.date);
  return csvDay(first.cells[Number(mapping.date) - 1] ?? '', mapping.date_format) !== undefined;
}

/** Characters that are read at once. */
const chunkLength = 16_384;

function csvReader(file: string, sink: StatementSink, mapping: BankCsv): TextReader {
  const table = csvTable(file, sink, mapping);
  let held = '';
  let skipped = mapping.skip_lines;
  let linesBefore = 0;
  let isBroken = false;
  const read = (isLast: boolean) => {
    // A line end may be cut in two.
    const ends = isLast
      ? held.length
      : Math.max(held.lastIndexOf('\n'), held.lastIndexOf('\r', held.length - 2)) + 1;
    const text = held.slice(0, ends);
    const { lines, rest, isOpen, before } = linesOf(text, mapping.delimiter, skipped);
    for (const one of lines) table.take({ ...one, line: one.line + linesBefore });
    const after = rest + held.slice(ends);
    if ((isLast && isOpen) || after.length > longestRecord) {
      isBroken = true;
      const expected = 'a closing quotation mark, and values of at most 64 kB';
      const line = (lines.at(-1)?.line ?? skipped) + linesBefore + 1;
      table.unreadable(line, { element: 'record', found: '', expected });
    }
    linesBefore += before;
    held = after;
    skipped = 0;
  };
  return {
    push: (text) => {
      if (isBroken) return;
      held += text;
      if (held.length >= chunkLength) read(false);
    },
    end: () => {
      if (!isBroken) read(true);
      table.end();
    },
  };
}

/** Collects records into statements, one for each account and currency. */
function csvTable(file: string, sink: StatementSink, mapping: BankCsv) {
  const entries = new Map<string, EntryColumns>();
  let header: Line | undefined;
  let columns = mapping.header ? undefined : columnsOf(mapping, undefined);
  let isRead = true;
  const unreadable = (line: number, fault: Misfit) => {
    isRead = false;
    sink.unreadable({ ...fault, place: { file, line } });
  };
  return {
    unreadable,
    take: (record: Line) => {
      const { cells, line } = record;
      if (!columns) {
        header = record;
        columns = columnsOf(mapping, cells);
        return;
      }
      if (columns.unclear.size > 0) return;
      const more = header ? cells.slice(header.cells.length) : [];
      const isLong = cells.some(({ length }) => length > longestText);
      const entry = isLong ? tooLong : csvEntry(columns.of(cells), mapping, { file, line });
      if (!entry) return;
      // With more cells than the header has, it is unclear which cell is in which column.
      const expected = 'as many columns as the header has';
      const found = cells.join(mapping.delimiter);
      if (!isLong && more.some((cell) => cell !== ''))
        unreadable(line, { element: 'record', found, expected });
      else if ('element' in entry) unreadable(line, entry);
      else {
        const key = `${entry.account} ${entry.currency}`;
        const own = entries.get(key) ?? new EntryColumns();
        own.push(entry);
        entries.set(key, own);
      }
    },
    end: () => {
      const { unclear, of } = columns ?? columnsOf(mapping, undefined);
      const { line, cells } = header ?? { line: 1, cells: [] };
      const found = cells.join(mapping.delimiter);
      const expected = 'one column of this name';
      for (const element of unclear) unreadable(line, { element, found, expected });
      if (unclear.size > 0) return;
      const none = of([]);
      const unnamed = {
        account: accountNumber(none.columnOrValue('account')),
        currency: none.columnOrValue('currency'),
      };
      // A file without entries is still a statement.
      if (entries.size === 0) entries.set('', new EntryColumns());
      for (const own of entries.values()) {
        const days = spanOf(own.kinds.map(({ date }) => date)) ?? { from: '', to: '' };
        const [{ account, currency } = unnamed] = own.kinds;
        sink.statement({
          source: 'CSV',
          account,
          currency,
          number: '',
          from: days.from,
          to: days.to,
          opening: undefined,
          closing: undefined,
          entries: own,
          undated: [],
          hasOtherCurrencies: false,
          isRead,
          place: { file, line },
        });
      }
    },
  };
}

const tooLong: Misfit = { element: 'record', found: '', expected: 'values of at most 64 kB' };

/** `rest`: a last record that does not end. `before`: the number of lines before it. */
function linesOf(written: string, delimiter: string, skipped: number) {
  const lines: Line[] = [];
  // Otherwise a line end of two characters in a cell counts as two lines.
  const text = written.replace(/\r\n?/g, '\n');
  const start = text.split(/(?<=\n)/, skipped).join('').length;
  const bytes = Buffer.from(text.slice(start).replace(/^\ufeff/, ''));
  let end = 0;
  let isOpen = false;
  try {
    parse(bytes, {
      delimiter,
      record_delimiter: '\n',
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      trim: true,
      on_record: (cells: readonly string[], { lines: line, bytes: read }) => {
        lines.push({ cells, line: line + skipped });
        end = read;
        return null;
      },
    });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    isOpen = true;
  }
  const rest = isOpen ? bytes.toString('utf8', end) : '';
  const before = text.slice(0, text.length - rest.length).split('\n').length - 1;
  return { lines, rest, isOpen, before };
}
