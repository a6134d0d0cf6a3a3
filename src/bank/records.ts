import { addDays, isDay, spanOf } from '../base/calendar.ts';
import { longestRecord, longestText, type TextReader } from '../base/text-reader.ts';
import { accountNumber, type PaymentDetails } from '../model/bank.ts';
import { atScale, type Decimal, parseDigits } from '../money/decimal.ts';
import { magnitude, maxScale } from '../money/money.ts';
import { joinedDetails, labelledDetails, noDetails, references } from './details.ts';
import { EntryColumns } from './entry-columns.ts';
import {
  entryOf,
  isValueDate,
  type StatementSink,
  type StatementSource,
  type WrittenPart,
} from './written.ts';

interface RecordSink {
  /** Receives a record that is not blank. */
  record(text: string, line: number): void;
  end(): void;
}

/** Older programs end a file with it. */
const endOfFile = '\u001a';

/** Reads one record a line; lines longer than `width` are divided, because some files have no line ends. */
export function recordReader(sink: RecordSink, width = longestRecord): TextReader {
  let held = '';
  let line = 0;
  const take = (text: string) => {
    let start = 0;
    do {
      const record = text.slice(start, start + width);
      line += 1;
      if (record.trim() !== '') sink.record(record, line);
      start += width;
    } while (start < text.length);
  };
  return {
    push: (text) => {
      held += line === 0 && held === '' ? text.replace(/^\ufeff/, '') : text;
      const lines = held.split(/\r\n|\n|\r(?!$)/);
      held = lines.pop() ?? '';
      for (const one of lines) take(one);
      // Two more characters may be the end of the line.
      const whole = held.length - (held.length % width);
      if (held.length <= width + 2) return;
      take(held.slice(0, whole));
      held = held.slice(whole);
    },
    end: () => {
      take(held.replace(endOfFile, '').replace(/\r$/, ''));
      sink.end();
    },
  };
}

/** The day of YYMMDD; it may not exist. */
export function shortDay(text: string): string {
  const century = Number(text.slice(0, 2)) < 80 ? '20' : '19';
  return text.replace(/^(\d\d)(\d\d)(\d\d)$/, `${century}$1-$2-$3`);
}

/** The day of DDMMYY; it may not exist. */
export function shortDayBackwards(text: string): string {
  return shortDay(text.slice(4, 6) + text.slice(2, 4) + text.slice(0, 2));
}

/** Digits of which the last ones are decimals. */
export function impliedDecimal(digits: string, decimals: number): Decimal | undefined {
  if (!/^\d+$/.test(digits)) return undefined;
  const all = digits.padStart(decimals + 1, '0');
  return parseDigits(`${all.slice(0, all.length - decimals)}.${all.slice(all.length - decimals)}`);
}

/** Adds a line of text; an entry with too many is refused as a whole. */
export function addText(texts: string[], text: string): void {
  if (text.trim() !== '' && texts.length < 1_000) texts.push(text.trimEnd());
}

/** What a record says of an entry. */
export interface RecordedEntry {
  readonly line: number;
  /** The record itself, for a finding. */
  readonly record: string;
  readonly amount: Decimal | undefined;
  readonly date: string;
  readonly valueDate?: string;
  readonly currency?: string;
  /** Only if an amount of zero must be told from one on the other side. */
  readonly isDebit?: boolean;
  readonly isPending?: boolean;
  readonly bankReference?: string;
  returnReason?: string;
  /** Texts, each in its lines. */
  readonly texts: string[][];
  readonly details: Record<'references' | 'names' | 'accounts', string[]>;
  readonly parts: WrittenPart[];
}

/** The entry of a record, to which further records may add. */
export function recordedEntry(
  entry: Omit<RecordedEntry, 'texts' | 'details' | 'parts'> & Partial<RecordedEntry>,
): RecordedEntry {
  const details = { references: [], names: [], accounts: [] };
  return { details, texts: [[]], parts: [], ...entry };
}

/** The details of an entry or of a part of it. */
export function recordedDetails({ texts, details }: Pick<RecordedEntry, 'texts' | 'details'>) {
  const filled = texts
    .map((lines) => lines.filter((line) => line.trim() !== ''))
    .filter(({ length }) => length > 0);
  const own: PaymentDetails = {
    ...noDetails,
    references: references(details.references).filter((one) => !/^0+$/.test(one)),
    names: references(details.names),
    accounts: references(details.accounts).map(accountNumber),
    texts: filled.map((lines) => lines.join('\n')),
  };
  return joinedDetails([own, ...filled.map(labelledDetails)]);
}

interface StatedBalance {
  readonly line: number;
  readonly record: string;
  readonly amount: Decimal | undefined;
  readonly date: string;
}

/** A file while its records are read. */
export class RecordedFile {
  readonly file: string;
  readonly sink: StatementSink;
  statement: RecordedStatement | undefined;
  /** The entry to which further records may add. */
  entry: RecordedEntry | undefined;

  constructor(file: string, sink: StatementSink) {
    this.file = file;
    this.sink = sink;
  }

  refuse(line: number, found: string, expected: string): void {
    const place = { file: this.file, line };
    if (this.statement) this.statement.unreadable(line, 'record', found, expected);
    else this.sink.unreadable({ place, element: 'record', found, expected });
  }

