import { append } from '../base/lists.ts';
import { accountNumber } from '../model/bank.ts';
import { type Decimal, signed } from '../money/decimal.ts';
import {
  addText,
  impliedDecimal,
  type RecordedEntry,
  RecordedFile,
  type RecordedStatement,
  recordedDetails,
  recordedEntry,
  recordReader,
  shortDayBackwards,
} from './records.ts';
import type { StatementFormat } from './written.ts';

/** CODA 2 of Belgian banks: records of 128 characters, amounts with three decimals. */
export const codaFormat: StatementFormat = {
  matches: (beginning) => /^\s*0{5}\d{9}05/.test(beginning),
  reader: (file, sink) => recordReader(new Coda(file, sink), 128),
};

class Coda extends RecordedFile {
  #isOpen = false;
  /** Whether the records have the places of another version. */
  #isOther = false;
  /** The account as record 1 has it. */
  #account = '';
  /** What is being read: the entry or a detail of it. */
  #movement: RecordedEntry | undefined;
  #records = 0;
  #last = 0;

  record(text: string, line: number): void {
    const type = /^[23]/.test(text) ? text.slice(0, 2) : text.slice(0, 1);
    const { statement } = this;
    const isOpen = statement && !statement.closing;
    this.#last = line;
    if (this.#isOther && type !== '0') return;
    if (type === '0') this.#openFile(text, line);
    else if (/^[1238]/.test(type)) this.#records += 1;
    if (type === '1' && this.#isOpen && !statement) this.#open(text, line);
    else if (type === '21' && isOpen) this.#takeMovement(statement, text, line);
    else if (/^(2[23]|3[123])$/.test(type) && isOpen && this.#goesOn(text)) {
      addDetails(this.#movement, type, text);
    } else if (type === '8' && isOpen) this.#close(statement, text, line);
    else if (type === '9' && this.#isOpen) this.#endFile(text, line);
    // 4 has messages of the bank to its customers.
    else if (type !== '0' && type !== '4') this.refuse(line, text, 'a record of CODA in its order');
  }

  end(): void {
    if (this.#isOpen) this.refuse(this.#last, '', 'a record 9 at the end');
    this.#finish();
  }

  #openFile(text: string, line: number): void {
    if (this.#isOpen) this.refuse(line, text, 'a record 9 before it');
    this.#finish();
    this.#records = 0;
    this.#isOther = text[127] !== '2';
    this.#isOpen = !this.#isOther;
    if (this.#isOther) this.refuse(line, text, 'version 2 of CODA');
  }

  #open(text: string, line: number): void {
    const statement = this.openStatement(line);
    this.#account = text.slice(5, 42);
    // Without an IBAN, twelve digits and a blank precede the currency.
    const isShort = text[1] === '0';
    statement.account = accountNumber(text.slice(5, isShort ? 17 : 39));
    statement.currency = isShort ? text.slice(18, 21) : text.slice(39, 42);
    statement.number = text.slice(2, 5).trim();
    statement.opening = balanceAt(text, line, 42);
  }

  #goesOn(text: string): boolean {
    return this.entry !== undefined && text.slice(2, 6) === this.entry.record.slice(2, 6);
  }

  #takeMovement(statement: RecordedStatement, text: string, line: number): void {
    const isDetail = text.slice(6, 10) !== '0000';
    if (isDetail && !this.#goesOn(text)) {
      this.refuse(line, text, 'an entry before its detail');
      return;
    }
    this.#finishDetail(statement);
    if (!isDetail) this.#finishWhole(statement);
    const message = text.slice(62, 115);
    const valueDate = text.slice(47, 53);
    this.#movement = recordedEntry({
      line,
      record: text,
      amount: amountAt(text, 31),
      date: shortDayBackwards(text.slice(115, 121)),
      valueDate: /^0*$/.test(valueDate.trim()) ? '' : shortDayBackwards(valueDate),
      bankReference: text.slice(10, 31),
      texts: [[message.trimEnd()], []],
    });
    // In structured messages, 100 to 103 are references.
    const isReference = text[61] === '1' && /^10[0-3]/.test(message);
    if (isReference) this.#movement.details.references.push(message.slice(3));
    if (!isDetail) this.entry = this.#movement;
  }

  /** Details never count as money, because the entry has it all. */
  #finishDetail(statement: RecordedStatement): void {
    const [entry, detail] = [this.entry, this.#movement];
    this.#movement = entry;
    if (!entry || !detail || detail === entry) return;
    const { amount, line, record } = detail;
    if (!amount) statement.unreadable(line, 'record 21', record, 'an amount of digits');
    // Of what the customer or the bank has added up; others divide a payment and its charges.
    else if (/[567]/.test(record[53] ?? ''))
      entry.parts.push({ ...recordedDetails(detail), amount });
    else append(entry.texts, detail.texts);
  }

  #finishWhole(statement: RecordedStatement): void {
    this.#finishDetail(statement);
    this.finishEntry();
    this.#movement = undefined;
  }

  #close(statement: RecordedStatement, text: string, line: number): void {
    this.#finishWhole(statement);
    const isSame = text.slice(4, 41) === this.#account && text.slice(1, 4) === statement.number;
    if (!isSame) statement.unreadable(line, 'record 8', text, 'the account and number of record 1');
    statement.closing = balanceAt(text, line, 41);
  }

  #endFile(text: string, line: number): void {
    const statement = this.statement;
    if (statement) {
      this.#finishWhole(statement);
      if (!statement.closing) this.refuse(line, text, 'a record 8 before it');
      statement.checkCount(line, 'number of records', text.slice(16, 22), this.#records);
      for (const [start, name] of [
        [22, 'debits'],
        [37, 'credits'],
      ] as const) {
        const total = text.slice(start, start + 15);
        statement.checkSum(line, name, total, 3, statement[name].sum);
      }
    }
    this.#finish();
  }

  #finish(): void {
    if (this.statement) this.#finishWhole(this.statement);
    this.finishStatement('CODA');
    this.#isOpen = false;
  }
}

/** Fifteen digits after 0 for credit or 1 for debit. */
function amountAt(text: string, start: number): Decimal | undefined {
  const [sign, digits] = [text[start] ?? '', text.slice(start + 1, start + 16)];
  const amount =
    /^[01]$/.test(sign) && digits.length === 15 ? impliedDecimal(digits, 3) : undefined;
  return amount && signed(amount, sign === '1');
}

const balanceAt = (text: string, line: number, start: number) => ({
  line,
  record: text,
  amount: amountAt(text, start),
  date: shortDayBackwards(text.slice(start + 16, start + 22)),
});

/** Where the text of a record begins and ends. */
const textPlaces: Readonly<Record<string, readonly [start: number, end: number]>> = {
  22: [10, 63],
  23: [82, 125],
  31: [40, 113],
  32: [10, 115],
  33: [10, 100],
};

function addDetails(movement: RecordedEntry | undefined, type: string, text: string): void {
  if (!movement) return;
  const { details, texts } = movement;
  // The message, and the information on it, which may begin with its type.
  const [start = 0, end] = textPlaces[type] ?? [];
  const isTyped = type === '31' && text[39] === '1';
  addText(texts[type < '30' ? 0 : 1] ?? [], text.slice(isTyped ? start + 3 : start, end));
  if (type === '22') {
    addText(details.references, text.slice(63, 98));
    movement.returnReason = text.slice(113, 117).trim();
  } else if (type === '23') {
    // The currency of the account follows it.
    addText(details.accounts, text.slice(10, 44));
    addText(details.names, text.slice(47, 82));
  }
}
