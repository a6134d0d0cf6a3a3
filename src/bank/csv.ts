import { dayIn, spanOf } from '../base/calendar.ts';
import { type CsvRecord, csvColumns, csvReader, firstRecord } from '../base/csv-records.ts';
import { longestText } from '../base/text-reader.ts';
import { accountNumber, type BankCsv } from '../model/bank.ts';
import { type Decimal, signed, writtenAmount } from '../money/decimal.ts';
import { joinedDetails, labelledDetails, noDetails, references } from './details.ts';
import { EntryColumns, type WrittenEntry } from './entry-columns.ts';
import { type ElementFault, entryOf, type StatementFormat, type StatementSink } from './written.ts';

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
  const unreadable = (line: number, fault: ElementFault) => {
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

const tooLong: ElementFault = { element: 'record', found: '', expected: 'values of at most 64 kB' };

/** The columns of a file; without a header, they are named by number. */
function columnsOf(mapping: BankCsv, header: readonly string[] | undefined) {
  return csvColumns(mapping, header, {
    columns: columnKeys,
    columnsOrValues: [
      ['currency', /^[A-Z]{3}$/],
      ['account', /^$|\d/],
    ],
  });
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
function csvEntry(
  cells: Cells,
  mapping: BankCsv,
  place: WrittenEntry['place'],
): WrittenEntry | ElementFault | undefined {
  const keys = (['amount', 'debit', 'credit'] as const).filter((key) => cells.at(key) !== '');
  if (cells.at('date') === '' && keys.length === 0) return undefined;
  const fault = (key: keyof BankCsv, expected: string): ElementFault => ({
    element: String(mapping[key] ?? key),
    found: cells.at(key),
    expected,
  });
  const dayLike = `a date written ${mapping.date_format}`;
  const [date, value] = (['date', 'value_date'] as const).map((key) =>
    cells.at(key) === '' ? '' : dayIn(cells.at(key), mapping.date_format),
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
  const filled = (key: keyof BankCsv) => cells.all(key).filter(isFilled);
  const texts = filled('texts');
  return entryOf({
    account: accountNumber(cells.columnOrValue('account')),
    currency,
    amount,
    date,
    valueDate: value,
    status: mapping.status !== undefined && isPending ? 'pending' : 'booked',
    isReversal: false,
    returnReason: '',
    bankReference: references(filled('bank_reference'))[0] ?? '',
    details: joinedDetails([
      {
        ...noDetails,
        texts,
        names: filled('name'),
        endToEndIds: references(filled('end_to_end_id')),
        references: references(filled('references')),
        accounts: filled('counterparty').map(accountNumber).filter(isFilled),
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
  fault: (key: keyof BankCsv, expected: string) => ElementFault,
): Decimal | ElementFault {
  const { decimal, direction, debit_words: out, credit_words: into } = mapping;
  const expected = `an amount such as 1234${decimal}56`;
  const read = (key: 'amount' | 'debit' | 'credit') => writtenAmount(cells.at(key), mapping);
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
