import { minorUnitsOf } from './minor-units.ts';
import { rescale } from './money.ts';

/** An exact number: `digits` in units of `scale` decimals, without zeros at the end. */
export interface Decimal {
  readonly digits: bigint;
  readonly scale: number;
}

/** Parses `0012.50`, `12.` or `.5`, with at most 30 digits before the dot and 18 decimals. */
export function parseDigits(text: string): Decimal | undefined {
  const written = /^(?=\.?\d)0*(\d{0,30})(?:\.(\d{0,18}?)0*)?$/.exec(text);
  if (!written) return undefined;
  const [, whole = '', decimals = ''] = written;
  return { digits: BigInt(`0${whole}${decimals}`), scale: decimals.length };
}

/** The number, with the opposite sign if `isNegative`. */
export function signed({ digits, scale }: Decimal, isNegative: boolean): Decimal {
  return { digits: isNegative ? -digits : digits, scale };
}

/** The number in minor units; `scale` must not be smaller than its own. */
export function atScale({ digits, scale: own }: Decimal, scale: number): bigint {
  return rescale(digits, own, scale);
}

/** The decimal places of a currency, or more if an amount has more. */
export function scaleOf(
  currency: string,
  amounts: readonly (Pick<Decimal, 'scale'> | undefined)[],
): number {
  return amounts.reduce(
    (most, amount) => Math.max(most, amount?.scale ?? 0),
    minorUnitsOf(currency) ?? 0,
  );
}

/** How a file writes its amounts. */
export interface AmountForm {
  readonly decimal: ',' | '.';
  /** The separator of thousands, if it is always written. */
  readonly thousands?: string | undefined;
}

/**
 * Parses an amount with a sign before or after it, or in brackets, and with the sign or code of its currency if that
 * is given. Digits may be grouped by the separator of the form or, if decimals follow, by any usual one. What may be
 * thousands or decimals is refused: `1.234` without decimals, and three decimals in a currency that has fewer.
 */
export function writtenAmount(
  written: string,
  { decimal, thousands }: AmountForm,
  currency?: string,
): Decimal | undefined {
  if (written.length > longestAmount) return undefined;
  // Most amounts.
  if (decimal === '.' && /^\d+(?:\.\d\d?)?$/.test(written)) return parseDigits(written);
  const text = currency === undefined ? written : withoutCurrency(written, currency);
  const [, open = '', before = '', number = '', after = '', close = ''] =
    /^(\()?\s*([-+−]?)\s*([\d.,'’\p{Zs}_]*\d)\s*([-+−]?)\s*(\))?$/u.exec(text?.trim() ?? '') ?? [];
  if (number === '' || (before !== '' && after !== '') || (open !== '') !== (close !== '')) {
    return undefined;
  }
  const [whole = '', decimals, ...more] = number.split(decimal);
  if (more.length > 0 || (decimals !== undefined && !/^\d*$/.test(decimals))) return undefined;
  const mayBeGroup = /^[1-9]\d{0,2}$/.test(whole) && decimals?.length === 3;
  const hasFewer = currency !== undefined && (minorUnitsOf(currency) ?? 2) < 3;
  if (mayBeGroup && hasFewer && thousands === undefined) return undefined;
  const digits = ungrouped(whole, thousands, decimals !== undefined);
  const amount = digits === undefined ? undefined : parseDigits(`${digits}.${decimals ?? ''}`);
  return amount && signed(amount, open !== '' || /[-−]/.test(before + after));
}

const longestAmount = 60;

/** The text without the sign or code of the currency; undefined if it has another one, or any other word. */
function withoutCurrency(text: string, currency: string): string | undefined {
  const [sign, ...others] = text.match(/\p{L}*\p{Sc}|\p{L}+\.?/gu) ?? [];
  if (sign === undefined) return text;
  const isOwn = others.length === 0 && signsOf(currency).has(sign.toUpperCase());
  return isOwn ? text.replace(sign, '') : undefined;
}

const signsByCurrency = new Map<string, ReadonlySet<string>>();

/** The code and signs of a currency, in upper case: `EUR`, `€`. */
function signsOf(currency: string): ReadonlySet<string> {
  const known = signsByCurrency.get(currency);
  if (known) return known;
  if (!/^[A-Z]{3}$/.test(currency)) return new Set();
  const displays = ['symbol', 'narrowSymbol'] as const;
  const signs = ['en', 'en-CA', 'de-CH'].flatMap((locale) =>
    displays.map((currencyDisplay) => {
      const form = new Intl.NumberFormat(locale, { style: 'currency', currency, currencyDisplay });
      return form.formatToParts(0).find(({ type }) => type === 'currency')?.value ?? '';
    }),
  );
  const all = new Set([currency, ...signs].map((sign) => sign.toUpperCase()));
  signsByCurrency.set(currency, all);
  return all;
}

/** Blanks that do not break, and the curved apostrophe, stand for the usual ones. */
function usualSign(sign: string): string {
  return sign.replace(/\p{Zs}/u, ' ').replace('’', "'");
}

function ungrouped(
  whole: string,
  thousands: string | undefined,
  hasDecimals: boolean,
): string | undefined {
  if (/^\d*$/.test(whole)) return whole;
  const [, sign = ''] = /^\d{1,3}(\D)\d{2,3}/.exec(whole) ?? [];
  const isKnown = thousands === undefined ? hasDecimals : usualSign(sign) === usualSign(thousands);
  const [first = '', ...groups] = whole.split(sign);
  const areThrees = groups.every((group) => /^\d{3}$/.test(group));
  // In India, only the last group has three digits: 1,03,452.72.
  const areTwos =
    sign === ',' &&
    /^\d{1,2}$/.test(first) &&
    /^\d{3}$/.test(groups.at(-1) ?? '') &&
    groups.slice(0, -1).every((group) => /^\d\d$/.test(group));
  return isKnown && sign !== '' && (areThrees || areTwos) ? [first, ...groups].join('') : undefined;
}
