import { dayIn, spanOf } from '../base/calendar.ts';
import { type CsvRecord, csvReader, firstRecord } from '../base/csv-records.ts';
import { longestText } from '../base/text-reader.ts';
import { accountNumber } from '../model/bank.ts';
import type { BankCsv } from '../model/bank-csv.ts';
import { columnsOf, csvEntry } from './csv-entry.ts';
import { EntryColumns } from './entry-columns.ts';
import type { Misfit, StatementFormat, StatementSink } from './written.ts';

/** CSV with the columns of a mapping. */
export function csvFormat(mapping: BankCsv): StatementFormat {
  return {
    matches: (beginning) => hasMappedColumns(beginning, mapping),
    encodingOf: () => mapping.encoding,
    reader: (file, sink) => csvReader(mapping, csvTable(file, sink, mapping)),
  };
}

function hasMappedColumns(beginning: string, mapping: BankCsv): boolean {
  const first = firstRecord(beginning, mapping);
  if (!first) return false;
  if (mapping.header) return first.cells.includes(mapping.date);
  return dayIn(first.cells[Number(mapping.date) - 1] ?? '', mapping.date_format) !== undefined;
}

/** Collects records into statements, one for each account and currency. */
function csvTable(file: string, sink: StatementSink, mapping: BankCsv) {
  const entries = new Map<string, EntryColumns>();
  let header: CsvRecord | undefined;
  let columns = mapping.header ? undefined : columnsOf(mapping, undefined);
  let isRead = true;
  const unreadable = (line: number, fault: Misfit) => {
    isRead = false;
    sink.unreadable({ ...fault, place: { file, line } });
  };
  return {
    broken: (line: number) => {
      const expected = 'a closing quotation mark, and values of at most 64 kB';
      unreadable(line, { element: 'record', found: '', expected });
    },
    record: (record: CsvRecord) => {
      const { cells, line } = record;
      if (!columns) {
        header = record;
        columns = columnsOf(mapping, cells);
        return;
      }
      if (columns.missing.size + columns.repeated.size > 0) return;
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
      const { missing, repeated, of } = columns ?? columnsOf(mapping, undefined);
      const unclear = new Set([...missing, ...repeated]);
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
