import { CsvError, parse } from 'csv-parse/sync';
import { dayWritten, spanOf, withoutTime } from '../base/calendar.ts';
import { accountNumber } from '../model/bank.ts';
import type { BankCsv } from '../model/bank-csv.ts';
import { type Decimal, parseDigits, signed } from './decimal.ts';
import { joinedDetails, labelledDetails, noDetails, references } from './details.ts';
import { EntryColumns, type WrittenEntry } from './entry-columns.ts';
import {
  entryOf,
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

/** The columns of a file; without a header, they are named by number. */
function columnsOf(mapping: BankCsv, header: readonly string[] | undefined) {
  const indexOf = (column: string) =>
    header ? header.indexOf(column) : /^\d{1,3}$/.test(column) ? Number(column) - 1 : -1;
  const named = (key: keyof BankCsv) => {
    const column = mapping[key];
    return typeof column === 'string' ? [column] : Array.isArray(column) ? column.map(String) : [];
  };
  const isTwice = (column: string) => header?.indexOf(column) !== header?.lastIndexOf(column);
  const needed = [
    ...columnKeys.flatMap(named),
    ...(/^[A-Z]{3}$/.test(mapping.currency) ? [] : [mapping.currency]),
    ...(/^$|\d/.test(mapping.account ?? '') ? [] : named('account')),
  ];
  return {
    unclear: new Set([
      ...needed.filter((column) => indexOf(column) < 0),
      ...[...needed, ...named('currency'), ...named('account')].filter(isTwice),
    ]),
    of: (cells: readonly string[]) => {
      const all = (key: keyof BankCsv) => named(key).map((column) => cells[indexOf(column)] ?? '');
      return {
        at: (key: keyof BankCsv) => all(key)[0] ?? '',
        all: (key: keyof BankCsv) => all(key).filter(isFilled),
        /** The cell of the column or, if no column has this name, the name itself as a value. */
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

/** The keys of a mapping that always name a column. */
const columnKeys: readonly (keyof BankCsv)[] = [
  'date',
  'value_date',
  'amount',
  'debit',
  'credit',
  'direction',
  'status',
  'texts',
  'references',
  'bank_reference',
  'end_to_end_id',
  'name',
  'counterparty',
];

/** The entry of a record; undefined for one without a date and an amount. */
function csvEntry(cells: Cells, mapping: BankCsv, place: WrittenEntry['place']) {
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
        ...noDetails,
        texts,
        names: cells.all('name'),
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
    // Some banks also write a sign in the column for money out.
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

/**
 * Parses an amount with a sign before or after it, or in brackets. Digits may be grouped in threes by the
 * separator of the mapping or, if decimals follow, by any usual one; without decimals, `1.234` is ambiguous.
 */
export function csvAmount(
  text: string,
  { decimal, thousands }: Pick<BankCsv, 'decimal' | 'thousands'>,
): Decimal | undefined {
  if (text.length > longestAmount) return undefined;
  const [, open = '', before = '', number = '', after = '', close = ''] =
    /^(\()?\s*([-+−]?)\s*([\d.,'’\p{Zs}_]*\d)\s*([-+−]?)\s*(\))?$/u.exec(text.trim()) ?? [];
  if (number === '' || (before !== '' && after !== '') || (open !== '') !== (close !== '')) {
    return undefined;
  }
  const [whole = '', decimals, ...more] = number.split(decimal);
  if (more.length > 0 || (decimals !== undefined && !/^\d*$/.test(decimals))) return undefined;
  const digits = ungrouped(whole, thousands, decimals !== undefined);
  const amount = digits === undefined ? undefined : parseDigits(`${digits}.${decimals ?? ''}`);
  return amount && signed(amount, open !== '' || /[-−]/.test(before + after));
}

const longestAmount = 60;

function ungrouped(whole: string, thousands: string | undefined, hasDecimals: boolean) {
  if (/^\d*$/.test(whole)) return whole;
  const [, sign = ''] = /^\d{1,3}(\D)\d{3}/.exec(whole) ?? [];
  const isKnown = sign === thousands || (thousands === undefined && hasDecimals);
  const groups = whole.split(sign);
  const areThrees = groups.slice(1).every((group) => /^\d{3}$/.test(group));
  return isKnown && sign !== '' && areThrees ? groups.join('') : undefined;
}

/** Cached, as a statement has few days. */
const daysByText = new Map<string, string | undefined>();

/** Parses a day in a format such as `DD.MM.YYYY`; a time may follow. */
export function csvDay(text: string, format: string): string | undefined {
  const written = withoutTime(text.trim());
  const key = `${format} ${written}`;
  if (daysByText.has(key)) return daysByText.get(key);
  if (daysByText.size > maxCachedDays) daysByText.clear();
  const day = dayWritten(written, format);
  daysByText.set(key, day);
  return day;
}

const maxCachedDays = 1_000;
