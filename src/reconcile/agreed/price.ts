import { addMonths, dayWithin, microsecondsOf, writtenDay } from '../../base/calendar.ts';
import type { AgreedPrice, AgreedRate, Agreement } from '../../model/agreed-rates.ts';
import type { RowKind } from '../../model/row-batch.ts';
import type { Settlement } from '../../model/settlement.ts';
import { atScale, type Decimal, parseDigits } from '../../money/decimal.ts';
import { addMoney, type Money, magnitude, rescale } from '../../money/money.ts';
import { type RoundingRule, rounded } from '../../money/rate.ts';
import type { RowColumns } from '../row-columns.ts';
import { factorsBy, type Rules } from '../rules.ts';

/** What applies to rows of a kind on a day; one object for all of them. */
export interface Chosen {
  readonly kind: RowKind;
  /** None if none was agreed. Several are an error of the settings. */
  readonly rates: readonly AgreedRate[];
  /** The month whose volume includes the rows, YYYY-MM; empty if the day is unknown. */
  readonly month: string;
}

/** A row that counts, with its rates; minor units with the signs that rules give them. */
interface RatedRow {
  readonly row: number;
  readonly chosen: Chosen;
  readonly amount: bigint;
  readonly fee: bigint;
  readonly tax: bigint;
}

/** The rows of a settlement that count. Rules that are about headers alone do not apply. */
export function* ratedRows(
  settlement: Settlement,
  rows: RowColumns,
  { rates, timeZone }: Agreement,
  { tax_in_fees, ...rules }: Rules,
): Iterable<RatedRow> {
  const kinds = rows.kinds.map((kind) => {
    const own = rates.filter((rate) => isFor(rate, settlement, kind));
    const hasDays = own.some((one) => one.valid_from ?? one.valid_to ?? one.tiers);
    const factors = factorsBy(rules, kind);
    return factors && { kind, own, hasDays, factors, byDay: new Map<string, Chosen>() };
  });
  for (let row = 0; row < rows.size; row += 1) {
    const found = kinds[rows.kindNumber(row)];
    if (!found) continue;
    const { kind, own, hasDays, factors, byDay } = found;
    const day = hasDays ? rowDay(rows.details(row).timestamp, timeZone) : '';
    const chosen = byDay.get(day) ?? ratesOn(day, settlement.date, kind, own);
    byDay.set(day, chosen);
    const tax = rows.tax(row) * BigInt(factors.tax);
    const fee = rows.fees(row) * BigInt(factors.fees) - (tax_in_fees === 'also_in_rows' ? tax : 0n);
    yield { row, chosen, amount: rows.amount(row) * BigInt(factors.gross), fee, tax };
  }
}

function isFor(
  { types, payment_types, states, merchant_ids, tokens, currency }: AgreedRate,
  { merchantId, accountingToken }: Settlement,
  kind: RowKind,
): boolean {
  const admits = (list: readonly string[] | undefined, value: string) =>
    list?.includes(value) ?? true;
  return (
    currency === kind.currency &&
    admits(types, kind.type) &&
    admits(payment_types, kind.paymentType) &&
    admits(states, kind.state) &&
    admits(merchant_ids, merchantId) &&
    admits(tokens, accountingToken)
  );
}

/** The rates of a day. A rate with dates never applies to a row whose day is unknown. */
function ratesOn(
  rowDay: string,
  settlementDay: string,
  kind: RowKind,
  rates: readonly AgreedRate[],
): Chosen {
  const dayBy = ({ day }: AgreedRate) => (day === 'row' ? rowDay : settlementDay);
  const valid = rates.filter((rate) => {
    const { valid_from: from, valid_to: to } = rate;
    const day = dayBy(rate);
    if (day === '') return from === undefined && to === undefined;
    return (from ?? day) <= day && day <= (to ?? day);
  });
  const [first] = valid;
  return { kind, rates: valid, month: first ? dayBy(first).slice(0, 7) : '' };
}

const usualTimestamp = /^(\d{4}-\d\d-\d\dT\d\d:\d\d):[0-5]\d(?:\.\d+)?(Z|[+-]\d\d:\d\d)$/;
const days = new Map<string, string>();
const mostDays = 100_000;

/** The day of a timestamp in a time zone; without an offset, as written; empty for any other text. */
export function rowDay(timestamp: string, timeZone: string): string {
  const [, minute = '', offset = ''] = usualTimestamp.exec(timestamp) ?? [];
  // Days change at a full minute.
  const key = `${minute}${offset} ${timeZone}`;
  const known = minute === '' ? undefined : days.get(key);
  if (known !== undefined) return known;
  const moment = microsecondsOf(timestamp);
  const day =
    moment === undefined
      ? (writtenDay(timestamp) ?? '')
      : dayWithin(Number(moment / 1000n), timeZone);
  if (days.size > mostDays) days.clear();
  if (minute !== '') days.set(key, day);
  return day;
}

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
export function tooPreciseKey(price: AgreedPrice, scale: number) {
  const keys = ['fixed', 'minimum', 'maximum'] as const;
  return keys.find((key) => numberIn(price[key] ?? '0').scale > scale);
}

/** The fees that agree for amounts at a scale; returned ones are negative. RangeError for a `tooPreciseKey`. */
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
