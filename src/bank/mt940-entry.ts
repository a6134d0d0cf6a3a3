import { isDay } from '../base/calendar.ts';
import { accountNumber, type PaymentDetails, type Place } from '../model/bank.ts';
import { type Decimal, parseDigits, signed } from '../money/decimal.ts';
import { joinedDetails, labelledDetails, labelsIn, noDetails, references } from './details.ts';
import type { WrittenEntry } from './entry-columns.ts';
import { entryOf, isValueDate } from './written.ts';

/**
 * Value date, booking day, mark, last letter of the currency, amount, type, references, further line.
 * Digits after a blank or a line end could belong to the amount, so they do not match.
 */
const entryForm =
  /^\s*(\d{6})(\d{4})? *(R[CD]|E[CD]|[CD])([A-Z])?\s*(\d+,\d*)(?!\s*[\d.,])\s*([SNFM][A-Z0-9 ]{3})([^\n]*)(?:\n([\s\S]*))?$/;

/**
 * Decodes an entry line (`:61:`) such as `2603050305C1234,56NTRFREFERENCE//BANKREF` with its text (`:86:`).
 * `unit` is the last letter of its currency, or empty. Undefined if the line has another form.
 */
export function mt940Entry(
  line: string,
  text: string,
  whose: { readonly account: string; readonly currency: string; readonly place: Place },
): { readonly unit: string; readonly entry: WrittenEntry } | undefined {
  const [, value = '', booked, mark = '', unit = '', digits = '', type = '', own = '', more = ''] =
    entryForm.exec(line) ?? [];
  const [amount, valueDate] = [commaDecimal(digits), swiftDate(value)];
  const date = booked === undefined ? valueDate : bookingDay(booked, valueDate);
  if (!amount || !isValueDate(valueDate) || !isDay(date)) return undefined;
  const [reference = '', ...bankReference] = own.split('//');
  const further = more.replaceAll('\n', '').trim();
  // A reference that is too long continues there.
  const whole = reference.length === 16 && /^\S+$/.test(further) ? [reference + further] : [];
  const said = textDetails(text);
  const inLine = {
    ...noDetails,
    references: references([reference, ...whole]),
    texts: further === '' ? [] : [further],
  };
  const entry = entryOf({
    account: whose.account,
    currency: whose.currency,
    // Money goes out by a debit, and by the reversal of a credit.
    amount: signed(amount, ['D', 'ED', 'RC'].includes(mark)),
    date,
    valueDate,
    status: mark.startsWith('E') ? 'pending' : 'booked',
    isReversal: mark.startsWith('R'),
    returnReason: type.endsWith('RTI') ? type : said.returnReason,
    bankReference: references(bankReference)[0] ?? '',
    details: joinedDetails([said.details, inLine]),
    parts: [],
    place: whose.place,
  });
  return { unit, entry };
}

/** Decodes a balance such as `C260305EUR1234,56`. */
export function mt940Balance(text: string) {
  const [, mark, day = '', currency = '', digits = ''] =
    /^\s*([CD])(\d{6})([A-Z]{3})\s*([\d,]+)\s*$/.exec(text) ?? [];
  const [amount, date] = [commaDecimal(digits), swiftDate(day)];
  if (!amount || !isDay(date)) return undefined;
  return { date, currency, amount: signed(amount, mark === 'D') };
}

/** `500,` or `0,5`. */
function commaDecimal(text: string): Decimal | undefined {
  return /^\d+,\d*$/.test(text) ? parseDigits(text.replace(',', '.')) : undefined;
}

/** YYMMDD as YYYY-MM-DD, which may not exist. */
function swiftDate(text: string): string {
  const century = Number(text.slice(0, 2)) < 80 ? '20' : '19';
  return text.replace(/^(\d\d)(\d\d)(\d\d)$/, `${century}$1-$2-$3`);
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

/** Numbered subfields (`166?00…?20…`), names (`/EREF/…/REMI/…`), or free text. */
function textDetails(text: string): EntryText {
  // The first two are split into lines anywhere.
  const joined = text.replaceAll('\n', '');
  const separator = /^\d{3}([^A-Za-z0-9\s])/.exec(joined)?.[1];
  if (separator !== undefined) return numbered(joined, separator);
  if (/^\s*\/[A-Z]{2,4}\//.test(joined)) return named(joined);
  const texts = text.split('\n').filter((line) => line.trim() !== '');
  const details = joinedDetails([{ ...noDetails, texts }, labelledDetails(texts)]);
  return { details, returnReason: '' };
}

/**
 * Subfields after the code of the transaction (159 is a return): 00 names it, 20 to 29 and 60 to 63 are the
 * text, 31 is the account of the other party, 32 and 33 its name, 34 the number of the reason.
 */
function numbered(text: string, separator: string): EntryText {
  const texts: string[] = [];
  const names: string[] = [];
  const accounts: string[] = [];
  const reasons: string[] = [];
  for (const [number, value] of labelsIn(text, subfieldForm(separator))) {
    if (value.trim() === '') continue;
    if (number === '31') accounts.push(accountNumber(value));
    else if (number === '32' || number === '33') names.push(value);
    else if (number === '00' || number === '34') reasons.push(value);
    else if (/^(2\d|6[0-3])$/.test(number)) texts.push(value);
  }
  const [name = '', more = ''] = names;
  // A full first part may end within a word.
  const whole = (name.length < fullSubfield ? `${name.trim()} ${more}` : name + more).trim();
  const own = { ...noDetails, texts, names: whole === '' ? [] : [whole], accounts };
  return {
    details: joinedDetails([own, labelledDetails(texts)]),
    returnReason: text.startsWith('159') ? reasons.join(' ') : '',
  };
}

/** Cached, as a bank always uses one separator. */
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
  const remittance = valuesOf('REMI').map((value) => value.replace(/^(USTD|STRD)\/*(CUR\/)?/, ''));
  const [account = '', , counterparty = ''] = (valuesOf('CNTP')[0] ?? '').split('/');
  return {
    details: {
      endToEndIds: references(valuesOf('EREF')),
      paymentInformationIds: references(valuesOf('PREF')),
      references: references(valuesOf('MARF', 'CSID')),
      texts: remittance.length > 0 ? remittance : [text],
      names: references([...valuesOf('NAME'), counterparty]),
      accounts: references([...valuesOf('IBAN'), account]).map(accountNumber),
    },
    returnReason: valuesOf('RTRN')[0] ?? '',
  };
}
