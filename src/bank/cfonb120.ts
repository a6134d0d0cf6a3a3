import { type Decimal, signed } from '../money/decimal.ts';
import { ibanOf } from './iban.ts';
import {
  addText,
  impliedDecimal,
  type RecordedEntry,
  RecordedFile,
  type RecordedStatement,
  recordedEntry,
  recordReader,
  shortDayBackwards,
} from './records.ts';
import type { StatementFormat } from './written.ts';

/** CFONB 120 of French banks: records of 120 characters, the last digit of an amount is also its sign. */
export const cfonbFormat: StatementFormat = {
  matches: (beginning) =>
    /^\s*01[\dA-Z]{5}.{4}[\dA-Z]{5}(?:[A-Z]{3}\d|\s{4})[^,\n]{96}/.test(beginning),
  reader: (file, sink) => recordReader(new Cfonb(file, sink), 120),
};

class Cfonb extends RecordedFile {
  #header = '';
  #first = 0;
  /** Some banks leave them out in the records of balances. */
  #decimals = '';
  #last = 0;

  record(text: string, line: number): void {
    const type = text.slice(0, 2);
    const { statement } = this;
    this.#last = line;
    if (type === '01') this.#open(text, line);
    else if (!statement) this.refuse(line, text, 'a record 01 with the old balance');
    else if (ownerIn(text) !== ownerIn(this.#header)) {
      this.refuse(line, text, 'a record of the same account until its new balance');
    } else if (this.#hasOtherMoney(statement, text)) {
      this.refuse(line, text, 'a record in the currency of the statement');
    } else if (type === '04') this.#takeEntry(statement, text, line);
    else if (type === '05' && this.entry) addDetails(this.entry, text);
    else if (type === '07') {
      this.#learnMoney(statement, text);
      statement.closing = balanceIn(text, line, this.#amountIn(text));
      this.#finish();
    } else this.refuse(line, text, 'a record of CFONB 120 in its order');
  }

  end(): void {
    if (this.statement) this.refuse(this.#last, '', 'a record 07 with the new balance');
    this.#finish();
  }

  #open(text: string, line: number): void {
    if (this.statement) this.refuse(line, text, 'a record 07 with the new balance before it');
    this.#finish();
    const statement = this.openStatement(line);
    statement.account = frenchIban(text.slice(2, 7) + ownerIn(text));
    this.#header = text;
    this.#first = line;
    this.#decimals = '';
    this.#learnMoney(statement, text);
  }

  #learnMoney(statement: RecordedStatement, text: string): void {
    statement.currency ||= text.slice(16, 19).trim();
    this.#decimals ||= text.slice(19, 20).trim();
  }

  #hasOtherMoney({ currency }: RecordedStatement, text: string): boolean {
    const own = [currency, this.#decimals];
    const written = [text.slice(16, 19).trim(), text.slice(19, 20).trim()];
    return own.some(
      (one, at) => one !== '' && /^(?:[A-Z]{3}|\d)$/.test(written[at] ?? '') && written[at] !== one,
    );
  }

  #takeEntry(statement: RecordedStatement, text: string, line: number): void {
    this.finishEntry();
    this.#learnMoney(statement, text);
    const valueDate = text.slice(42, 48).trim();
    this.entry = recordedEntry({
      line,
      record: text,
      amount: this.#amountIn(text),
      date: shortDayBackwards(text.slice(34, 40)),
      valueDate: /^0*$/.test(valueDate) ? '' : shortDayBackwards(valueDate),
      currency: text.slice(16, 19).trim() || statement.currency,
      texts: [[text.slice(48, 79).trim()]],
    });
    this.entry.details.references.push(text.slice(104, 120), text.slice(81, 88));
  }

  #amountIn(text: string): Decimal | undefined {
    const decimals = text.slice(19, 20).trim() || this.#decimals;
    return /^\d$/.test(decimals) ? overpunched(text.slice(90, 104), Number(decimals)) : undefined;
  }

  #finish(): void {
    this.finishEntry();
    if (!this.statement) return;
    const opening = this.#amountIn(this.#header);
    this.statement.opening = balanceIn(this.#header, this.#first, opening);
    this.finishStatement('CFONB 120');
  }
}

const balanceIn = (text: string, line: number, amount: Decimal | undefined) => ({
  line,
  record: text,
  amount,
  date: shortDayBackwards(text.slice(34, 40)),
});

/** Branch and account. */
const ownerIn = (text: string) => text.slice(11, 16) + text.slice(21, 32);

/** Last digits with their sign: 0 to 9 and -0 to -9. French EBCDIC has letters for the braces. */
const lastDigits = ['{ABCDEFGHI', '}JKLMNOPQR', 'é', 'è'] as const;

function overpunched(written: string, decimals: number): Decimal | undefined {
  const index = lastDigits.findIndex((digits) => digits.includes(written.slice(-1)));
  const digit = lastDigits[index]?.indexOf(written.slice(-1));
  if (!/^\d{13}\D$/.test(written) || digit === undefined) return undefined;
  const amount = impliedDecimal(written.slice(0, 13) + digit, decimals);
  return amount && signed(amount, index % 2 === 1);
}

/** Further details, by their qualifier; what has no other place is text. */
function addDetails({ texts, details }: RecordedEntry, text: string): void {
  const [qualifier, said] = [text.slice(45, 48), text.slice(48, 118)];
  if (/^N(PY|BE|PO|BU)$/.test(qualifier)) addText(details.names, said);
  else if (/^C(PY|BE)$/.test(qualifier)) addText(details.accounts, said);
  else if (qualifier === 'LC2') addText(texts.at(-1) ?? [], said);
  else if (texts.length < 1_000) texts.push([said.trim()]);
  if (qualifier !== 'RCN' && qualifier !== 'REF') return;
  for (const reference of [said.slice(0, 35), said.slice(35)])
    addText(details.references, reference);
}

/** The IBAN of bank, branch and account, with the key that the file leaves out. */
function frenchIban(account: string): string {
  if (!/^[\dA-Z]{21}$/.test(account)) return account.trim();
  const digits = account.replace(/[A-Z]/g, (letter) => {
    const code = letter.charCodeAt(0) - 65;
    // Letters count from 1 to 9; the third row, from S on, begins with 2.
    return String(code < 18 ? (code % 9) + 1 : code - 16);
  });
  const key = 97n - ((BigInt(digits) * 100n) % 97n);
  return ibanOf('FR', account + String(key).padStart(2, '0'));
}
