import { addDays, isDay, spanOf } from '../base/calendar.ts';
import { accountNumber } from '../model/bank.ts';
import { signed } from './decimal.ts';
import { mt940Details } from './mt940-details.ts';
import { commaDecimal, parseEntryLine, swiftDate } from './mt940-entry.ts';
import {
  entryOf,
  isOddlyDated,
  joinedDetails,
  type StatementSink,
  type TextReader,
  type WrittenEntry,
} from './written.ts';

/** Only these begin a field: texts are cut anywhere, before a colon too. */
const fieldTag = /^:(20|21|25P?|28C?|13D?|34F|60[FM]|61|62[FM]|64|65|86|90[CD]|NS):/;

/** Whether a file that begins with this text is MT940 or MT942. */
export function isMt940(beginning: string): boolean {
  return /(^|[\r\n]|\{4:)[\s\ufeff]*:(20|25P?):/.test(beginning);
}

/** A field, with its lines. */
interface Field {
  readonly tag: string;
  readonly line: number;
  text: string;
}

/** Reads MT940 and MT942: messages one after the other, with SWIFT's blocks around them or without. */
export function mt940Reader(file: string, sink: StatementSink): TextReader {
  let rest = '';
  let line = 0;
  let fields: Field[] = [];
  const finish = () => {
    if (fields.some(({ tag }) => tag !== '20')) readMessage(fields, file, sink);
    fields = [];
  };
  const takeLine = (written: string) => {
    line++;
    const isHeader = /^\ufeff?\{[1-5]:/.test(written);
    const text = isHeader ? (/\{4:(.*)$/.exec(written)?.[1] ?? '') : written.replace(/^\ufeff/, '');
    const [start, tag = ''] = fieldTag.exec(text) ?? [];
    const isEnd = /^-(\}.*|\s*)$/.test(text);
    if (isHeader || isEnd || tag === '20') finish();
    const field = fields.at(-1);
    if (start !== undefined) fields.push({ tag, line, text: text.slice(start.length) });
    else if (field && !isEnd) field.text += `\n${text}`;
  };
  return {
    push: (text) => {
      // A line without an end is not searched again and again.
      if (!/[\r\n]/.test(text)) {
        rest += text;
        return;
      }
      const lines = (rest + text).split(/\r\n|\n|\r(?!$)/);
      rest = lines.pop() ?? '';
      for (const one of lines) takeLine(one);
    },
    end: () => {
      takeLine(rest.replace(/\r$/, ''));
      finish();
    },
  };
}

/** A balance: `C260305EUR1234,56`. */
function parseBalance(text: string) {
  const [, mark, day = '', currency = '', digits = ''] =
    /^\s*([CD])(\d{6})([A-Z]{3})\s*([\d,]+)\s*$/.exec(text) ?? [];
  const [amount, date] = [commaDecimal(digits), swiftDate(day)];
  return amount && isDay(date)
    ? { date, currency, amount: signed(amount, mark === 'D') }
    : undefined;
}

/** An entry of which the text may still follow. */
interface OpenEntry {
  readonly field: Field;
  text: string;
}

/** The entries of a message, each with the texts (`:86:`) that follow it. */
function entriesIn(fields: readonly Field[]): readonly OpenEntry[] {
  const entries: OpenEntry[] = [];
  let last: OpenEntry | undefined;
  for (const field of fields) {
    if (field.tag === '86' && last) last.text += `${last.text && '\n'}${field.text}`;
    if (field.tag === '86') continue;
    last = field.tag === '61' ? { field, text: '' } : undefined;
    if (last) entries.push(last);
  }
  return entries;
}

function readMessage(fields: readonly Field[], file: string, sink: StatementSink): void {
  const of = (tag: RegExp) => fields.filter((field) => tag.test(field.tag));
  const currencies = [
    ...of(/^6/).map(({ text }) => parseBalance(text)?.currency),
    ...of(/^34F$/).map(({ text }) => /^\s*([A-Z]{3})/.exec(text)?.[1]),
  ];
  const currency = currencies.find((one) => one !== undefined) ?? '';
  const account = ownAccount(of(/^25/)[0]?.text ?? '', currency);
  const [first = { tag: '', line: 1, text: '' }] = fields;
  let isRead = true;
  let hasOtherCurrencies = false;
  const unreadable = ({ tag, line, text }: Field, expected: string) => {
    isRead = false;
    const place = { file, line };
    sink.unreadable({ account, currency, place, element: `:${tag}:`, found: text, expected });
  };
  const isReport = of(/^6[02]/).length === 0;
  const balance = (tag: '60F' | '62F', field: Field | undefined) => {
    if (isReport) return undefined;
    const read = field && parseBalance(field.text);
    const missing = { ...first, tag, text: '' };
    if (!read) unreadable(field ?? missing, 'a balance such as C260305EUR1234,56');
    const isOther = read !== undefined && read.currency !== currency;
    hasOtherCurrencies ||= isOther;
    return read && { date: read.date, amount: isOther ? undefined : read.amount };
  };
  const opening = balance('60F', of(/^60/)[0]);
  const closing = balance('62F', of(/^62/).at(-1));
  const entries = entriesIn(fields).flatMap(({ field, text }) => {
    const parsed = currency === '' ? undefined : parseEntryLine(field.text);
    if (parsed) {
      const { unit, ...line } = parsed;
      hasOtherCurrencies ||= !currency.endsWith(unit);
      const said = mt940Details(text);
      return entryOf({
        ...{ ...line, account, currency, parts: [], place: { file, line: field.line } },
        returnReason: line.returnReason || said.returnReason,
        details: joinedDetails([said.details, line.details]),
      });
    }
    unreadable(field, 'an entry such as 2603050305C1234,56NTRFREFERENCE');
    return [];
  });
  if (isReport && entries.length === 0) return;
  sink.statement({
    ...{ source: isReport ? 'MT942' : 'MT940', account, currency },
    number: of(/^28/)[0]?.text.trim() ?? '',
    ...daysOf(opening?.date, closing?.date, entries),
    ...{ opening: opening?.amount, closing: closing?.amount, entries, isRead },
    ...{ undated: [], oddlyDated: entries.filter(isOddlyDated), hasOtherCurrencies },
    place: { file, line: first.line },
  });
}

/**
 * From the day after that of the opening balance, which is often that of the closing one before, or the
 * first on which something is booked.
 */
function daysOf(
  opening: string | undefined,
  closing: string | undefined,
  entries: readonly WrittenEntry[],
) {
  const span = spanOf(entries.map(({ date }) => date));
  const to = closing ?? span?.to ?? opening ?? '';
  const days = [to, opening === undefined ? to : addDays(opening, 1), span?.from ?? to];
  return { from: days.sort()[0] ?? to, to };
}

/** An account without the currency that some banks write after the IBAN. */
function ownAccount(text: string, currency: string): string {
  const [written = ''] = text.split('\n');
  const account = accountNumber(written).replace(/^\/+/, '');
  const shorter = account.slice(0, -currency.length);
  const hasCurrency = currency !== '' && account.endsWith(currency) && isIban(shorter);
  return hasCurrency && !isIban(account) ? shorter : account;
}

/** By its check digits, ISO 13616. */
function isIban(text: string): boolean {
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{8,30}$/.test(text)) return false;
  const digits = (text.slice(4) + text.slice(0, 4)).replace(/[A-Z]/g, (letter) =>
    String(letter.charCodeAt(0) - 55),
  );
  return BigInt(digits) % 97n === 1n;
}
