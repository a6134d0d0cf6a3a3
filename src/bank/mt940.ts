import { isDay } from '../base/calendar.ts';
import { append } from '../base/lists.ts';
import { longestText, type TextReader } from '../base/text-reader.ts';
import { accountNumber, type PaymentDetails, type Place } from '../model/bank.ts';
import { type Decimal, parseDigits, signed } from '../money/decimal.ts';
import { joinedDetails, labelledDetails, labelsIn, noDetails, references } from './details.ts';
import { EntryColumns, type WrittenEntry } from './entry-columns.ts';
import { isIban } from './iban.ts';
import { daysBy, shortDay } from './records.ts';
import { entryOf, isValueDate, type StatementFormat, type StatementSink } from './written.ts';

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

interface Line {
  readonly text: string;
  readonly number: number;
}

function mt940Reader(file: string, sink: StatementSink): TextReader {
  let rest = '';
  let number = 0;
  /** Waits for the next one, because a line of a text may look like an end or a tag. */
  let held: Line | undefined;
  let message = openMessage(file, sink);
  const finish = () => {
    if (message.fields.some(({ tag }) => tag !== '20')) readMessage(message);
    message = openMessage(file, sink);
  };
  const take = ({ text: written, number: line }: Line, next: string) => {
    const isHeader = /^\ufeff?\{[1-5]:/.test(written);
    const text = isHeader ? (/\{4:(.*)$/.exec(written)?.[1] ?? '') : written.replace(/^\ufeff/, '');
    const { fields } = message;
    const field = fields.at(-1);
    const [start, tag = ''] = tagIn(text, field, next);
    const isDash = /^-\s*$/.test(text);
    const isPageBreak = isDash && fieldTag.test(next) && !/^:2[05]/.test(next);
    const isText = isDash && inEntry.test(field?.tag ?? '') && !/^(:2[05]|\ufeff|\{|$)/.test(next);
    const isEnd = /^-\}/.test(text) || (isDash && !isPageBreak && !isText);
    if (isHeader || isEnd || tag === '20') finish();
    if (isEnd || isPageBreak) return;
    if (tag === '61' && fields.length > maxFields) takeEntries(message);
    if (start !== undefined) message.fields.push({ tag, line, text: text.slice(start.length) });
    else if (field && field.text.length <= longestText) field.text += `\n${text}`;
  };
  const takeLine = (text: string) => {
    number += 1;
    if (text === '') return;
    if (held) take(held, text);
    held = { text, number };
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
      if (held) take(held, '');
      finish();
    },
  };
}

/**
 * The tag at the beginning of a line. After an entry, `:21:` is not one but the minutes of a time of day that
 * is cut in two; `:20:` is only where the next line goes on with a message.
 */
function tagIn(text: string, before: Field | undefined, next: string): readonly string[] {
  const found = fieldTag.exec(text) ?? [];
  const isMinutes = /^(13|20|21|25|28)$/.test(found[1] ?? '');
  if (!isMinutes || !inEntry.test(before?.tag ?? '')) return found;
  return found[1] === '20' && /^:(13D?|21|25P?|28C?|34F|60[FM]):/.test(next) ? found : [];
}

/** The fields with texts. */
const inEntry = /^(61|86|NS)$/;

/** An entry line, and the texts that follow it. */
interface OpenEntry {
  readonly field: Field;
  readonly texts: string[];
}

function entriesIn(fields: readonly Field[]): readonly OpenEntry[] {
  const entries: OpenEntry[] = [];
  let last: OpenEntry | undefined;
  for (const field of fields) {
    if (field.tag === '86' || field.tag === 'NS') addText(last?.texts ?? [], field.text);
    // These are of the statement, and so are the texts after them.
    else if (/^(6|90)/.test(field.tag)) last = undefined;
    if (field.tag !== '61') continue;
    last = { field, texts: [] };
    entries.push(last);
  }
  return entries;
}

/** A text with a code of its own is another one; any other continues the one before. */
function addText(texts: string[], text: string): void {
  const before = texts.pop();
  if (before === undefined) texts.push(text);
  else if (!codeBefore.test(text)) texts.push(`${before}\n${text}`);
  // A code alone says nothing.
  else if (/^\d{3}\s*$/.test(before)) texts.push(text);
  else texts.push(before, text);
}

function accountIn(fields: readonly Field[]) {
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
  const own = accountIn(fields);
  sink.unreadable({ ...own, place: { file, line }, element: `:${tag}:`, found, expected });
}

/** Moves the entries of a message out of its fields, if their currency is known. */
function takeEntries(message: OpenMessage): void {
  const { file, fields, entries } = message;
  const { account, currency } = accountIn(fields);
  if (currency === '') return;
  const all = fields.splice(0);
  const others = all.filter(({ tag }) => tag !== '61' && tag !== '86');
  append(fields, others);
  for (const { field, texts } of entriesIn(all)) {
    if (texts.join('').length > longestText || field.text.length > longestText) {
      unreadable(message, field, 'a text of at most 64 kB');
      continue;
    }
    const place = { file, line: field.line };
    const read = mt940Entry(field.text, texts, { account, currency, place });
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
  const own = accountIn(fields);
  const { currency } = own;
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
    ...own,
    number: of(/^28/)[0]?.text.trim() ?? '',
    ...daysBy(opening?.date, closing?.date, entries),
    opening: opening?.amount,
    closing: closing?.amount,
    entries,
    undated: [],
    hasOtherCurrencies: message.hasOtherCurrencies,
    isRead: message.isRead,
    place: { file, line: first.line },
  });
}

