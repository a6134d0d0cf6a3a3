import { CsvError, parse } from 'csv-parse/sync';
import { spanOf } from '../base/calendar.ts';
import { groupedBy } from '../base/keys.ts';
import { accountNumber } from '../model/bank.ts';
import type { BankCsv } from '../model/bank-csv.ts';
import { csvAmount, csvDay } from './csv-values.ts';
import { type Decimal, signed } from './decimal.ts';
import { labelledDetails } from './labelled-text.ts';
import {
  entryOf,
  joinedDetails,
  type Misfit,
  noDetails,
  references,
  type StatementSink,
  type TextReader,
  type WrittenEntry,
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

/** Reads CSV by a mapping. It is small, and read whole. */
export function csvReader(
  file: string,
  sink: StatementSink,
  mapping: BankCsv | undefined,
): TextReader {
  const pieces: string[] = [];
  return {
    push: (text) => pieces.push(text),
    end: () => mapping && readCsv(pieces.join(''), file, sink, mapping),
  };
}

function readCsv(text: string, file: string, sink: StatementSink, mapping: BankCsv): void {
  const { lines, brokenAt } = linesOf(text, mapping);
  const header = mapping.header ? lines.shift() : undefined;
  const columns = columnsOf(mapping, header);
  const unreadable = (line: number, fault: Misfit) =>
    sink.unreadable({ ...fault, place: { file, line } });
  for (const element of columns.unclear) {
    const found = header?.cells.join(mapping.delimiter) ?? '';
    unreadable(header?.line ?? 1, { element, found, expected: 'one column of this name' });
  }
  if (columns.unclear.size > 0) return;
  const entries: WrittenEntry[] = [];
  let isRead = brokenAt === undefined;
  for (const { cells, line } of lines) {
    const read = entryIn(columns.of(cells), mapping, { file, line });
    if (!read) continue;
    const more = header ? cells.slice(header.cells.length) : [];
    const entry = more.some((cell) => cell !== '') ? tooManyCells(cells, mapping) : read;
    if ('place' in entry) entries.push(entry);
    else {
      isRead = false;
      unreadable(line, entry);
    }
  }
  if (brokenAt !== undefined) {
    const expected = 'a closing quotation mark';
    unreadable(brokenAt, { element: 'record', found: '', expected });
  }
  const accountOf = ({ account, currency }: WrittenEntry) => JSON.stringify([account, currency]);
  const none = columns.of([]);
  const [number, currency] = [none.columnOrValue('account'), none.columnOrValue('currency')];
  const whose = { account: accountNumber(number), currency };
  const groups = [...groupedBy(entries, accountOf).values()];
  // Without entries it is a statement still.
  for (const own of groups.length === 0 ? [[]] : groups) {
    const days = spanOf(own.map(({ date }) => date)) ?? { from: '', to: '' };
    const [{ account, currency } = whose] = own;
    sink.statement({
      ...{ source: 'CSV', account, currency, number: '', ...days },
      ...{ opening: undefined, closing: undefined, entries: own, isRead },
      ...{ undated: [], oddlyDated: [], hasOtherCurrencies: false },
      place: { file, line: header?.line ?? 1 },
    });
  }
}

/** The records after the lines to skip, and the line from which on nothing could be read. */
function linesOf(written: string, { delimiter, skip_lines: skipped }: BankCsv) {
  const lines: Line[] = [];
  // Otherwise an end of two characters in a cell counts as two lines.
  const text = written.replace(/\r\n?/g, '\n');
  const start = text.split(/(?<=\n)/, skipped).join('').length;
  try {
    parse(text.slice(start).replace(/^\ufeff/, ''), {
      delimiter,
      record_delimiter: '\n',
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      trim: true,
      on_record: (cells: readonly string[], { lines: line }) => {
        lines.push({ cells, line: line + skipped });
        return null;
      },
    });
    return { lines, brokenAt: undefined };
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    return { lines, brokenAt: (lines.at(-1)?.line ?? skipped) + 1 };
  }
}

/** What stands in the columns of a record, by the names in the mapping. */
interface Cells {
  /** The column that the mapping names so; an empty text where it names none. */
  at(key: keyof BankCsv): string;
  all(key: keyof BankCsv): readonly string[];
  /** What stands in the column or, where there is none of that name, the name itself. */
  columnOrValue(key: 'currency' | 'account'): string;
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
    of: (cells: readonly string[]): Cells => {
      const all = (key: keyof BankCsv) => named(key).map((column) => cells[indexOf(column)] ?? '');
      return {
        at: (key) => all(key)[0] ?? '',
        all: (key) => all(key).filter(isFilled),
        columnOrValue: (key) => {
          const column = mapping[key] ?? '';
          return indexOf(column) < 0 ? column : (cells[indexOf(column)] ?? '');
        },
      };
    },
  };
}

const isFilled = (text: string) => text !== '';

/** What in a mapping is always the name of a column. */
const columnKeys = [
  ...(['date', 'value_date', 'amount', 'debit', 'credit', 'direction', 'status'] as const),
  ...(['texts', 'references', 'bank_reference', 'end_to_end_id', 'name', 'counterparty'] as const),
];

/** Of a record with more than its header names, nobody knows what stands in which column. */
function tooManyCells(cells: readonly string[], { delimiter }: BankCsv): Misfit {
  const expected = 'as many columns as the header has';
  return { element: 'record', found: cells.join(delimiter), expected };
}

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
