import { addDays, spanOf } from '../base/calendar.ts';
import { append } from '../base/lists.ts';
import { longestText, type TextReader } from '../base/text-reader.ts';
import { accountNumber } from '../model/bank.ts';
import { EntryColumns } from './entry-columns.ts';
import { mt940Balance, mt940Entry } from './mt940-entry.ts';
import type { StatementFormat, StatementSink } from './written.ts';

/** Only these start a field: texts are split anywhere, even before a colon. */
const fieldTag = /^:(20|21|25P?|28C?|13D?|34F|60[FM]|61|62[FM]|64|65|86|90[CD]|NS):/;

/** MT940 and MT942: messages one after the other, with SWIFT's blocks around them or without. */
export const mt940Format: StatementFormat = {
  matches: (beginning) => /(^|[\r\n]|\{4:)[\s\ufeff]*:(20|25P?):/.test(beginning),
  reader: mt940Reader,
};

interface Field {
  readonly tag: string;
  readonly line: number;
  text: string;
}

/** A message that may continue. */
type OpenMessage = ReturnType<typeof openMessage>;

function openMessage(file: string, sink: StatementSink) {
  return {
    file,
    sink,
    fields: [] as Field[],
    entries: new EntryColumns(),
    isRead: true,
    hasOtherCurrencies: false,
  };
}

/** Beyond this number, the fields of entries are read and dropped. */
const maxFields = 1_000;

function mt940Reader(file: string, sink: StatementSink): TextReader {
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
    if (tag === '61' && fields.length > maxFields) takeEntries(message);
    if (start !== undefined) fields.push({ tag, line, text: text.slice(start.length) });
    else if (field && !isEnd && field.text.length <= longestText) field.text += `\n${text}`;
  };
  return {
    push: (text) => {
      // A long line without an end is not searched repeatedly.
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

/** An entry line, and the texts that follow it. */
interface OpenEntry {
  readonly field: Field;
  text: string;
}

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

/** The account and currency of a message; empty texts if its fields do not name them. */
function whoseIn(fields: readonly Field[]) {
  const of = (tag: RegExp) => fields.filter((field) => tag.test(field.tag));
  const currencies = [
    ...of(/^6[^1]/).map(({ text }) => mt940Balance(text)?.currency),
    ...of(/^34F$/).map(({ text }) => /^\s*([A-Z]{3})/.exec(text)?.[1]),
  ];
  const currency = currencies.find((one) => one !== undefined) ?? '';
  return { currency, account: ownAccount(of(/^25/)[0]?.text ?? '', currency) };
}

function unreadable(message: OpenMessage, { tag, line, text: found }: Field, expected: string) {
  const { file, fields, sink } = message;
  message.isRead = false;
  const whose = whoseIn(fields);
  sink.unreadable({ ...whose, place: { file, line }, element: `:${tag}:`, found, expected });
}

/** Moves the entries of a message out of its fields, if their currency is known. */
function takeEntries(message: OpenMessage): void {
  const { file, fields, entries } = message;
  const { account, currency } = whoseIn(fields);
  if (currency === '') return;
  const all = fields.splice(0);
  append(
    fields,
    all.filter(({ tag }) => tag !== '61' && tag !== '86'),
  );
  for (const { field, text } of entriesIn(all)) {
    if (text.length > longestText || field.text.length > longestText) {
      unreadable(message, field, 'a text of at most 64 kB');
      continue;
    }
    const place = { file, line: field.line };
    const read = mt940Entry(field.text, text, { account, currency, place });
    if (!read) unreadable(message, field, entryExample);
    else {
      message.hasOtherCurrencies ||= !currency.endsWith(read.unit);
      entries.push(read.entry);
    }
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
    const read = field && mt940Balance(field.text);
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
    source: isReport ? 'MT942' : 'MT940',
    ...whose,
    number: of(/^28/)[0]?.text.trim() ?? '',
    ...daysOf(opening?.date, closing?.date, entries),
    opening: opening?.amount,
    closing: closing?.amount,
    entries,
    undated: [],
    hasOtherCurrencies: message.hasOtherCurrencies,
    isRead: message.isRead,
    place: { file, line: first.line },
  });
}

/** From the day after the opening balance, or the first booking if that is earlier. */
function daysOf(opening: string | undefined, closing: string | undefined, { kinds }: EntryColumns) {
  const span = spanOf(kinds.map(({ date }) => date));
  const to = closing ?? span?.to ?? opening ?? '';
  const days = [to, opening === undefined ? to : addDays(opening, 1), span?.from ?? to];
  return { from: days.sort()[0] ?? to, to };
}

/** The account, without the currency that some banks write after an IBAN. */
function ownAccount(text: string, currency: string): string {
  const [written = ''] = text.split('\n');
  const account = accountNumber(written).replace(/^\/+/, '');
  const shorter = account.slice(0, -currency.length);
  const hasCurrency = currency !== '' && account.endsWith(currency) && isIban(shorter);
  return hasCurrency && !isIban(account) ? shorter : account;
}

/** By check digits, ISO 13616. */
function isIban(text: string): boolean {
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{8,30}$/.test(text)) return false;
  const digits = (text.slice(4) + text.slice(0, 4)).replace(/[A-Z]/g, (letter) =>
    String(letter.charCodeAt(0) - 55),
  );
  return BigInt(digits) % 97n === 1n;
}
