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
  const table = new CsvTable(file, sink, mapping);
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
      table.breakOff((lines.at(-1)?.line ?? skipped) + linesBefore + 1);
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
class CsvTable {
  readonly #file: string;
  readonly #sink: StatementSink;
  readonly #mapping: BankCsv;
  readonly #entries = new Map<string, EntryColumns>();
  #header: Line | undefined;
  #columns: ReturnType<typeof columnsOf> | undefined;
  #isRead = true;

  constructor(file: string, sink: StatementSink, mapping: BankCsv) {
    this.#file = file;
    this.#sink = sink;
    this.#mapping = mapping;
    if (!mapping.header) this.#columns = columnsOf(mapping, undefined);
  }

  take(record: Line): void {
    const { cells, line } = record;
    if (!this.#columns) {
      this.#header = record;
      this.#columns = columnsOf(this.#mapping, record);
      return;
    }
    if (this.#columns.unclear.size > 0) return;
    const entry = this.#entryOf(cells, line);
    if (!entry) return;
    if ('element' in entry) {
      this.#unreadable(line, entry);
      return;
    }
    const key = `${entry.account} ${entry.currency}`;
    const own = this.#entries.get(key) ?? new EntryColumns();
    own.push(entry);
    this.#entries.set(key, own);
  }

  /** From a line on nothing can be read. */
  breakOff(line: number): void {
    const expected = 'a closing quotation mark, and values of at most 64 kB';
    this.#unreadable(line, { element: 'record', found: '', expected });
  }

  end(): void {
    const columns = this.#columns ?? columnsOf(this.#mapping, undefined);
    const line = this.#header?.line ?? 1;
    for (const element of columns.unclear) {
      const found = this.#header?.cells.join(this.#mapping.delimiter) ?? '';
      this.#unreadable(line, { element, found, expected: 'one column of this name' });
    }
    if (columns.unclear.size > 0) return;
    const none = columns.of([]);
    const unnamed = {
      account: accountNumber(none.columnOrValue('account')),
      currency: none.columnOrValue('currency'),
    };
    // Without entries it is a statement still.
    if (this.#entries.size === 0) this.#entries.set('', new EntryColumns());
    for (const entries of this.#entries.values()) {
      const days = spanOf(entries.kinds.map(({ date }) => date)) ?? { from: '', to: '' };
      const [{ account, currency } = unnamed] = entries.kinds;
      this.#sink.statement({
        ...{ source: 'CSV', account, currency, number: '', ...days },
        ...{ opening: undefined, closing: undefined, entries, isRead: this.#isRead },
        ...{ undated: [], oddlyDated: [], hasOtherCurrencies: false },
        place: { file: this.#file, line },
      });
    }
  }

  #entryOf(cells: readonly string[], line: number): WrittenEntry | Misfit | undefined {
    const place = { file: this.#file, line };
    const entry = this.#columns && entryIn(this.#columns.of(cells), this.#mapping, place);
    const isLong = cells.some(({ length }) => length > longestText);
    const more = this.#header ? cells.slice(this.#header.cells.length) : [];
    if (isLong) return { element: 'record', found: '', expected: 'values of at most 64 kB' };
    return entry && more.some(isFilled) ? tooManyCells(cells, this.#mapping) : entry;
  }

  #unreadable(line: number, fault: Misfit): void {
    this.#isRead = false;
    this.#sink.unreadable({ ...fault, place: { file: this.#file, line } });
  }
}

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
