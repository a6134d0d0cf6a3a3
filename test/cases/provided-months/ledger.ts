import type { Random } from '../../support/random.ts';

/** The month that is asked for. The files also have pay-outs before and after it. */
export const month = { name: '2026-03', from: '2026-03-01', to: '2026-03-31' } as const;

export type ProviderName = 'adyen' | 'stripe' | 'shopify';

/** What a line is, whatever the provider calls it. Fees and what is carried are no gross. */
export type Kind = 'sale' | 'refund' | 'chargeback' | 'fee' | 'carried' | 'other';

/** Something that the provider put on a balance, in minor units. `net` is what it adds to the pay-out. */
export interface Line {
  /** Its own id; a line without one has none in the files. */
  readonly id: string | undefined;
  /** The provider's word for it. */
  readonly word: string;
  readonly kind: Kind;
  readonly gross: bigint;
  readonly fees: bigint;
  readonly net: bigint;
  readonly day: string;
  readonly time: string;
  readonly order: string;
  /** What a line without an id is for. */
  readonly text: string;
  /** The sale in its own currency, where that is another. */
  readonly sale?: { readonly currency: string; readonly amount: bigint; readonly rate: string };
}

/** A pay-out in one currency: what happened, and what the files tell of it. */
export interface Payout {
  /** The id that `recon` gives it. */
  readonly id: string;
  readonly account: string;
  /** The batch, the id of the pay-out, or its day. */
  readonly number: string;
  readonly currency: string;
  readonly day: string;
  readonly lines: readonly Line[];
  /** What is paid; negative where the provider collects it. Several amounts where it is paid in parts. */
  readonly parts: readonly bigint[];
  /** Nothing is paid: all is carried over. */
  readonly isCarried: boolean;
  /** The lines in the files. */
  told: readonly Line[];
  /** The amounts that are stated in the files; none where they are not there. */
  stated: readonly bigint[] | undefined;
  /** Where fees are stated. */
  statedFees: bigint | undefined;
  /** No file has anything of it. */
  isAbsent: boolean;
}

/** A file of a provider: a header and lines, and of which pay-outs or lines they are. */
export interface ProviderFile {
  readonly name: string;
  readonly text: string;
}

export const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((a, b) => a + b, 0n);

export const netOf = (lines: readonly Line[]): bigint => sum(lines.map(({ net }) => net));

export const paidOf = ({ parts }: Payout): bigint => sum(parts);

const decimals: Readonly<Record<string, number>> = { JPY: 0, KWD: 3 };

const scaleOf = (currency: string): number => decimals[currency] ?? 2;

/** A whole unit of the currency, in minor units. */
export const unitOf = (currency: string): bigint => 10n ** BigInt(scaleOf(currency));

/** Decimal text with all places. */
export function textOf(amount: bigint, currency: string): string {
  const scale = scaleOf(currency);
  const digits = String(amount < 0n ? -amount : amount).padStart(scale + 1, '0');
  const whole = digits.slice(0, digits.length - scale);
  const sign = amount < 0n ? '-' : '';
  return scale === 0 ? `${sign}${whole}` : `${sign}${whole}.${digits.slice(-scale)}`;
}

/** Decimal text as some providers write it: no zeros at the end, and none before the point (`.9`, `100`). */
export function shortOf(amount: bigint, currency: string): string {
  const text = textOf(amount, currency);
  if (!text.includes('.')) return text;
  const short = text.replace(/\.?0+$/, '').replace(/^(-?)0\./, '$1.');
  return short === '' || short === '-' ? '0' : short;
}

/** Minor units of decimal text, in the places of the currency. */
export function minorOf(text: string, currency: string): bigint {
  const [whole = '', fraction = ''] = text.split('.');
  const scale = scaleOf(currency);
  if (fraction.slice(scale).replaceAll('0', '') !== '') throw new Error(`${text} ${currency}`);
  return BigInt(`${whole}${fraction.slice(0, scale).padEnd(scale, '0')}`);
}

export function dayAfter(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
}

export const timeOf = (random: Random, first = 0): string =>
  [random.int(first, 23), random.int(0, 59), random.int(0, 59)]
    .map((part) => String(part).padStart(2, '0'))
    .join(':');

const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789';

export const wordOf = (random: Random, length: number): string =>
  Array.from({ length }, () => letters[random.int(0, letters.length - 1)]).join('');

export const digitsOf = (random: Random, length: number): string =>
  Array.from({ length }, (_, at) => random.int(at === 0 ? 1 : 0, 9)).join('');

/** What a spreadsheet makes of an amount, or of any long number. */
export const damagedText = '1.31609E+15';

/** Prices that come again and again, in hundredths of a unit. */
const prices = [990, 1499, 1995, 2490, 4900, 7995];

/** A price in minor units: one of the shop's, or any. */
export function priceOf(random: Random, currency: string): bigint {
  const hundredths = random.chance(35) ? random.pick(prices) : random.int(311, 48_999);
  if (currency === 'JPY') return BigInt(hundredths + 7);
  return (BigInt(hundredths) * unitOf(currency)) / 100n;
}

/** A fee of some percent and something fixed. */
export function feeOf(amount: bigint, currency: string, perMille: bigint): bigint {
  const size = amount < 0n ? -amount : amount;
  return (size * perMille + 500n) / 1000n + unitOf(currency) / 4n;
}

export function groupBy<One>(
  ones: readonly One[],
  keyOf: (one: One) => string,
): ReadonlyMap<string, readonly One[]> {
  const groups = new Map<string, One[]>();
  for (const one of ones) {
    const group = groups.get(keyOf(one));
    if (group) group.push(one);
    else groups.set(keyOf(one), [one]);
  }
  return groups;
}

/** A table as text; fields that need it are quoted, or all. */
export function csvOf(
  columns: readonly string[],
  rows: readonly Readonly<Record<string, string>>[],
  style: { readonly newline: string; readonly quoteAll: boolean; readonly mark: string },
): string {
  const field = (text: string) =>
    style.quoteAll || /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  const line = (fields: readonly string[]) => fields.map(field).join(',') + style.newline;
  return (
    style.mark + line(columns) + rows.map((row) => line(columns.map((c) => row[c] ?? ''))).join('')
  );
}

export type Style = Parameters<typeof csvOf>[2];

export const styleOf = (random: Random): Style => ({
  newline: random.chance(50) ? '\r\n' : '\n',
  quoteAll: random.chance(30),
  mark: random.chance(30) ? '\uFEFF' : '',
});

export const isInMonth = ({ day }: Pick<Payout, 'day'>): boolean =>
  day >= month.from && day <= month.to;