/** The account, without the currency that some banks write after an IBAN. */
function ownAccount(text: string, currency: string): string {
  const [written = ''] = text.split('\n');
  const account = accountNumber(written).replace(/^\/+/, '');
  const shorter = account.slice(0, -currency.length);
  const hasCurrency = currency !== '' && account.endsWith(currency) && isIban(shorter);
  return hasCurrency && !isIban(account) ? shorter : account;
}

/** Digits after a blank or a line end could belong to the amount, so they do not match. */
const entryForm =
  /^\s*(\d{6})(\d{4})? *(R[CD]|E[CD]|[CD])([A-Z])?\s*(\d+,\d*)(?!\s*[\d.,])\s*([SNFM][A-Z0-9 ]{3})([^\n]*)(?:\n([\s\S]*))?$/;

/** Decodes an entry line (`:61:`) with its texts (`:86:`), if it has its form. `unit`: last letter of its currency. */
function mt940Entry(
  line: string,
  texts: readonly string[],
  context: { readonly account: string; readonly currency: string; readonly place: Place },
): { readonly unit: string; readonly entry: WrittenEntry } | undefined {
  const [, value = '', booked, mark = '', unit = '', digits = '', type = '', own = '', more = ''] =
    entryForm.exec(line) ?? [];
  const [amount, valueDate] = [commaDecimal(digits), shortDay(value)];
  const date = booked === undefined ? valueDate : bookingDay(booked, valueDate);
  if (!amount || !isValueDate(valueDate) || !isDay(date)) return undefined;
  const [reference = '', ...bankReference] = own.split('//');
  const further = more.replaceAll('\n', '').trim();
  // A reference that is too long continues there.
  const whole = reference.length === 16 && /^\S+$/.test(further) ? [reference + further] : [];
  const said = texts.map(textDetails);
  const reason = said.map(({ returnReason }) => returnReason).find((one) => one !== '') ?? '';
  const inLine = {
    ...noDetails,
    references: references([reference, ...whole]),
    texts: further === '' ? [] : [further],
  };
  const entry = entryOf({
    account: context.account,
    currency: context.currency,
    // Money goes out by a debit, and by the reversal of a credit.
    amount: signed(amount, ['D', 'ED', 'RC'].includes(mark)),
    date,
    valueDate,
    status: mark.startsWith('E') ? 'pending' : 'booked',
    isReversal: mark.startsWith('R'),
    returnReason: type.endsWith('RTI') ? type : reason,
    bankReference: references(bankReference)[0] ?? '',
    details: joinedDetails([...said.map(({ details }) => details), inLine]),
    parts: [],
    place: context.place,
  });
  return { unit, entry };
}

/** Decodes a balance such as `C260305EUR1234,56`. */
function mt940Balance(text: string) {
  const [, mark, day = '', currency = '', digits = ''] =
    /^\s*([CD])(\d{6})([A-Z]{3})\s*([\d,]+)\s*$/.exec(text) ?? [];
  const [amount, date] = [commaDecimal(digits), shortDay(day)];
  if (!amount || !isDay(date)) return undefined;
  return { date, currency, amount: signed(amount, mark === 'D') };
}

/** `500,` or `0,5`. */
function commaDecimal(text: string): Decimal | undefined {
  return /^\d+,\d*$/.test(text) ? parseDigits(text.replace(',', '.')) : undefined;
}

/** MMDD in the year nearest to the value date; the day may not exist. */
function bookingDay(text: string, valueDate: string): string {
  const months = Number(text.slice(0, 2)) - Number(valueDate.slice(5, 7));
  const years = months > 6 ? -1 : Number(months < -6);
  return `${Number(valueDate.slice(0, 4)) + years}-${text.slice(0, 2)}-${text.slice(2)}`;
}

interface EntryText {
  readonly details: PaymentDetails;
  readonly returnReason: string;
}

/** A code of three digits and the sign before each subfield. */
const codeBefore = /^\d{3}([^A-Za-z0-9\s.,:/-])(?=\d\d)/;

