import { isDay } from '../base/calendar.ts';
import { append } from '../base/lists.ts';
import { type Decimal, signed } from '../money/decimal.ts';
import { ibanOf } from './iban.ts';
import {
  addText,
  impliedDecimal,
  RecordedFile,
  type RecordedStatement,
  recordedEntry,
  recordReader,
  shortDay,
} from './records.ts';
import type { StatementFormat } from './written.ts';

/** Norma 43 of Spanish banks: records of 80 characters, amounts with two decimals. */
export const norma43Format: StatementFormat = {
  matches: (beginning) => /^\s*(?:00\d{4}[^\n]*\n\s*)?11\d{18}\d{12}/.test(beginning),
  reader: (file, sink) => recordReader(new Norma43(file, sink), 80),
};

/** Currencies by their numbers in ISO 4217. */
const currencies: ReadonlyMap<string, string> = new Map(
  (
    'AED784 ARS032 AUD036 BRL986 CAD124 CHF756 CLP152 CNY156 COP170 CZK203 DKK208 EUR978 GBP826 ' +
    'HKD344 HUF348 ILS376 INR356 JPY392 MAD504 MXN484 NOK578 NZD554 PEN604 PLN985 RON946 SEK752 ' +
    'SGD702 TRY949 USD840 UYU858 ZAR710'
  )
    .split(' ')
    .map((one) => [one.slice(3), one.slice(0, 3)]),
);

class Norma43 extends RecordedFile {
  #header = '';
  #records = 0;
  #last = 0;
  #isEnded = false;

  record(text: string, line: number): void {
    const type = text.slice(0, 2);
    const [statement, entry] = [this.statement, this.entry];
    this.#last = line;
    if (type !== '88' && type !== '00') this.#records += 1;
    if (type === '11') this.#open(text, line);
    else if (type === '22' && statement) this.#takeEntry(text, line);
    else if (type === '23' && entry) {
      for (const start of [4, 42]) addText(entry.texts[0] ?? [], text.slice(start, start + 38));
    } else if (type === '33' && statement) this.#close(statement, text, line);
    else if (type === '88' && !statement) this.#endFile(text, line);
    // 24 has the amount in another currency, for information.
    else if (type !== '00' && !(type === '24' && entry))
      this.refuse(line, text, 'a record of Norma 43 in its order');
  }

  end(): void {
    this.#requireEnd(this.#last);
    if (!this.#isEnded) this.refuse(this.#last, '', 'a record 88 at the end of the file');
  }

  #requireEnd(line: number): void {
    if (this.statement) this.refuse(line, '', 'a record 33 at the end of the account');
    this.finishStatement('Norma 43');
  }

  #open(text: string, line: number): void {
    this.#requireEnd(line);
    const statement = this.openStatement(line);
    this.#header = text;
    this.#isEnded = false;
    statement.account = spanishIban(text.slice(2, 20));
    statement.currency = currencies.get(text.slice(47, 50)) ?? '';
    if (statement.currency === '') this.refuse(line, text, 'a currency number such as 978');
    const [from, to] = [shortDay(text.slice(20, 26)), shortDay(text.slice(26, 32))];
    const areDays = isDay(from) && isDay(to) && from <= to;
    statement.days = areDays ? { from, to } : { from: '', to: '' };
    statement.opening = {
      line,
      record: text,
      amount: amountAt(text, 32),
      date: areDays ? from : '',
    };
  }

  #takeEntry(text: string, line: number): void {
    this.finishEntry();
    this.entry = recordedEntry({
      line,
      record: text,
      amount: amountAt(text, 27),
      isDebit: text[27] === '1',
      date: shortDay(text.slice(10, 16)),
      valueDate: shortDay(text.slice(16, 22).trim()),
    });
    const references = [text.slice(42, 52), text.slice(52, 64), text.slice(64, 80)];
    append(this.entry.details.references, references);
  }

  #close(statement: RecordedStatement, text: string, line: number): void {
    this.finishEntry();
    const same = [text.slice(2, 20), text.slice(73, 76)];
    if (same.join() !== [this.#header.slice(2, 20), this.#header.slice(47, 50)].join()) {
      this.refuse(line, text, 'the account and the currency of record 11');
    }
    for (const [start, name] of [
      [20, 'debits'],
      [39, 'credits'],
    ] as const) {
      const { count, sum } = statement[name];
      const [number, total] = [text.slice(start, start + 5), text.slice(start + 5, start + 19)];
      statement.checkCount(line, `number of ${name}`, number, count);
      statement.checkSum(line, name, total, 2, sum);
    }
    statement.closing = {
      line,
      record: text,
      amount: amountAt(text, 58),
      date: statement.days?.to ?? '',
    };
    this.finishStatement('Norma 43');
  }

  #endFile(text: string, line: number): void {
    this.#isEnded = true;
    const [stated, own] = [text.slice(20, 26), this.#records];
    this.#records = 0;
    // Some banks count the last record too.
    if (Number(stated) === own || Number(stated) === own + 1) return;
    this.refuse(line, stated, `${own} records, as in the file`);
  }
}

/** Fourteen digits after 1 for debit or 2 for credit. */
function amountAt(text: string, start: number): Decimal | undefined {
  const amount = impliedDecimal(text.slice(start + 1, start + 15), 2);
  const isWhole = /^[12]\d{14}$/.test(text.slice(start, start + 15));
  return isWhole ? amount && signed(amount, text[start] === '1') : undefined;
}

/** Bank, branch and account; the file leaves out the two check digits between them. */
function spanishIban(digits: string): string {
  if (!/^\d{18}$/.test(digits)) return '';
  const check = (part: string) => {
    const weights = [1, 2, 4, 8, 5, 10, 9, 7, 3, 6];
    const rest = weights.reduce((sum, weight, at) => sum + weight * Number(part[at]), 0) % 11;
    return rest < 2 ? rest : 11 - rest;
  };
  const [bank, account] = [digits.slice(0, 8), digits.slice(8)];
  return ibanOf('ES', `${bank}${check(`00${bank}`)}${check(account)}${account}`);
}
