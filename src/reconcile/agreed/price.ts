import { addMonths } from '../../base/calendar.ts';
import type { AgreedPrice, AgreedRate } from '../../model/agreed-rates.ts';
import { atScale, type Decimal, parseDigits } from '../../money/decimal.ts';
import { addMoney, type Money, magnitude, rescale } from '../../money/money.ts';
import { type RoundingRule, rounded } from '../../money/rate.ts';

/** The lowest and the highest amount that agree, in minor units. */
export interface Bounds {
  readonly low: bigint;
  readonly high: bigint;
}

/** A number of the settings. RangeError unless they were validated. */
export function numberIn(text: string): Decimal {
  const number = parseDigits(text);
  if (!number) throw new RangeError(`Not a number: ${text}`);
  return number;
}

/** The key of an amount that has more decimals than a scale; undefined if none has. */
export function misfitOf(price: AgreedPrice, scale: number) {
  const keys = ['fixed', 'minimum', 'maximum'] as const;
  return keys.find((key) => numberIn(price[key] ?? '0').scale > scale);
}

/** The fees that agree for amounts at a scale; returned ones are negative. RangeError for a misfit. */
export function feesBy(
  terms: AgreedPrice,
  { sign, round, rounding }: Pick<AgreedRate, 'sign' | 'round' | 'rounding'>,
  scale: number,
): (amount: bigint) => Bounds {
  const minor = (text: string) => atScale(numberIn(text), scale);
  const { percent = '0', percent_from: from = percent, percent_to: to = percent } = terms;
  const fixed = minor(terms.fixed ?? '0');
  const minimum = minor(terms.minimum ?? '0');
  const maximum = terms.maximum === undefined ? undefined : minor(terms.maximum);
  const feeOf = (part: bigint, whole: bigint, rule: RoundingRule) => {
    const fee =
      round === 'parts'
        ? rounded(part, whole, rule) + fixed
        : rounded(part + fixed * whole, whole, rule);
    const least = fee < minimum ? minimum : fee;
    return maximum !== undefined && least > maximum ? maximum : least;
  };
  const [least, most] = [numberIn(from), numberIn(to)].map(({ digits, scale: places }) => {
    const whole = 100n * 10n ** BigInt(places);
    return (base: bigint, rule: RoundingRule) => feeOf(base * digits, whole, rule);
  });
  return (amount) => {
    const base = magnitude(amount);
    const isNone = amount < 0n && sign === 'none';
    const low = isNone ? 0n : (least?.(base, rounding ?? 'down') ?? 0n);
    const high = isNone ? 0n : (most?.(base, rounding ?? 'up') ?? 0n);
    return amount < 0n && sign === 'returned' ? { low: -high, high: -low } : { low, high };
  };
}

/** The nearest amount within the bounds. */
export function within({ low, high }: Bounds, amount: bigint): bigint {
  if (amount < low) return low;
  return amount > high ? high : amount;
}

/** The amounts that rates with tiers match, by merchant and month. */
export class Volumes {
  readonly #sums = new Map<AgreedRate, Map<string, Money>>();
  /** Whether everything that a month needs was read. */
  readonly #isKnown: (month: string) => boolean;

  constructor(isKnown: (month: string) => boolean) {
    this.#isKnown = isKnown;
  }

  add(rate: AgreedRate, merchantId: string, month: string, amount: Money): void {
    const sums = this.#sums.get(rate) ?? new Map<string, Money>();
    this.#sums.set(rate, sums);
    const key = `${month} ${merchantId}`;
    const sum = sums.get(key);
    sums.set(key, sum ? addMoney(sum, amount) : amount);
  }

  /** What rows of a month cost; with tiers, undefined if the volume is not known. */
  priceOf(rate: AgreedRate, merchantId: string, month: string): AgreedPrice | undefined {
    const { tiers, ...price } = rate;
    if (!tiers) return price;
    const decisive = decisiveMonth(rate, month);
    if (decisive === '' || !this.#isKnown(decisive)) return undefined;
    const none = { minor: 0n, scale: 0, currency: rate.currency };
    const volume = this.#sums.get(rate)?.get(`${decisive} ${merchantId}`) ?? none;
    const tier = tiers.find(({ up_to }) => up_to === undefined || isUpTo(volume, up_to));
    return { ...price, ...tier };
  }
}

/** The month whose volume decides the tier of rows of a month; empty if that is not known. */
export function decisiveMonth({ tier_of }: Pick<AgreedRate, 'tier_of'>, month: string): string {
  return month === '' || tier_of === 'month' ? month : addMonths(`${month}-01`, -1).slice(0, 7);
}

function isUpTo({ minor, scale }: Money, text: string): boolean {
  const limit = numberIn(text);
  const common = Math.max(scale, limit.scale);
  return rescale(minor, scale, common) <= rescale(limit.digits, limit.scale, common);
}
