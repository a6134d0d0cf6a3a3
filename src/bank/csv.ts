import { CsvError, parse } from 'csv-parse/sync';
import { spanOf } from '../base/calendar.ts';
import { accountNumber } from '../model/bank.ts';
import type { BankCsv } from '../model/bank-csv.ts';
import { csvAmount, csvDay } from './csv-values.ts';
import { type Decimal, signed } from './decimal.ts';
import { EntryColumns, type WrittenEntry } from './entry-columns.ts';
import { labelledDetails } from './labelled-text.ts';
import {
  entryOf,
  joinedDetails,
  longestRecord,
  longestText,
  type Misfit,
  noDetails,
  references,
  type StatementSink,
  type TextReader,
} from './written.ts';

/** A record, and where it ends. */
interface Line {
  readonly cells: readonly string[];
  readonly line: number;
}

/** Whether a file that begins with this text has the columns of the mapping. */
export function isMappedCsv(beginning: string, mapping: BankCsv | undefined): boolean {
  if (!mapping) return false;
  const complete = beginning.slice(0, beginning.lastIndexOf('\n') + 1) || beginning;
  const [first] = linesOf(complete, mapping).lines;
  if (!first) return false;
  if (mapping.header) return first.cells.includes(mapping.date);
  return csvDay(first.cells[Number(mapping.date) - 1] ?? '', mapping.date_format) !== undefined;
}

/** From so many characters on, records are read. */
const mostHeld = 16_384;

/** Reads CSV by a mapping, as a stream. */
export function csvReader(
  file: string,
  sink: StatementSink,
  mapping: BankCsv | undefined,
): TextReader {
  if (!mapping) return { push: () => {}, end: () => {} };
  const table = csvTable(file, sink, mapping);
  let held = '';
  let skipped = mapping.skip_lines;
  let linesBefore = 0;
  let isBroken = false;
  const read = (isLast: boolean) => {
    // A line may end with the next piece.
    const ends = isLast
      ? held.length
      : Math.max(held.lastIndexOf('\n'), held.lastIndexOf('\r', held.length - 2)) + 1;
    const { lines, rest, isOpen, before } = linesOf(held.slice(0, ends), {
      ...mapping,
      skip_lines: skipped,
    });
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
      if (held.length >= mostHeld) read(false);
    },
    end: () => {
      if (!isBroken) read(true);
      table.end();
    },
  };
}

/** The statements of a file, one for each account and currency, as its records come. */
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
        columns = columnsOf(mapping, record);
        return;
      }
      if (columns.unclear.size > 0) return;
      const more = header ? cells.slice(header.cells.length) : [];
      const isLong = cells.some(({ length }) => length > longestText);
      const entry = isLong ? tooLong : entryIn(columns.of(cells), mapping, { file, line });
      if (!entry) return;
      // Of a record with more than its header names, nobody knows what stands in which column.
      const expected = 'as many columns as the header has';
      const found = cells.join(mapping.delimiter);
      if (!isLong && more.some(isFilled)) unreadable(line, { element: 'record', found, expected });
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
      // Without entries it is a statement still.
      if (entries.size === 0) entries.set('', new EntryColumns());
      for (const own of entries.values()) {
        const days = spanOf(own.kinds.map(({ date }) => date)) ?? { from: '', to: '' };
        const [{ account, currency } = unnamed] = own.kinds;
        sink.statement({
          ...{ source: 'CSV', account, currency, number: '', ...days },
          ...{ opening: undefined, closing: undefined, entries: own, isRead },
          ...{ undated: [], oddlyDated: [], hasOtherCurrencies: false },
          place: { file, line },
        });
      }
    },
  };
}

const tooLong: Misfit = { element: 'record', found: '', expected: 'values of at most 64 kB' };

/**
 * The records of a text after the lines to skip, what of it is left where it ends within one, and how many
 * lines come before that.
 */
