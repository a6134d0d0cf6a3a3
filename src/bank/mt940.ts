import { addDays, spanOf } from '../base/calendar.ts';
import { type Decimal, signed } from './decimal.ts';
import { mt940Details } from './mt940-details.ts';
import { commaDecimal, type EntryLine, parseEntryLine, swiftDay } from './mt940-entry.ts';
import {
  accountNumber,
  entryOf,
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
interface Balance {
  readonly date: string;
  readonly currency: string;
  readonly amount: Decimal;
}

function parseBalance(text: string): Balance | undefined {
  const [, mark, day = '', currency = '', digits = ''] =
    /^\s*([CD])(\d{6})([A-Z]{3})\s*([\d,]+)\s*$/.exec(text) ?? [];
  const [amount, date] = [commaDecimal(digits), swiftDay(day)];
  return amount && date !== undefined
    ? { date, currency, amount: signed(amount, mark === 'D') }
    : undefined;
}

/** What a message of a statement must have. */
const balanceTags = [
  ['60', 'an opening balance'],
  ['62', 'a closing balance'],
] as const;

/** An entry of which the text may still follow. */
interface OpenEntry extends EntryLine {
  readonly line: number;
  text: string;
}

function readMessage(fields: readonly Field[], file: string, sink: StatementSink): void {
  const textOf = (tag: RegExp) => fields.find((field) => tag.test(field.tag))?.text ?? '';
  const limit = /^\s*([A-Z]{3})/.exec(textOf(/^34F$/))?.[1] ?? '';
  const found = fields.flatMap(({ tag, text }) =>
    /^6[024-5]/.test(tag) ? [parseBalance(text)?.currency ?? ''] : [],
  );
  const currency = found.find((one) => one !== '') ?? limit;
  const account = ownAccount(textOf(/^25/), currency);
  let isRead = true;
  const unreadable = ({ tag, line, text }: Field, expected: string) => {
    isRead = false;
    sink.unreadable({
      ...{ account, currency, place: { file, line } },
      ...{ element: `:${tag}:`, found: text, expected },
    });
  };
  const balances = { opening: [] as Balance[], closing: [] as Balance[] };
  const open: OpenEntry[] = [];
  let last: OpenEntry | undefined;
  for (const field of fields) {
    const { tag, line, text } = field;
    if (tag === '61') {
      const entry = parseEntryLine(text);
      last = entry && { ...entry, line, text: '' };
      if (last && currency !== '') open.push(last);
      else unreadable(field, 'an entry such as 2603050305C1234,56NTRFREFERENCE');
    } else if (tag === '86') {
      if (last) last.text += `${last.text === '' ? '' : '\n'}${text}`;
    } else last = undefined;
    if (!/^6[02]/.test(tag)) continue;
    const balance = parseBalance(text);
    if (balance) balances[tag.startsWith('60') ? 'opening' : 'closing'].push(balance);
    else unreadable(field, 'a balance such as C260305EUR1234,56');
  }
  const entries = open.map((entry) => entryIn(entry, { account, currency, file }));
  const { opening, closing } = { opening: balances.opening[0], closing: balances.closing.at(-1) };
  const [first = { tag: '', line: 1, text: '' }] = fields;
  const isReport = !fields.some(({ tag }) => /^6[02]/.test(tag));
  for (const [tag, what] of isReport ? [] : balanceTags) {
    if (fields.some((field) => field.tag.startsWith(tag))) continue;
    unreadable({ ...first, tag: `${tag}F`, text: '' }, what);
  }
  if (isReport && entries.length === 0) return;
  sink.statement({
    source: isReport ? 'MT942' : 'MT940',
    account,
    currency,
    number: textOf(/^28/).trim(),
    ...daysOf(opening?.date, closing?.date, entries),
    opening: opening?.amount,
    closing: closing?.amount,
    entries,
    isRead,
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
  const days = [
    to,
    ...(opening === undefined ? [] : [addDays(opening, 1)]),
    ...(span ? [span.from] : []),
  ];
  return { from: days.sort()[0] ?? to, to };
}

function entryIn(
  entry: OpenEntry,
  { account, currency, file }: { account: string; currency: string; file: string },
): WrittenEntry {
  const { line, text, returnReason, details, ...head } = entry;
  const said = mt940Details(text);
  return entryOf({
    ...head,
    account,
    currency,
    returnReason: returnReason || said.returnReason,
    details: joinedDetails([said.details, details]),
    parts: [],
    place: { file, line },
  });
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
