import { dayIn, spanOf } from '../base/calendar.ts';
import { type CsvRecord, csvColumns, csvReader } from '../base/csv-records.ts';
import { longestText } from '../base/text-reader.ts';
import { accountNumber, type BankCsv } from '../model/bank.ts';
import { type AmountForm, atScale, type Decimal, signed, writtenAmount } from '../money/decimal.ts';
import { magnitude } from '../money/money.ts';
import { joinedDetails, labelledDetails, noDetails, references } from './details.ts';
import { EntryColumns, type WrittenEntry } from './entry-columns.ts';
import { RunningBalance } from './running-balance.ts';
import {
  type ElementFault,
  entryOf,
  type StatementReading,
  type StatementSink,
  type WrittenStatement,
} from './written.ts';

/** A mapping whose columns a file has, and how it is read. */
export interface CsvReading extends StatementReading {
  readonly mapping: BankCsv;
}

/** `setting` names the mapping; `header` is the record with its columns, if they have names. */
export function csvReading(
  mapping: BankCsv,
  setting: string,
  header: CsvRecord | undefined,
): CsvReading {
  return {
    mapping,
    encodingOf: () => mapping.encoding,
    reader: (file, sink) => csvReader(mapping, new CsvTable(file, sink, mapping, setting, header)),
  };
}

/** The money of one account in one currency. */
class CsvAccount {
  readonly entries = new EntryColumns();
  readonly balances: RunningBalance;
  /** As rows of their own state them. */
  opening: Decimal | undefined;
  closing: Decimal | undefined;
  readonly #days = new Set<string>();

  readonly #hasBalances: boolean;

  constructor(currency: string, hasBalances: boolean) {
    this.balances = new RunningBalance(currency);
    this.#hasBalances = hasBalances;
  }