  openStatement(line: number): RecordedStatement {
    this.statement = new RecordedStatement(this.file, line, this.sink);
    return this.statement;
  }

  finishEntry(): void {
    if (this.entry) this.statement?.add(this.entry);
    this.entry = undefined;
  }

  finishStatement(source: StatementSource): void {
    this.finishEntry();
    this.statement?.end(source);
    this.statement = undefined;
  }
}

/** A statement while its records are read. */
export class RecordedStatement {
  account = '';
  currency = '';
  number = '';
  opening: StatedBalance | undefined;
  closing: StatedBalance | undefined;
  /** The days that the bank names; else those of the balances. */
  days: { readonly from: string; readonly to: string } | undefined;
  /** Whether what it says is not so. */
  isVoid = false;
  /** The number and the sum of entries, without signs. */
  readonly debits = { count: 0, sum: 0n };
  readonly credits = { count: 0, sum: 0n };
  readonly entries = new EntryColumns();
  readonly #file: string;
  readonly #line: number;
  readonly #sink: StatementSink;
  #isRead = true;
  #hasOtherCurrencies = false;

  constructor(file: string, line: number, sink: StatementSink) {
    this.#file = file;
    this.#line = line;
    this.#sink = sink;
  }

  unreadable(line: number, element: string, found: string, expected: string): void {
    this.#isRead = false;
    const { account, currency } = this;
    const place = { file: this.#file, line };
    this.#sink.unreadable({ account, currency, place, element, found, expected });
  }

  add(entry: RecordedEntry): void {
    const { line, record, amount, date, valueDate = '', isDebit } = entry;
    const { currency = this.currency } = entry;
    const details = recordedDetails(entry);
    const fault = faultIn({ ...entry, currency }, details);
    if (fault !== undefined || !amount) {
      this.unreadable(line, 'entry', record, fault ?? '');
      return;
    }
    const side = (isDebit ?? amount.digits < 0n) ? this.debits : this.credits;
    side.count += 1;
    side.sum += magnitude(exactly(amount));
    this.#hasOtherCurrencies ||= currency !== this.currency;
    const written = entryOf({
      account: this.account,
      currency,
      amount,
      date,
      valueDate,
      status: entry.isPending ? 'pending' : 'booked',
      isReversal: false,
      returnReason: entry.returnReason ?? '',
      bankReference: references([entry.bankReference ?? ''])[0] ?? '',
      details,
      parts: entry.parts,
      place: { file: this.#file, line },
    });
    this.entries.push(written);
  }

  /** A number that the bank states, against what was counted. */
  checkCount(line: number, element: string, found: string, own: number): void {
    if (!/^\d+$/.test(found) || Number(found) !== own) {
      this.unreadable(line, element, found, `${own}, as in the file`);
    }
  }

  /** A sum that the bank states in digits with so many decimals, against that of the records. */
  checkSum(line: number, element: string, found: string, decimals: number, own: bigint): void {
    const stated = impliedDecimal(found, decimals);
    if (stated && exactly(stated) === own) return;
    const sum = own / 10n ** BigInt(maxScale - decimals);
    this.unreadable(line, element, found, `${sum}, the sum of the records`);
  }

  end(source: StatementSource): void {
    const { account, currency, number, opening, closing, entries } = this;
    for (const balance of [opening, closing]) {
      if (!balance || (balance.amount && isDay(balance.date))) continue;
      const { line, record } = balance;
      this.unreadable(line, 'balance', record, 'a balance of digits, with its sign and day');
    }
    const place = { file: this.#file, line: this.#line };
    if (this.isVoid) return;
    if (account === '') this.unreadable(place.line, 'account', '', 'an account number');
    const dayOf = (balance: StatedBalance | undefined) =>
      balance && isDay(balance.date) ? balance.date : undefined;
    const days = this.days ?? daysBy(dayOf(opening), dayOf(closing), entries);
    const balances = { opening: opening?.amount, closing: closing?.amount };
    const flags = { hasOtherCurrencies: this.#hasOtherCurrencies, isRead: this.#isRead };
    const own = { source, account, currency, number, entries, undated: [], place };
    if (account !== '') this.#sink.statement({ ...own, ...days, ...balances, ...flags });
  }
}

function faultIn(
  { amount, date, valueDate = '', currency = '' }: RecordedEntry,
  { texts }: PaymentDetails,
): string | undefined {
  if (!amount) return 'an amount of digits, with its sign';
  if (!isDay(date)) return 'a booking date of the calendar';
  if (valueDate !== '' && !isValueDate(valueDate)) return 'a value date of the calendar';
  if (!/^[A-Z]{3}$/.test(currency)) return 'a currency code such as EUR';
  return texts.join('').length > longestText ? 'a text of at most 64 kB' : undefined;
}

const exactly = (amount: Decimal): bigint => atScale(amount, maxScale);

/** From the day after the opening balance, or the first booking if that is earlier. */
export function daysBy(
  opening: string | undefined,
  closing: string | undefined,
  { kinds }: EntryColumns,
) {
  const span = spanOf(kinds.map(({ date }) => date));
  const to = closing ?? span?.to ?? opening ?? '';
  const days = [to, opening === undefined ? to : addDays(opening, 1), span?.from ?? to];
  return { from: days.sort()[0] ?? to, to };
}
