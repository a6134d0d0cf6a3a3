import { dayWritten, withoutTime } from '../base/calendar.ts';
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
  if (text.length > longestAmount) return undefined;
  const [, open = '', before = '', number = '', after = '', close = ''] =
    /^(\()?\s*([-+−]?)\s*([\d.,'’\p{Zs}_]*\d)\s*([-+−]?)\s*(\))?$/u.exec(text.trim()) ?? [];
  if (number === '' || (before !== '' && after !== '') || (open !== '') !== (close !== '')) {
    return undefined;
  }
  const [whole = '', decimals, ...more] = number.split(decimal);
  if (more.length > 0 || (decimals !== undefined && !/^\d*$/.test(decimals))) return undefined;
  const digits = ungrouped(whole, thousands, decimals !== undefined);
  const amount = digits === undefined ? undefined : parseDigits(`${digits}.${decimals ?? ''}`);
  return amount && signed(amount, open !== '' || /[-−]/.test(before + after));
}

/** Characters, with signs and blanks. */
const longestAmount = 60;

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

/** Days are understood once: records of a statement have few. */
const known = new Map<string, string | undefined>();

/** The day of a text in a format such as `DD.MM.YYYY`; a time may follow. Undefined for anything else. */
export function csvDay(text: string, format: string): string | undefined {
  const written = withoutTime(text.trim());
  const key = `${format} ${written}`;
  if (known.has(key)) return known.get(key);
  if (known.size > mostKnown) known.clear();
  const day = dayWritten(written, format);
  known.set(key, day);
  return day;
}

const mostKnown = 1_000;