/** The same with another code or none; then a second subfield shows that it is one. */
const looseCode = /^[A-Z0-9]{0,4}([?~<>^&$%@!#|*])\d\d(?=.*\1\d\d)/;

/** Numbered subfields (`166?00…?20…`), names (`/EREF/…/REMI/…`), or free text. */
function textDetails(text: string): EntryText {
  // The first two are split into lines anywhere.
  const joined = text.replaceAll('\n', '');
  const separator = (codeBefore.exec(joined) ?? looseCode.exec(joined))?.[1];
  if (separator !== undefined) return numbered(joined, separator);
  if (/^\s*\/[A-Z]{2,4}\//.test(joined)) return named(joined);
  const texts = text.split('\n').filter((line) => line.trim() !== '');
  const own = { ...noDetails, texts: asOneField(texts) };
  const details = joinedDetails([own, labelledDetails(texts)]);
  return { details, returnReason: '' };
}

/**
 * 20 to 29 and 60 to 63 are the text, 31 to 33 the other party, 38 its IBAN, 00 the kind of booking, 10, 30 and
 * 34 codes. 00 and 34 are the reason of a return (code 159). Some banks have the text in others, so what is none
 * of these is text.
 */
function numbered(text: string, separator: string): EntryText {
  const subfields = labelsIn(text, subfieldForm(separator)).filter(
    ([, value]) => value.trim() !== '',
  );
  const isText = (number: string) => /^(2\d|6[0-3])$/.test(number);
  const hasText = subfields.some(([number]) => isText(number));
  const texts: string[] = [];
  const names: string[] = [];
  const accounts: string[] = [];
  const reasons: string[] = [];
  for (const [index, [number, value]] of subfields.entries()) {
    const isKind = number === '00' && hasText && index === 0;
    const isCode = /^(10|30|34)$/.test(number) && value.trim().length <= 12;
    if (number === '00' || number === '34') reasons.push(value);
    if (number === '31' || (number === '38' && isIban(accountNumber(value)))) {
      accounts.push(accountNumber(value));
    } else if (number === '32' || number === '33') names.push(value);
    else if (!isKind && !isCode) texts.push(value);
  }
  const [name = '', more = ''] = names;
  // A full first part may end within a word.
  const whole = (name.length < fullSubfield ? `${name.trim()} ${more}` : name + more).trim();
  const own = {
    ...noDetails,
    texts: asOneField(texts),
    names: whole === '' ? [] : [whole],
    accounts,
  };
  return {
    details: joinedDetails([own, labelledDetails(texts)]),
    returnReason: text.startsWith('159') ? reasons.join(' ') : '',
  };
}

/** The lines of a text that goes on from one to the next, perhaps within a word. */
function asOneField(lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [lines.join('\n')];
}

/** Cached, because a bank always uses one separator. */
const subfieldForms = new Map<string, RegExp>();

function subfieldForm(separator: string): RegExp {
  const known = subfieldForms.get(separator);
  if (known) return known;
  const sign = separator.replace(/[\\^$.*+?()[\]{}|-]/, '\\$&');
  const form = new RegExp(`${sign}(\\d\\d)`);
  subfieldForms.set(separator, form);
  return form;
}

const fullSubfield = 27;

/** The names of Dutch banks. */
const fieldNames =
  /\/(TRTP|EREF|PREF|MARF|CSID|RTRN|REMI|NAME|IBAN|BIC|BENM|ORDP|ADDR|ISDT|CNTP|PURP|ULTC|ULTD|SVCL)\//;

function named(text: string): EntryText {
  const fields = labelsIn(text, fieldNames);
  const valuesOf = (...names: readonly string[]) =>
    fields.flatMap(([name, value]) =>
      names.includes(name) ? [value.replace(/^\/+|\/+$/g, '')] : [],
    );
  // What precedes the first name has an unknown one.
  const before = fields.length > 0 ? text.slice(0, text.search(fieldNames)).trim() : '';
  const remittance = valuesOf('REMI').map((value) => value.replace(/^(USTD|STRD)\/*(CUR\/)?/, ''));
  const [account = '', , counterparty = ''] = (valuesOf('CNTP')[0] ?? '').split('/');
  return {
    details: {
      endToEndIds: references(valuesOf('EREF')),
      paymentInformationIds: references(valuesOf('PREF')),
      references: references(valuesOf('MARF', 'CSID')),
      texts: [before, ...(remittance.length > 0 ? remittance : [text])].filter((one) => one !== ''),
      names: references([...valuesOf('NAME'), counterparty]),
      accounts: references([...valuesOf('IBAN'), account]).map(accountNumber),
    },
    returnReason: valuesOf('RTRN')[0] ?? '',
  };
}
