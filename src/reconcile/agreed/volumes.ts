import { addMonths } from '../../base/calendar.ts';
import type { AgreedPrice, AgreedRate } from '../../model/agreed-rates.ts';
import { addMoney, type Money, rescale } from '../../money/money.ts';
import { numberIn } from './price.ts';

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