function linesOf(written: string, { delimiter, skip_lines: skipped }: BankCsv) {
  const lines: Line[] = [];
  // Otherwise an end of two characters in a cell counts as two lines.
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

function columnsOf(mapping: BankCsv, header: Line | undefined) {
  const indexOf = (column: string) =>
    header ? header.cells.indexOf(column) : /^\d{1,3}$/.test(column) ? Number(column) - 1 : -1;
  const named = (key: keyof BankCsv) => {
    const column = mapping[key];
    return typeof column === 'string' ? [column] : Array.isArray(column) ? column.map(String) : [];
  };
  const isTwice = (column: string) =>
    header?.cells.indexOf(column) !== header?.cells.lastIndexOf(column);
  const needed = [
    ...columnKeys.flatMap(named),
    ...(/^[A-Z]{3}$/.test(mapping.currency) ? [] : [mapping.currency]),
    ...(/^$|\d/.test(mapping.account ?? '') ? [] : named('account')),
  ];
  return {
    /** The columns of the mapping that are missing, or there twice. */
    unclear: new Set([
      ...needed.filter((column) => indexOf(column) < 0),
      ...[...needed, ...named('currency'), ...named('account')].filter(isTwice),
    ]),
    /** What stands in the columns of a record, by their names in the mapping. */
    of: (cells: readonly string[]) => {
      const all = (key: keyof BankCsv) => named(key).map((column) => cells[indexOf(column)] ?? '');
      return {
        /** An empty text where the mapping names no such column. */
        at: (key: keyof BankCsv) => all(key)[0] ?? '',
        all: (key: keyof BankCsv) => all(key).filter(isFilled),
        /** What stands in the column or, where there is none of that name, the name itself. */
        columnOrValue: (key: 'currency' | 'account') => {
          const column = mapping[key] ?? '';
          return indexOf(column) < 0 ? column : (cells[indexOf(column)] ?? '');
        },
      };
    },
  };
}

type Cells = ReturnType<ReturnType<typeof columnsOf>['of']>;

const isFilled = (text: string) => text !== '';

/** What in a mapping is always the name of a column. */
const columnKeys = [
  ...(['date', 'value_date', 'amount', 'debit', 'credit', 'direction', 'status'] as const),
  ...(['texts', 'references', 'bank_reference', 'end_to_end_id', 'name', 'counterparty'] as const),
];

/** The entry of a record; undefined for a line that has neither a date nor an amount. */
function entryIn(
  cells: Cells,
  mapping: BankCsv,
  place: WrittenEntry['place'],
): WrittenEntry | Misfit | undefined {
  const keys = (['amount', 'debit', 'credit'] as const).filter((key) => cells.at(key) !== '');
  if (cells.at('date') === '' && keys.length === 0) return undefined;
  const fault = (key: keyof BankCsv, expected: string): Misfit => ({
    element: String(mapping[key] ?? key),
    found: cells.at(key),
    expected,
  });
  const dayLike = `a date written ${mapping.date_format}`;
  const [date, value] = (['date', 'value_date'] as const).map((key) =>
    cells.at(key) === '' ? '' : csvDay(cells.at(key), mapping.date_format),
  );
  if (!date) return fault('date', dayLike);
  if (value === undefined) return fault('value_date', dayLike);
  const amount = amountOf(cells, mapping, fault);
  if ('element' in amount) return amount;
  const currency = cells.columnOrValue('currency').toUpperCase();
  if (!/^[A-Z]{3}$/.test(currency)) {
    return { element: mapping.currency, found: currency, expected: 'a currency code such as EUR' };
  }
  const isPending = mapping.pending_words.includes(cells.at('status'));
  const texts = cells.all('texts');
  return entryOf({
    account: accountNumber(cells.columnOrValue('account')),
    currency,
    amount,
    date,
    valueDate: value,
    status: mapping.status !== undefined && isPending ? 'pending' : 'booked',
    isReversal: false,
    returnReason: '',
    bankReference: references(cells.all('bank_reference'))[0] ?? '',
    details: joinedDetails([
      {
        ...{ ...noDetails, texts, names: cells.all('name') },
        endToEndIds: references(cells.all('end_to_end_id')),
        references: references(cells.all('references')),
        accounts: cells.all('counterparty').map(accountNumber).filter(isFilled),
      },
      labelledDetails(texts),
    ]),
    parts: [],
    place,
  });
}

function amountOf(
  cells: Cells,
  mapping: BankCsv,
  fault: (key: keyof BankCsv, expected: string) => Misfit,
): Decimal | Misfit {
  const { decimal, direction, debit_words: out, credit_words: into } = mapping;
  const expected = `an amount such as 1234${decimal}56`;
  const read = (key: 'amount' | 'debit' | 'credit') => csvAmount(cells.at(key), mapping);
  if (mapping.amount === undefined) {
    const [debit, credit] = [read('debit'), read('credit')];
    const has = (key: 'debit' | 'credit', amount: Decimal | undefined) =>
      cells.at(key) !== '' && amount?.digits !== 0n;
    if (has('debit', debit) && has('credit', credit)) return fault('debit', 'one amount, not two');
    const key = has('debit', debit) || cells.at('credit') === '' ? 'debit' : 'credit';
    const amount = key === 'debit' ? debit : credit;
    // Some banks write a sign before money out though it has a column of its own.
    if (!amount || (key === 'credit' && amount.digits < 0n)) return fault(key, expected);
    return signed(amount, key === 'debit' && amount.digits > 0n);
  }
  const amount = read('amount');
  if (!amount) return fault('amount', expected);
  if (direction === undefined) return signed(amount, mapping.inverted);
  const word = cells.at('direction');
  if (!out.includes(word) && !into.includes(word)) {
    return fault('direction', `one of ${[...out, ...into].join(', ')}`);
  }
  if (amount.digits < 0n) return fault('amount', `${expected}, without a sign`);
  return signed(amount, out.includes(word));
}
