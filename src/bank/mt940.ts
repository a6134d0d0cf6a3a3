import { addDays, isDay, spanOf } from '../base/calendar.ts';
import { append } from '../base/lists.ts';
import { accountNumber } from '../model/bank.ts';
import { signed } from './decimal.ts';
import { EntryColumns } from './entry-columns.ts';
import { mt940Details } from './mt940-details.ts';
import { commaDecimal, parseEntryLine, swiftDate } from './mt940-entry.ts';
import {
  entryOf,
  joinedDetails,
  longestText,
  oddlyDatedIn,
  type StatementSink,
  type TextReader,
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

/** A message of which not all was seen yet. */
type OpenMessage = ReturnType<typeof openMessage>;

function openMessage(file: string, sink: StatementSink) {
  const fields: Field[] = [];
  return {
    file,
    sink,
    fields,
    entries: new EntryColumns(),
    isRead: true,
    hasOtherCurrencies: false,
  };
}

/** From so many on, fields are not kept that are read. */
const mostFields = 1_000;

/** Reads MT940 and MT942: messages one after the other, with SWIFT's blocks around them or without. */
export function mt940Reader(file: string, sink: StatementSink): TextReader {
  let rest = '';
  let line = 0;
  let message = openMessage(file, sink);
  const finish = () => {
    if (message.fields.some(({ tag }) => tag !== '20')) readMessage(message);
    message = openMessage(file, sink);
  };
  const takeLine = (written: string) => {
    line++;
    const isHeader = /^\ufeff?\{[1-5]:/.test(written);
    const text = isHeader ? (/\{4:(.*)$/.exec(written)?.[1] ?? '') : written.replace(/^\ufeff/, '');
    const [start, tag = ''] = fieldTag.exec(text) ?? [];
    const isEnd = /^-(\}.*|\s*)$/.test(text);
    if (isHeader || isEnd || tag === '20') finish();
    const { fields } = message;
    const field = fields.at(-1);
    if (tag === '61' && fields.length > mostFields) takeEntries(message);
    if (start !== undefined) fields.push({ tag, line, text: text.slice(start.length) });
    else if (field && !isEnd && field.text.length <= longestText) field.text += `\n${text}`;
  };
  return {
    push: (text) => {
      // A line without an end is not searched again and again.
      if (!/[\r\n]/.test(text)) {
        if (rest.length <= longestText) rest += text;
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

/** Whose money a message is about, as far as its fields tell. */
function whoseIn(fields: readonly Field[]) {
  const of = (tag: RegExp) => fields.filter((field) => tag.test(field.tag));
  const currencies = [
    ...of(/^6[^1]/).map(({ text }) => parseBalance(text)?.currency),
    ...of(/^34F$/).map(({ text }) => /^\s*([A-Z]{3})/.exec(text)?.[1]),
  ];
  const currency = currencies.find((one) => one !== undefined) ?? '';
  return { currency, account: ownAccount(of(/^25/)[0]?.text ?? '', currency) };
}

function unreadable(message: OpenMessage, { tag, line, text: found }: Field, expected: string) {
  const { file, fields, sink } = message;
  message.isRead = false;
  const what = { element: `:${tag}:`, found, expected };
  sink.unreadable({ ...whoseIn(fields), place: { file, line }, ...what });
}

/** Takes the entries of a message out of its fields, if it is known in which currency they are. */
function takeEntries(message: OpenMessage): void {
  const { file, fields, entries } = message;
  const whose = whoseIn(fields);
  const { currency } = whose;
  if (currency === '') return;
  const all = fields.splice(0);
  append(
    fields,
    all.filter(({ tag }) => tag !== '61' && tag !== '86'),
  );
  for (const { field, text } of entriesIn(all)) {
    const parsed = parseEntryLine(field.text);
    if (text.length > longestText || field.text.length > longestText)
      unreadable(message, field, 'a text of at most 64 kB');
    else if (parsed) {
      const { unit, ...line } = parsed;
      message.hasOtherCurrencies ||= !currency.endsWith(unit);
      const said = mt940Details(text);
      entries.push(
        entryOf({
          ...{ ...line, ...whose, parts: [], place: { file, line: field.line } },
          returnReason: line.returnReason || said.returnReason,
          details: joinedDetails([said.details, line.details]),
        }),
      );
    } else unreadable(message, field, entryExample);
  }
}

const entryExample = 'an entry such as 2603050305C1234,56NTRFREFERENCE';

function readMessage(message: OpenMessage): void {
  const { file, sink, fields, entries } = message;
  const of = (tag: RegExp) => fields.filter((field) => tag.test(field.tag));
  const whose = whoseIn(fields);
  const { currency } = whose;
  const [first = { tag: '', line: 1, text: '' }] = fields;
  const isReport = of(/^6[02]/).length === 0;
  const balance = (tag: '60F' | '62F', field: Field | undefined) => {
    if (isReport) return undefined;
    const read = field && parseBalance(field.text);
    const missing = { ...first, tag, text: '' };
    if (!read) unreadable(message, field ?? missing, 'a balance such as C260305EUR1234,56');
    const isOther = read !== undefined && read.currency !== currency;
    message.hasOtherCurrencies ||= isOther;
    return read && { date: read.date, amount: isOther ? undefined : read.amount };
  };
  const opening = balance('60F', of(/^60/)[0]);
  const closing = balance('62F', of(/^62/).at(-1));
  takeEntries(message);
  for (const field of of(/^61$/)) unreadable(message, field, entryExample);
  if (isReport && entries.length === 0) return;
  sink.statement({
    ...{ source: isReport ? 'MT942' : 'MT940', ...whose },
    number: of(/^28/)[0]?.text.trim() ?? '',
    ...daysOf(opening?.date, closing?.date, entries),
    ...{ opening: opening?.amount, closing: closing?.amount, entries, isRead: message.isRead },
    ...{ undated: [], oddlyDated: oddlyDatedIn(entries) },
    hasOtherCurrencies: message.hasOtherCurrencies,
    place: { file, line: first.line },
  });
}

/**
 * From the day after that of the opening balance, which is often that of the closing one before, or the
 * first on which something is booked.
 */
function daysOf(opening: string | undefined, closing: string | undefined, { kinds }: EntryColumns) {
  const span = spanOf(kinds.map(({ date }) => date));
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