  add({ entry, amount, balance }: CsvEntry): void {
    this.entries.push(entry);
    if (entry.status !== 'booked' || !this.#hasBalances) return;
    this.balances.add({ line: entry.place.line, date: entry.date, amount, balance });
  }

  state({ end, balance, date, line }: CsvBalance): void {
    if (date !== '') this.#days.add(date);
    if (end) this[end] ??= balance;
    else this.balances.add({ line, date, amount: { digits: 0n, scale: 0 }, balance });
  }

  get days() {
    const days = [...this.#days, ...this.entries.kinds.map(({ date }) => date)];
    return spanOf(days) ?? { from: '', to: '' };
  }
}

/** Collects records into statements, one for each account and currency. */
class CsvTable {
  readonly #file: string;
  readonly #sink: StatementSink;
  readonly #mapping: BankCsv;
  readonly #setting: string;
  readonly #accounts = new Map<string, CsvAccount>();
  /** Records that are no rows if none follows: what banks write below the table. */
  #below: (readonly [line: number, fault: ElementFault])[] = [];
  readonly #header: CsvRecord | undefined;
  readonly #columns: ReturnType<typeof mappedColumns>;
  #isRead = true;

  constructor(
    file: string,
    sink: StatementSink,
    mapping: BankCsv,
    setting: string,
    header: CsvRecord | undefined,
  ) {
    this.#file = file;
    this.#sink = sink;
    this.#mapping = mapping;
    this.#setting = setting;
    this.#header = header;
    this.#columns = mappedColumns(mapping, header?.cells);
  }

  broken(line: number): void {
    const expected = 'a closing quotation mark, and values of at most 64 kB';
    this.#unreadable(line, { element: 'record', found: '', expected });
  }

  record(record: CsvRecord): void {
    if (this.#header && record.line <= this.#header.line) return;
    if (this.#columns.repeated.size > 0) return;
    const row = this.#rowOf(record);
    if (!row) return;
    if ('element' in row && this.#mayBeBelow(record)) {
      this.#below.push([record.line, row]);
      return;
    }
    for (const [line, fault] of this.#below.splice(0)) this.#unreadable(line, fault);
    if ('element' in row) this.#unreadable(record.line, row);
    else if ('end' in row) this.#accountOf(row).state(row);
    else this.#accountOf(row.entry).add(row);
  }

  end(): void {
    const { line, cells } = this.#header ?? { line: 1, cells: [] };
    const found = cells.join(this.#mapping.delimiter);
    const expected = 'one column of this name';
    const { repeated } = this.#columns;
    for (const element of repeated) this.#unreadable(line, { element, found, expected });
    if (repeated.size > 0) return;
    // A file without entries is still a statement.
    if (this.#accounts.size === 0) this.#accounts.set('', new CsvAccount('', false));
    for (const own of this.#accounts.values()) this.#sink.statement(this.#statementOf(own, line));
  }

  #accountOf({ account, currency }: Pick<WrittenEntry, 'account' | 'currency'>): CsvAccount {
    const key = `${account} ${currency}`;
    const own =
      this.#accounts.get(key) ?? new CsvAccount(currency, this.#mapping.balance !== undefined);
    this.#accounts.set(key, own);
    return own;
  }

  /** Whether a record that cannot be read has neither a date nor an amount: not a row that was cut off. */
  #mayBeBelow({ cells }: CsvRecord): boolean {
    const at = this.#columns.of(cells);
    const amounts = (['amount', 'debit', 'credit'] as const).map((key) => at.at(key));
    // A text may stand in the column of the amounts, if that is the first one.
    const hasAmount = amounts.some((cell) => /\d/.test(cell));
    // A quotation mark in the wrong place makes one cell of a row.
    const hasFigures = cells.some((cell) => /\d[.,/-]\d/.test(cell));
    return (
      !hasAmount && !hasFigures && dayIn(at.at('date'), this.#mapping.date_format) === undefined
    );
  }

  #rowOf({ cells, line }: CsvRecord): CsvRow | ElementFault | undefined {
    if (cells.some(({ length }) => length > longestText)) return tooLong;
    const place = { file: this.#file, line };
    const row = csvRow(cells, this.#columns.of(cells), this.#mapping, place);
    const more = this.#header ? cells.slice(this.#header.cells.length) : [];
    if (!row || more.every((cell) => cell === '')) return row;
    // With more cells than the header has, it is unclear which cell is in which column.
    const found = cells.join(this.#mapping.delimiter);
    const expected = 'as many columns as the header has';
    return { element: 'record', key: 'delimiter', found, expected };
  }

  #statementOf(own: CsvAccount, line: number): WrittenStatement {
    const none = this.#columns.of([]);
    const unnamed = {
      account: accountNumber(none.columnOrValue('account')),
      currency: typeof this.#mapping.currency === 'string' ? none.columnOrValue('currency') : '',
    };
    const { entries, days } = own;
    const [{ account, currency } = unnamed] = entries.kinds;
    const { opening, closing, breaks = [] } = own.balances.read() ?? {};
    const place = { file: this.#file, line };
    return {
      source: 'CSV',
      setting: this.#setting,
      account,
      currency,
      number: '',
      ...days,
      opening: own.opening ?? opening,
      closing: own.closing ?? closing,
      entries,
      undated: [],
      hasOtherCurrencies: false,
      isRead: this.#isRead,
      breaks: breaks.map((one) => ({
        place: { ...place, line: one.line },
        difference: one.difference,
      })),
      place,
    };
  }

  #unreadable(line: number, fault: ElementFault): void {
    this.#isRead = false;
    const setting = fault.key && `${this.#setting}.${fault.key}`;
    this.#sink.unreadable({ ...fault, setting, place: { file: this.#file, line } });
  }
}

const tooLong: ElementFault = { element: 'record', found: '', expected: 'values of at most 64 kB' };

/** The columns of a file; without a header, they are named by number. */
export function mappedColumns(mapping: BankCsv, header: readonly string[] | undefined) {
  return csvColumns(mapping, header, {
    columns: columnKeys,
    columnsOrValues: [
      ...(typeof mapping.currency === 'string' ? [['currency', /^[A-Z]{3}$/] as const] : []),
      ['account', /^$|\d/],
    ],
  });
}

type Cells = ReturnType<ReturnType<typeof mappedColumns>['of']>;

const isFilled = (text: string) => text !== '';

/** The keys of a mapping that always name a column. */
const columnKeys: readonly (keyof BankCsv)[] = [
  'date',
  'value_date',
  'amount',
  'fee',
  'balance',
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

interface CsvEntry {
  readonly entry: WrittenEntry;
  readonly amount: Decimal;
  /** After the row, if the file states it. */
  readonly balance: Decimal | undefined;
}

/** A row that states a balance and moves no money: at an end of its days, or wherever it stands. */
interface CsvBalance extends Pick<WrittenEntry, 'account' | 'currency' | 'date'> {
  readonly end: 'opening' | 'closing' | undefined;
  readonly line: number;
  readonly balance: Decimal;
}

type CsvRow = CsvEntry | CsvBalance;

/** The row of a record; undefined for one without a date and an amount, and for one that is not booked money. */
function csvRow(
  written: readonly string[],
  cells: Cells,
  mapping: BankCsv,
  place: WrittenEntry['place'],
): CsvRow | ElementFault | undefined {
  const keys = (['amount', 'debit', 'credit'] as const).filter((key) => cells.at(key) !== '');
  // Without an amount, words in the column of the dates are text below the table.
  const mayBeDay = /\d/.test(cells.at('date'));
  if (keys.length === 0 && !mayBeDay && cells.at('balance') === '') return undefined;
  const fault = (key: keyof BankCsv, expected: string): ElementFault => ({
    element: String(mapping[key] ?? key),
    key,
    found: cells.at(key),
    expected,
  });
  const end = endOf(written, mapping);
  // Some banks write in the column of the dates that a row is not booked.
  const isOpen = isAmong(cells.at('date'), wordsOf(mapping, 'pending'));
  const status = isOpen ? 'pending' : statusOf(cells.at('status'), mapping);
  if (status === 'ignored') return undefined;
  if (status === undefined) {
    const known = (['booked', 'pending', 'ignored'] as const).flatMap((kind) =>
      wordsOf(mapping, kind),
    );
    return fault('status', `one of ${known.join(', ')}`);
  }
  const dayLike = `a date written ${mapping.date_format}`;
  const [date, value] = (['date', 'value_date'] as const).map((key) =>
    cells.at(key) === '' || (isOpen && key === 'date')
      ? ''
      : dayIn(cells.at(key), mapping.date_format),
  );
  if (value === undefined) return fault('value_date', dayLike);
  // Money that is not booked needs no booking date; without any date, it says nothing yet.
  const day = status === 'pending' ? date || value : date;
  if (day === '' && status === 'pending') return undefined;
  // The words of a balance may stand where other rows have their date.
  const isBalance = end && isAmong(cells.at('date'), ['', ...wordsOf(mapping, end)]);
  if (!day && !isBalance) return fault('date', dayLike);
  const account = accountNumber(cells.columnOrValue('account'));
  const currency = currencyOf(cells, mapping, account);
  if (typeof currency !== 'string') return currency;
  const { line } = place;
  const isFree = keys.length === 0 && cells.at('balance') !== '';
  const balances = balanceForm(mapping);
  const stated = isFree
    ? (writtenAmount(cells.at('balance'), balances, currency) ??
      fault('balance', amountLike(balances)))
    : amountOf(cells, mapping, currency, fault);
  if ('element' in stated) return stated;
  if (end || isFree) {
    const own = isFree ? undefined : end;
    return { account, currency, date: day ?? '', end: own, balance: stated, line };
  }
  if (account === '' && mapping.account) return fault('account', 'an account number');
  const numberIn = (key: 'fee' | 'balance', form: AmountForm) =>
    cells.at(key) === '' ? undefined : writtenAmount(cells.at(key), form, currency);
  const [fee, balance] = [numberIn('fee', mapping), numberIn('balance', balances)];
  for (const [key, number, form] of [
    ['fee', fee, mapping],
    ['balance', balance, balances],
  ] as const) {
    if (cells.at(key) !== '' && !number) return fault(key, amountLike(form));
  }
  const amount = fee ? minus(stated, fee) : stated;
  const filled = (key: keyof BankCsv) => cells.all(key).filter(isFilled);
  const texts = filled('texts');
  const entry = entryOf({
    account,
    currency,
    amount,
    charges: fee && fee.digits !== 0n ? { ...fee, digits: magnitude(fee.digits) } : undefined,
    date: day ?? '',
    valueDate: value,
    status,
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
  return { entry, amount, balance };
}

/** What banks write, for the lists that a mapping leaves empty. Compared without case. */
const usualWords = {
  booked: ['booked', 'completed', 'executed', 'posted', 'settled', 'gebucht', 'comptabilisé'],
  pending: ['pending', 'vorgemerkt', 'en attente', 'pendiente', 'in attesa'],
  ignored: ['cancelled', 'canceled', 'declined', 'failed', 'rejected', 'reverted'],
  opening: [
    ...['opening balance', 'balance at start of period', 'anfangssaldo', 'alter kontostand'],
    ...['solde initial', 'ancien solde', 'saldo inicial', 'saldo iniziale', 'beginsaldo'],
    'solde en début de période',
  ],
  closing: [
    ...['closing balance', 'balance at end of period', 'endsaldo', 'neuer kontostand'],
    ...['solde final', 'nouveau solde', 'saldo final', 'saldo finale', 'eindsaldo'],
    'solde en fin de période',
  ],
};

function wordsOf(mapping: BankCsv, kind: keyof typeof usualWords): readonly string[] {
  const own = mapping[`${kind}_words`];
  return own.length > 0 ? own : usualWords[kind];
}

/** Whether a row is booked; undefined for a word that the mapping does not name. */
function statusOf(word: string, mapping: BankCsv) {
  if (mapping.status === undefined || word === '') return 'booked';
  const kinds = ['booked', 'pending', 'ignored'] as const;
  return kinds.find((kind) => isAmong(word, wordsOf(mapping, kind)));
}

/** Which balance a record states instead of a movement, by a cell that says so. */
function endOf(written: readonly string[], mapping: BankCsv) {
  const ends = ['opening', 'closing'] as const;
  return ends.find((end) => written.some((cell) => isAmong(cell, wordsOf(mapping, end))));
}

function isAmong(text: string, words: readonly string[]): boolean {
  return words.some((one) => one.toLowerCase() === text.toLowerCase());
}

/** An amount less what the bank kept, which banks write with either sign. */
function minus(amount: Decimal, fee: Decimal): Decimal {
  const scale = Math.max(amount.scale, fee.scale);
  return { digits: atScale(amount, scale) - magnitude(atScale(fee, scale)), scale };
}

/** The currency of a row of an account. */
function currencyOf(
  cells: Cells,
  { currency: written }: BankCsv,
  account: string,
): string | ElementFault {
  const key = 'currency';
  if (typeof written === 'string') {
    const found = cells.columnOrValue(key).toUpperCase();
    if (/^[A-Z]{3}$/.test(found)) return found;
    return { element: written, key, found, expected: 'a currency code such as EUR' };
  }
  const of = Object.entries(written).find(([number]) => accountNumber(number) === account);
  return of?.[1] ?? { element: key, key, found: account, expected: 'an account that it names' };
}

/** How balances are written: some banks write those with a decimal sign of their own. */
function balanceForm({ decimal, thousands, balance_decimal: own = decimal }: BankCsv): AmountForm {
  return own === thousands ? { decimal: own } : { decimal: own, thousands };
}

const amountLike = ({ decimal }: AmountForm) => `an amount such as 1234${decimal}56`;

/** Words beside an amount that say its direction, where the mapping names none. */
const sides = { out: ['DR', 'DB', 'D', 'S'], into: ['CR', 'C', 'H'] };

/** An amount in a cell, with the word for its direction taken off: `3,452.72 CR`. */
function sidedAmount(written: string, mapping: BankCsv, currency: string): Decimal | undefined {
  const [, text = written, word = ''] = /^(.*\d.*?)\s*\b(\p{L}{1,6})\.?$/u.exec(written) ?? [];
  const names = (own: readonly string[], usual: readonly string[]) =>
    (own.length > 0 ? own : usual).some((one) => one.toUpperCase() === word.toUpperCase());
  const isOut = names(mapping.debit_words, sides.out);
  if (word === '' || (!isOut && !names(mapping.credit_words, sides.into))) {
    return writtenAmount(written, mapping, currency);
  }
  const amount = writtenAmount(text, mapping, currency);
  return amount && amount.digits >= 0n ? signed(amount, isOut) : undefined;
}

function amountOf(
  cells: Cells,
  mapping: BankCsv,
  currency: string,
  fault: (key: keyof BankCsv, expected: string) => ElementFault,
): Decimal | ElementFault {
  const { direction, debit_words: out, credit_words: into } = mapping;
  const expected = amountLike(mapping);
  const read = (key: 'amount' | 'debit' | 'credit') =>
    writtenAmount(cells.at(key), mapping, currency);
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
  const amount =
    direction === undefined ? sidedAmount(cells.at('amount'), mapping, currency) : read('amount');
  if (!amount) return fault('amount', expected);
  if (direction === undefined) return signed(amount, mapping.inverted);
  const word = cells.at('direction');
  if (!out.includes(word) && !into.includes(word)) {
    return fault('direction', `one of ${[...out, ...into].join(', ')}`);
  }
  if (amount.digits < 0n) return fault('amount', `${expected}, without a sign`);
  return signed(amount, out.includes(word));
}
