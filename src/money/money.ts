/** The most decimal places an amount may have. */
export const maxScale = 18;

function requireScale(scale: number): void {
  if (!Number.isInteger(scale) || scale < 0 || scale > maxScale) {
    throw new RangeError(`Not a scale of 0 to ${maxScale}: ${scale}`);
  }
}

/** An amount with more decimal places. Throws RangeError if `to` is smaller than `from`. */
export function rescale(minor: bigint, from: number, to: number): bigint {
  requireScale(from);
  requireScale(to);
  if (to < from) {
    throw new RangeError(`Scale ${from} can't become ${to} without rounding`);
  }
  return to === from ? minor : minor * 10n ** BigInt(to - from);
}

/** Decimal text with exactly `scale` decimals, made from digits: (-1234n, 2) is "-12.34". */
export function formatMinor(minor: bigint, scale: number): string {
  requireScale(scale);
  const text = minor.toString();
  if (scale === 0) return text;
  const isNegative = text.startsWith('-');
  const digits = (isNegative ? text.slice(1) : text).padStart(scale + 1, '0');
  const point = digits.length - scale;
  return `${isNegative ? '-' : ''}${digits.slice(0, point)}.${digits.slice(point)}`;
}

/** Parses decimal text to minor units: "-12.3" at 2 is -1230n. Undefined if it would be rounded. */
export function parseDecimal(text: string, scale: number): bigint | undefined {
  requireScale(scale);
  const [, sign, whole, decimals = ''] = /^([-+]?)(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  if (whole === undefined || decimals.length > scale) return undefined;
  const minor = BigInt(whole + decimals.padEnd(scale, '0'));
  return sign === '-' ? -minor : minor;
}

/** An amount without its sign. */
export function magnitude(minor: bigint): bigint {
  return minor < 0n ? -minor : minor;
}

/** An exact amount, without its currency. */
export interface Amount {
  readonly minor: bigint;
  /** Decimal places, 0 to 18. */
  readonly scale: number;
}

export interface Money extends Amount {
  readonly currency: string;
}

/** The sum at the larger scale. Throws RangeError if the currencies differ. */
export function addMoney(a: Money, b: Money): Money {
  if (a.currency !== b.currency) {
    throw new RangeError(`${a.currency} and ${b.currency} can't be added`);
  }
  const scale = Math.max(a.scale, b.scale);
  const minor = rescale(a.minor, a.scale, scale) + rescale(b.minor, b.scale, scale);
  return { minor, scale, currency: a.currency };
}

/** The sum of the amounts of each currency, sorted by code. */
export function moneySums(amounts: readonly Money[]): readonly Money[] {
  const sums = new Map<string, Money>();
  for (const one of amounts) {
    const sum = sums.get(one.currency);
    sums.set(one.currency, sum ? addMoney(sum, one) : one);
  }
  return [...sums.values()].sort((one, other) => (one.currency < other.currency ? -1 : 1));
}

/** The sum of the amounts without signs of each currency, sorted by code. */
export function absoluteSums(amounts: readonly Money[]): readonly Money[] {
  return moneySums(amounts.map((one) => ({ ...one, minor: magnitude(one.minor) })));
}

/** The sums of the amounts of each currency, with signs and without, sorted by code. */
export function netAndAbsoluteSums(amounts: readonly Money[]) {
  const absolutes = absoluteSums(amounts);
  return moneySums(amounts).map(({ minor: net, ...money }, at) => {
    return { ...money, net, absolute: absolutes[at]?.minor ?? 0n };
  });
}

/** The most decimal places of each currency. */
export function largestScales(
  all: readonly Pick<Money, 'currency' | 'scale'>[],
): Map<string, number> {
  const scales = new Map<string, number>();
  for (const { currency, scale } of all) {
    scales.set(currency, Math.max(scale, scales.get(currency) ?? 0));
  }
  return scales;
}

/** What an amount of each item comes to; minor units at `scale`, which is no smaller than theirs. */
export function sumAt<Item extends Pick<Money, 'scale'>>(
  scale: number,
  items: readonly Item[],
  minorOf: (item: Item) => bigint,
): bigint {
  return items.reduce((sum, one) => sum + rescale(minorOf(one), one.scale, scale), 0n);
}
