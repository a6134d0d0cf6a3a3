import { isDay } from '../base/calendar.ts';
import type { BankCsv } from '../model/bank-csv.ts';
import { type Decimal, parseDigits, signed } from './decimal.ts';

/**
 * An amount as the mapping says: a sign before or after it, or brackets in its place. Digits may be grouped
 * in threes by the sign that the mapping names or, where decimals follow, by any that is usual: without
 * them `1.234` could be either. Undefined for anything else.
 */
export function csvAmount(
  text: string,
  { decimal, thousands }: Pick<BankCsv, 'decimal' | 'thousands'>,
): Decimal | undefined {
  const [, open = '', before = '', number = '', after = '', close = ''] =
    /^(\()?\s*([-+−]?)\s*([\d.,'’\s_]*\d)\s*([-+−]?)\s*(\))?$/.exec(text.trim()) ?? [];
  if (number === '' || (before !== '' && after !== '') || (open !== '') !== (close !== '')) {
    return undefined;
  }
  const [whole = '', decimals, ...more] = number.split(decimal);
  if (more.length > 0 || (decimals !== undefined && !/^\d*$/.test(decimals))) return undefined;
  const digits = ungrouped(whole, thousands, decimals !== undefined);
  const amount = digits === undefined ? undefined : parseDigits(`${digits}.${decimals ?? ''}`);
  return amount && signed(amount, open !== '' || /[-−]/.test(before + after));
}

function ungrouped(
  whole: string,
  thousands: string | undefined,
  hasDecimals: boolean,
): string | undefined {
  if (/^\d*$/.test(whole)) return whole;
  const [, sign = ''] = /^\d{1,3}(\D)\d{3}/.exec(whole) ?? [];
  const isKnown = sign === thousands || (thousands === undefined && hasDecimals);
  const groups = whole.split(sign);
  const areThrees = groups.slice(1).every((group) => /^\d{3}$/.test(group));
  return isKnown && sign !== '' && areThrees ? groups.join('') : undefined;
}

const monthNames = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');

/** The day of a text in a format such as `DD.MM.YYYY`; a time may follow. Undefined for anything else. */
export function csvDay(text: string, format: string): string | undefined {
  const tokens = format.match(/YYYY|YY|MMM|MM|M|DD|D/g) ?? [];
  const parts = format.split(/YYYY|YY|MMM|MM|M|DD|D/);
  const literal = (part: string) => part.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
  const pattern = tokens.map((token, index) => literal(parts[index] ?? '') + forms[token]).join('');
  const [, ...found] =
    new RegExp(`^${pattern}${literal(parts.at(-1) ?? '')}(?:[T ]\\d.*)?$`).exec(text.trim()) ?? [];
  const textOf = (kind: string) => found[tokens.findIndex((token) => token.startsWith(kind))] ?? '';
  const [year, month, day] = [textOf('Y'), textOf('M'), textOf('D')];
  const named = monthNames.indexOf(month.slice(0, 3).toLowerCase()) + 1;
  const monthNumber = /^\d/.test(month) ? month : String(named);
  const written = [
    year.length === 2 ? `20${year}` : year,
    monthNumber.padStart(2, '0'),
    day.padStart(2, '0'),
  ].join('-');
  return isDay(written) ? written : undefined;
}

const forms: Readonly<Record<string, string>> = {
  YYYY: '(\\d{4})',
  YY: '(\\d{2})',
  MMM: '([A-Za-z]{3})\\.?',
  MM: '(\\d{2})',
  M: '(\\d{1,2})',
  DD: '(\\d{2})',
  D: '(\\d{1,2})',
};
