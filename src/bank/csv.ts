import { dayIn, spanOf } from '../base/calendar.ts';
import { type CsvRecord, csvColumns, csvReader, firstRecord } from '../base/csv-records.ts';
import { longestText } from '../base/text-reader.ts';
import { accountNumber, type BankCsv } from '../model/bank.ts';
import { type Decimal, signed, writtenAmount } from '../money/decimal.ts';
import { joinedDetails, labelledDetails, noDetails, references } from './details.ts';
import { EntryColumns, type WrittenEntry } from './entry-columns.ts';
import {
  type ElementFault,
  entryOf,
  type StatementFormat,
  type StatementSink,
  type WrittenStatement,
} from './written.ts';

export function csvFormat(mapping: BankCsv): StatementFormat {
  return {
    matches: (beginning) => hasMappedColumns(beginning, mapping),
    encodingOf: () => mapping.encoding,
    reader: (file, sink) => csvReader(mapping, new CsvTable(file, sink, mapping)),
  };
}

function hasMappedColumns(beginning: string, mapping: BankCsv): boolean {
  const first = firstRecord(beginning, mapping);
  if (!first) return false;
  if (mapping.header) return first.cells.includes(mapping.date);
  return dayIn(first.cells[Number(mapping.date) - 1] ?? '', mapping.date_format) !== undefined;
}

/** Collects records into statements, one for each account and currency. */
class CsvTable {
  readonly #file: string;
  readonly #sink: StatementSink;
  readonly #mapping: BankCsv;
  readonly #entries = new Map<string, EntryColumns>();
  #header: CsvRecord | undefined;
  #columns: ReturnType<typeof columnsOf>;
  #isRead = true;

  constructor(file: string, sink: StatementSink, mapping: BankCsv) {
    this.#file = file;
    this.#sink = sink;
    this.#mapping = mapping;
    this.#columns = columnsOf(mapping, undefined);
  }

  broken(line: number): void {
    const expected = 'a closing quotation mark, and values of at most 64 kB';
    this.#unreadable(line, { element: 'record', found: '', expected });
  }

  record(record: CsvRecord): void {
    if (this.#mapping.header && !this.#header) {
      this.#header = record;
      this.#columns = columnsOf(this.#mapping, record.cells);
      return;
    }
    const { missing, repeated } = this.#columns;
    if (missing.size + repeated.size > 0) return;
    const entry = this.#entryOf(record);
    if (!entry) return;
    if ('element' in entry) this.#unreadable(record.line, entry);
    else this.#add(entry);
  }

  end(): void {
    const unclear = new Set([...this.#columns.missing, ...this.#columns.repeated]);
    const { line, cells } = this.#header ?? { line: 1, cells: [] };
    const found = cells.join(this.#mapping.delimiter);
    const expected = 'one column of this name';
    for (const element of unclear) this.#unreadable(line, { element, found, expected });
    if (unclear.size > 0) return;
    // A file without entries is still a statement.
    if (this.#entries.size === 0) this.#entries.set('', new EntryColumns());
    for (const own of this.#entries.values()) this.#sink.statement(this.#statementOf(own, line));
  }

  #add(entry: WrittenEntry): void {
    const key = `${entry.account} ${entry.currency}`;
    const own = this.#entries.get(key) ?? new EntryColumns();
    own.push(entry);
    this.#entries.set(key, own);
  }

  #entryOf({ cells, line }: CsvRecord): WrittenEntry | ElementFault | undefined {
    if (cells.some(({ length }) => length > longestText)) return tooLong;
    const place = { file: this.#file, line };
    const entry = csvEntry(this.#columns.of(cells), this.#mapping, place);
    const more = this.#header ? cells.slice(this.#header.cells.length) : [];
    if (!entry || more.every((cell) => cell === '')) return entry;
    // With more cells than the header has, it is unclear which cell is in which column.
    const found = cells.join(this.#mapping.delimiter);
    return { element: 'record', found, expected: 'as many columns as the header has' };
  }

  #statementOf(entries: EntryColumns, line: number): WrittenStatement {
    const none = this.#columns.of([]);
    const unnamed = {
      account: accountNumber(none.columnOrValue('account')),
      currency: none.columnOrValue('currency'),
    };
    const [{ account, currency } = unnamed] = entries.kinds;
    const days = spanOf(entries.kinds.map(({ date }) => date)) ?? { from: '', to: '' };
    return {
      source: 'CSV',
      account,
      currency,
      number: '',
      ...days,
      opening: undefined,
      closing: undefined,
      entries,
      undated: [],
      hasOtherCurrencies: false,
      isRead: this.#isRead,
      place: { file: this.#file, line },
    };
  }

  #unreadable(line: number, fault: ElementFault): void {
    this.#isRead = false;
    this.#sink.unreadable({ ...fault, place: { file: this.#file, line } });
  }
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
