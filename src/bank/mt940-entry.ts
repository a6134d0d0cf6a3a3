import { isDay } from '../base/calendar.ts';
import { type Decimal, parseDigits, signed } from './decimal.ts';
import type { WrittenEntry } from './entry-columns.ts';
import { isValueDate, noDetails, references } from './written.ts';

/**
 * Value date, booking day, mark, last letter of the currency, amount, type, references, further line. What
 * goes on with digits after a blank or a line end could belong to the amount.
 */
const entryForm =
  /^\s*(\d{6})(\d{4})? *(R[CD]|E[CD]|[CD])([A-Z])?\s*(\d+,\d*)(?!\s*[\d.,])\s*([SNFM][A-Z0-9 ]{3})([^\n]*)(?:\n([\s\S]*))?$/;

/** Understands `2603050305C1234,56NTRFREFERENCE//BANKREF`; undefined where it is something else. */
export function parseEntryLine(text: string) {
  const [, value = '', booked, mark = '', unit = '', digits = '', type = '', own = '', more = ''] =
    entryForm.exec(text) ?? [];
  const [amount, valueDate] = [commaDecimal(digits), swiftDate(value)];
  const date = booked === undefined ? valueDate : bookingDay(booked, valueDate);
  if (!amount || !isValueDate(valueDate) || !isDay(date)) return undefined;
  const [reference = '', ...bankReference] = own.split('//');
  const further = more.replaceAll('\n', '').trim();
  // A reference that is too long goes on there.
  const whole = reference.length === 16 && /^\S+$/.test(further) ? [reference + further] : [];
  const status: WrittenEntry['status'] = mark.startsWith('E') ? 'pending' : 'booked';
  return {
    unit,
    // Money goes out by a debit, and by the reversal of a credit.
    amount: signed(amount, ['D', 'ED', 'RC'].includes(mark)),
    date,
    valueDate,
    status,
    isReversal: mark.startsWith('R'),
    returnReason: type.endsWith('RTI') ? type : '',
    bankReference: references(bankReference)[0] ?? '',
    details: {
      ...noDetails,
      references: references([reference, ...whole]),
      texts: further === '' ? [] : [further],
    },
  };
}

/** An amount with its decimal comma, `500,` or `0,5`. */
export function commaDecimal(text: string): Decimal | undefined {
  return /^\d+,\d*$/.test(text) ? parseDigits(text.replace(',', '.')) : undefined;
}

/** YYMMDD as YYYY-MM-DD, which may be a day that does not exist. */
export function swiftDate(text: string): string {
  const century = Number(text.slice(0, 2)) < 80 ? '20' : '19';
  return text.replace(/^(\d\d)(\d\d)(\d\d)$/, `${century}$1-$2-$3`);
}

/** MMDD in the year in which it is nearest to the value date; it may be a day that does not exist. */
function bookingDay(text: string, valueDate: string): string {
  const months = Number(text.slice(0, 2)) - Number(valueDate.slice(5, 7));
  const years = months > 6 ? -1 : Number(months < -6);
  return `${Number(valueDate.slice(0, 4)) + years}-${text.slice(0, 2)}-${text.slice(2)}`;
}
