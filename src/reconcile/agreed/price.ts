import type { AgreedPrice, AgreedRate } from '../../model/agreed-rates.ts';
import { atScale, type Decimal, parseDigits } from '../../money/decimal.ts';
import { magnitude } from '../../money/money.ts';
import { type RoundingRule, rounded } from '../../money/rounding.ts';

/** The lowest and the highest amount that agree, in minor units. */
export interface Bounds {
  readonly low: bigint;
  readonly high: bigint;
}

/** A number as the settings write it. RangeError unless they were validated. */
export function numberIn(text: string): Decimal {
  const number = parseDigits(text);
  if (!number) throw new RangeError(`Not a number: ${text}`);
  return number;
}

/** An amount of a price that is no whole number of minor units at a scale; undefined if all are. */
export function misfitOf(price: AgreedPrice, scale: number) {
  const keys = ['fixed', 'minimum', 'maximum'] as const;
  return keys.find((key) => numberIn(price[key] ?? '0').scale > scale);
}

type PriceForm = Pick<AgreedRate, 'rounding' | 'round' | 'sign'>;

/** What a rate asks for amounts at one scale. RangeError if an amount of the price has more decimals. */
export class Price {
  readonly terms: AgreedPrice;
  readonly #how: PriceForm;
  readonly #percents: Percents;
  readonly #fixed: bigint;
  readonly #minimum: bigint | undefined;
  readonly #maximum: bigint | undefined;

  constructor(terms: AgreedPrice, how: PriceForm, scale: number) {
    const minor = (text = '') => (text === '' ? undefined : atScale(numberIn(text), scale));
    const { percent = '0', percent_from: from = percent, percent_to: to = percent } = terms;
    this.terms = terms;
    this.#how = how;
    this.#percents = percentsOf(from, to);
    this.#fixed = minor(terms.fixed) ?? 0n;
    this.#minimum = minor(terms.minimum);
    this.#maximum = minor(terms.maximum);
  }

  /** The fees that agree for an amount; returned ones are negative. */
  fee(amount: bigint): Bounds {
    const { sign, rounding } = this.#how;
    if (amount < 0n && sign === 'none') return { low: 0n, high: 0n };
    const { least, most } = this.#percents;
    const base = magnitude(amount);
    const low = this.#feeOf(base * least, rounding ?? 'down');
    const isExact = least === most && rounding !== undefined;
    const high = isExact ? low : this.#feeOf(base * most, rounding ?? 'up');
    return amount < 0n && sign === 'returned' ? { low: -high, high: -low } : { low, high };
  }

  #feeOf(part: bigint, rule: RoundingRule): bigint {
    const { whole } = this.#percents;
    const fee =
      this.#how.round === 'parts'
        ? rounded(part, whole, rule) + this.#fixed
        : rounded(part + this.#fixed * whole, whole, rule);
    if (this.#minimum !== undefined && fee < this.#minimum) return this.#minimum;
    return this.#maximum !== undefined && fee > this.#maximum ? this.#maximum : fee;
  }
}

/** The tax that agrees on a fee: at a percentage, rounded by the rule, or either way without one. */
export function taxOn(
  fee: bigint,
  { percent, rounding }: Pick<NonNullable<AgreedRate['tax']>, 'percent' | 'rounding'>,
): Bounds {
  const { least, whole } = percentsOf(percent, percent);
  const by = (rule: RoundingRule) => rounded(magnitude(fee) * least, whole, rounding ?? rule);
  const [low, high] = [by('down'), by('up')];
  return fee < 0n ? { low: -high, high: -low } : { low, high };
}

/** The nearest amount within the bounds. */
export function within({ low, high }: Bounds, amount: bigint): bigint {
  if (amount < low) return low;
  return amount > high ? high : amount;
}

/** Parts of an amount, as integers over `whole`. */
interface Percents {
  readonly least: bigint;
  readonly most: bigint;
  readonly whole: bigint;
}

const percentsByText = new Map<string, Percents>();

/** Cached: a contract has few. */
function percentsOf(from: string, to: string): Percents {
  const key = `${from} ${to}`;
  const known = percentsByText.get(key);
  if (known) return known;
  const [least, most] = [numberIn(from), numberIn(to)];
  const scale = Math.max(least.scale, most.scale);
  const percents = {
    least: atScale(least, scale),
    most: atScale(most, scale),
    whole: 100n * 10n ** BigInt(scale),
  };
  percentsByText.set(key, percents);
  return percents;
}
