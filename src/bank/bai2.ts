import { isDay } from '../base/calendar.ts';
import { longestRecord } from '../base/text-reader.ts';
import { accountNumber } from '../model/bank.ts';
import { type Decimal, signed } from '../money/decimal.ts';
import { minorUnitsOf } from '../money/minor-units.ts';
import { impliedDecimal, RecordedFile, recordedEntry, recordReader, shortDay } from './records.ts';
import type { StatementFormat } from './written.ts';

/** BAI2 of banks in the United States: fields between commas, amounts with the decimals of the currency. */
export const bai2Format: StatementFormat = {
  matches: (beginning) => /^\s*01,[^,\n]*,[^,\n]*,\d{6},/.test(beginning),
  reader: (file, sink) => recordReader(new Bai2(file, sink)),
};

/** What is counted in the file, in a group and in an account, to compare with their last records. */
interface Totals {
  sum: bigint;
  parts: number;
  records: number;
}

type Level = 'file' | 'group' | 'account';

class Bai2 extends RecordedFile {
  /** A record with its continuations, and the number of their lines. */
  #written = '';
  #line = 0;
  #lines = 0;
  #isInField = false;
  /** The levels that are open. */
  readonly #open = new Map<Level, Totals>();
  #version = '';
  #group: readonly string[] = [];
  #decimals: number | undefined;
  /** Whether the group has what is known so far of a day. */
  #isInterim = false;
  /** The sums of credits (100) and debits (400) that the bank states for the account. */
  #stated: { type: string; digits: string; count: string }[] = [];

  record(written: string, line: number): void {
    const text = written.trimEnd();
    const isMore = text.startsWith('88,') && this.#written !== '';
    if (!isMore) {
      this.#take();
      this.#line = line;
    }
    this.#lines += 1;
    // A record without a slash goes on within its last field.
    if (isMore) this.#written += this.#isInField ? '\n' : ',\n';
    if (this.#written.length < longestRecord) {
      this.#written += text.slice(isMore ? 3 : 0).replace(/\/$/, '');
    }
    this.#isInField = !text.endsWith('/');
  }

  end(): void {
    this.#take();
    this.#close('file');
  }

