import { daysBetween, isDay } from '../base/calendar.ts';
import { type Decimal, parseDigits, signed } from './decimal.ts';
import { noDetails, references, type WrittenEntry } from './written.ts';

/** Value date, booking day, mark, a letter of the currency, amount, type, references, further line. */
const entryForm =
  /^\s*(\d{6})(\d{4})?\s*(R[CD]|E[CD]|[CD])([A-Z])?\s*(\d+(?:,\d*)?)(?![\d.,])\s*([A-Z][A-Z0-9]{3})?([^\n]*)(?:\n([\s\S]*))?$/;

/** Understands `2603050305C1234,56NTRFREFERENCE//BANKREF`; undefined where it is something else. */
export function parseEntryLine(text: string) {
  const [, value = '', booked, mark = '', , digits = '', type = '', own = '', more = ''] =
    entryForm.exec(text) ?? [];
  const [amount, valueDate] = [commaDecimal(digits), swiftDay(value)];
  if (!amount || valueDate === undefined) return undefined;
  const date = booked === undefined ? valueDate : bookingDay(booked, valueDate);
  if (date === undefined) return undefined;
  const [reference = '', ...bankReference] = own.split('//');
  const further = more.replaceAll('\n', '').trim();
  // A reference that is too long goes on there.
  const whole = reference.length === 16 && /^\S+$/.test(further) ? [reference + further] : [];
  const status: WrittenEntry['status'] = mark.startsWith('E') ? 'pending' : 'booked';
  return {
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

/** An amount with a decimal comma, `500,` or `0,5`; some banks leave it out of whole ones. */
export function commaDecimal(text: string): Decimal | undefined {
  return /^\d+(,\d*)?$/.test(text) ? parseDigits(text.replace(',', '.')) : undefined;
}

/** The day of YYMMDD. */
export function swiftDay(text: string): string | undefined {
  const [, year = '', month = '', day = ''] = /^(\d\d)(\d\d)(\d\d)$/.exec(text) ?? [];
  return realDay(`${Number(year) < 80 ? '20' : '19'}${year}`, month, day);
}

/** The day of MMDD in the year in which it is nearest to the value date. */
function bookingDay(text: string, valueDate: string): string | undefined {
  const year = Number(valueDate.slice(0, 4));
  const days = [year, year - 1, year + 1].flatMap(
    (one) => realDay(String(one), text.slice(0, 2), text.slice(2)) ?? [],
  );
  const distance = (day: string) => Math.abs(daysBetween(valueDate, day));
  return days.sort((one, other) => distance(one) - distance(other))[0];
}

/** A day up to the 31st as it is or, since some banks count months of 30 days, the last of its month. */
function realDay(year: string, month: string, day: string): string | undefined {
  for (let number = Number(day); number >= 28 || number === Number(day); number--) {
    const candidate = `${year}-${month}-${String(number).padStart(2, '0')}`;
    if (isDay(candidate)) return candidate;
    if (number > 31) return undefined;
  }
  return undefined;
}
