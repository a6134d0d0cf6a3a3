import { addMonths } from '../../base/calendar.ts';
import type { AgreedPrice, AgreedRate, Agreement } from '../../model/agreed-rates.ts';
import type { Settlement } from '../../model/settlement.ts';
import { addMoney, type Money, rescale } from '../../money/money.ts';
import type { RowColumns } from '../row-columns.ts';
import { factorsBy, type Rules } from '../rules.ts';
import { numberIn } from './price.ts';
import { RatesByDay, ratesFor } from './which-rate.ts';

/** The amounts that rates with tiers match, by merchant and month. */
export class Volumes {
  readonly #sums = new Map<AgreedRate, Map<string, Money>>();
  /** Whether everything that a month needs was read. */
  readonly isKnown: (month: string, rate: AgreedRate) => boolean;

  constructor(isKnown: Volumes['isKnown']) {
    this.isKnown = isKnown;
  }

  /** Adds all rows of a settlement. */
  add(
    settlement: Settlement,
    rows: RowColumns,
    { rates, timeZone }: Agreement,
    rules: Rules,
  ): void {
    const kinds = rows.kinds.map((kind) => {
      const own = ratesFor(rates, settlement, kind);
      const factor = BigInt(factorsBy(rules, kind)?.gross ?? 0);
      return { kind, factor, byDay: new RatesByDay(own, settlement.date, timeZone) };
    });
    for (let row = 0; row < rows.size; row += 1) {
      const found = kinds[rows.kindNumber(row)];
      if (!found) continue;
      const { kind, factor, byDay } = found;
      const { rates: chosen, month } = byDay.at(rows.details(row).timestamp);
      const [rate] = chosen;
      if (!rate?.tiers || chosen.length > 1) continue;
      const { scale, currency } = kind;
      const sums = this.#sums.get(rate) ?? new Map<string, Money>();
      this.#sums.set(rate, sums);
      const key = `${month} ${settlement.merchantId}`;
      const amount = { minor: rows.amount(row) * factor, scale, currency };
      const sum = sums.get(key);
      sums.set(key, sum ? addMoney(sum, amount) : amount);
    }
  }

  /** The price of a rate for rows of a month; with tiers, undefined if the volume is not known. */
  priceOf(rate: AgreedRate, merchantId: string, month: string): AgreedPrice | undefined {
    const { tiers, ...price } = rate;
    if (!tiers) return price;
    const decisive = decisiveMonth(rate, month);
    if (decisive === '' || !this.isKnown(decisive, rate)) return undefined;
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