  #take(): void {
    const [written, line] = [this.#written, this.#line];
    if (written === '') return;
    const fields = written.split(',').map((field) => field.replaceAll('\n', '').trim());
    const [type = ''] = fields;
    for (const totals of this.#open.values()) totals.records += this.#lines;
    this.#written = '';
    if (type === '01') this.#enter('file', fields, written);
    else if (type === '02' && this.#open.has('file')) this.#enter('group', fields, written);
    else if (type === '03' && this.#open.has('group')) this.#enter('account', fields, written);
    else if (type === '16' && this.statement) this.#takeEntry(fields, written);
    else if (type === '49' && this.statement) this.#leave('account', fields);
    else if (type === '98' && this.#open.has('group')) this.#leave('group', fields);
    else if (type === '99' && this.#open.has('file')) this.#leave('file', fields);
    else this.refuse(line, written, 'a record of BAI2 in its order');
    this.#lines = 0;
  }

  #enter(level: Level, fields: readonly string[], written: string): void {
    this.#close(level);
    this.#open.set(level, { sum: 0n, parts: 0, records: this.#lines });
    if (level === 'file') this.#version = fields[8] ?? '';
    if (level === 'file' && this.#version !== '2')
      this.refuse(this.#line, written, 'version 2 of BAI');
    if (level === 'group') this.#group = fields;
    if (level === 'account') this.#openAccount(fields, written);
  }

  /** Closes a level, and those in it that have no last record. */
  #close(level: Level): void {
    for (const [inner, last] of levels) {
      const isOpen = this.#open.delete(inner);
      if (isOpen) this.refuse(this.#line, '', `a record ${last} at the end of the ${inner}`);
      if (inner === 'account') this.finishStatement('BAI2');
      if (inner === level) return;
    }
  }

  #leave(level: Level, fields: readonly string[]): void {
    const [own, line] = [this.#open.get(level), this.#line];
    if (!own) return;
    this.#open.delete(level);
    const check = (name: string, stated: string | undefined, counted: bigint | number) => {
      const isGiven = stated !== undefined && stated !== '';
      if (isGiven && wholeNumber(stated) !== BigInt(counted)) {
        this.refuse(line, stated, `a ${name} of ${counted}, as in the ${level}`);
      }
    };
    const isAccount = level === 'account';
    for (const { type, digits, count } of isAccount ? this.#stated : []) {
      const side = this.statement?.[type === '100' ? 'credits' : 'debits'];
      this.statement?.checkSum(line, type, digits, this.#decimals ?? 0, side?.sum ?? 0n);
      if (count !== '')
        this.statement?.checkCount(line, `number of ${type}`, count, side?.count ?? 0);
    }
    check('total', fields[1], own.sum);
    if (!isAccount) check('number of parts', fields[2], own.parts);
    check('number of records', fields[isAccount ? 2 : 3], own.records);
    const [around] = [...this.#open.values()].slice(-1);
    if (around) {
      around.sum += own.sum;
      around.parts += 1;
    }
    if (isAccount) this.finishStatement('BAI2');
    else this.#close(level);
  }

  /** Adds an amount as it is written to the sum of the account. */
  #count(digits: string): void {
    const account = this.#open.get('account');
    if (account) account.sum += wholeNumber(digits) ?? 0n;
  }

  #amountIn(digits: string): Decimal | undefined {
    const amount = impliedDecimal(digits.replace(/^[+-]/, ''), this.#decimals ?? 0);
    return this.#decimals === undefined
      ? undefined
      : amount && signed(amount, digits.startsWith('-'));
  }

  #openAccount(fields: readonly string[], record: string): void {
    const [, , , status, asOf = '', , usual, modifier = ''] = this.#group;
    const [line, statement, day] = [this.#line, this.openStatement(this.#line), shortDay(asOf)];
    statement.account = accountNumber(fields[1] ?? '');
    statement.currency = fields[2] || usual || 'USD';
    this.#decimals = minorUnitsOf(statement.currency);
    this.#isInterim = modifier === '1' || modifier === '3';
    if (this.#decimals === undefined) this.refuse(line, record, 'a currency of ISO 4217');
    if (status !== '1') this.refuse(line, this.#group.join(), 'a group of status 1');
    // Others delete, correct or test what is in them.
    statement.isVoid = status !== '1' || this.#version !== '2';
    if (!isDay(day)) this.refuse(line, this.#group.join(), 'an as-of date');
    // What is reported during the day is not the whole day.
    statement.days = this.#isInterim || !isDay(day) ? { from: '', to: '' } : { from: day, to: day };
    this.#stated = [];
    let at = 3;
    while (at < fields.length) {
      const [type = '', digits = '', count = ''] = fields.slice(at, at + 3);
      // Some banks end each line with one comma more.
      at = type === '' ? at + 1 : afterFunds(fields, at + 3);
      if (type === '') continue;
      const amount = this.#amountIn(digits);
      if (!/^\d{3}$/.test(type) || (digits !== '' && !amount)) {
        this.refuse(
          line,
          record,
          `a type of three digits and its amount instead of ${type},${digits}`,
        );
      }
      this.#count(digits);
      const balance = { line, record, amount, date: day };
      if (type === '010' && amount && !this.#isInterim) statement.opening = balance;
      if (type === '015' && amount && !this.#isInterim) statement.closing = balance;
      if (/^[14]00$/.test(type) && amount) {
        this.#stated.push({ type, digits: digits.replace(/^\+/, ''), count });
      }
    }
    if (Number.isNaN(at)) this.refuse(line, record, 'the number of sums by days');
  }

  #takeEntry(fields: readonly string[], record: string): void {
    const [, type = '', digits = '', funds, valueDate = ''] = fields;
    const code = Number(type);
    const isCredit = (code >= 100 && code < 400) || (code >= 920 && code < 960);
    const isDebit = (code >= 400 && code < 700) || code >= 960;
    const at = afterFunds(fields, 3);
    if (Number.isNaN(at)) this.refuse(this.#line, record, 'the number of sums by days');
    const text = record
      .split(',')
      .slice(at + 2)
      .join(',')
      .replaceAll(',\n', '\n');
    this.#count(digits);
    // 890 has a message without money.
    if (code === 890 && /^0*$/.test(digits)) return;
    const amount =
      /^\d{3}$/.test(type) && isCredit !== isDebit ? this.#amountIn(digits) : undefined;
    const isSigned = digits.startsWith('-');
    this.finishEntry();
    this.entry = recordedEntry({
      line: this.#line,
      record,
      amount: amount && !isSigned ? signed(amount, isDebit) : undefined,
      date: shortDay(this.#group[4] ?? ''),
      valueDate: funds === 'V' ? shortDay(valueDate) : '',
      isPending: this.#isInterim,
      bankReference: fields[at] ?? '',
      texts: [text.split('\n').map((line) => line.trimEnd())],
    });
    this.entry.details.references.push(fields[at + 1] ?? '');
    this.finishEntry();
  }
}

/** Levels from the inner one, with their last records. */
const levels = [
  ['account', '49'],
  ['group', '98'],
  ['file', '99'],
] as const;

const wholeNumber = (text: string) =>
  /^[+-]?\d+$/.test(text) ? BigInt(text.replace('+', '')) : undefined;

/** The field after the kind of funds at `at` and what belongs to it: parts, a value date, or sums by days. */
function afterFunds(fields: readonly string[], at: number): number {
  const kind = fields[at];
  if (kind === 'S') return at + 4;
  if (kind === 'V') return at + 3;
  return kind === 'D' ? at + 2 + 2 * Number(fields[at + 1] ?? 0) : at + 1;
}
