import type { AgreedTax, Rate, Rounding, Terms } from './contract.ts';

/** The lowest and the highest amount agreed. */
export interface Span {
  readonly low: bigint;
  readonly high: bigint;
}

/** Digits and how many of them are behind the point. */
interface Exact {
  readonly digits: bigint;
  readonly places: number;
}

/** Decimal text in minor units. */
function minorUnits(text: string, scale: number): bigint {
  const [whole = '', fraction = ''] = text.split('.');
  return BigInt(whole + fraction.padEnd(scale, '0'));
}

function share(amount: bigint, percent = '0'): Exact {
  const [whole = '', fraction = ''] = percent.split('.');
  return { digits: amount * BigInt(whole + fraction), places: fraction.length + 2 };
}

/** Rounds by looking at the digits behind the point. Without an agreement: as `open` says. */
function rounded({ digits, places }: Exact, open: Rounding, rounding: Rounding = open): bigint {
  const text = String(digits).padStart(places + 1, '0');
  const whole = BigInt(text.slice(0, -places));
  const rest = text.slice(-places);
  const half = '5'.padEnd(places, '0');
  const isUp = {
    down: false,
    up: /[1-9]/.test(rest),
    half_up: rest >= half,
    half_even: rest > half || (rest === half && whole % 2n === 1n),
  };
  return isUp[rounding] ? whole + 1n : whole;
}

/** What a row may cost, at its scale, by a rate or by a tier of it. */
export function priced(rate: Rate, amount: bigint, scale: number, terms: Terms = rate): Span {
  const isNegative = amount < 0n;
  if (isNegative && rate.sign === 'none') return { low: 0n, high: 0n };
  const fixed = minorUnits(terms.fixed ?? '0', scale);
  const fee = (percent: string | undefined, open: Rounding) => {
    const part = share(isNegative ? -amount : amount, percent);
    const sum = { ...part, digits: part.digits + fixed * 10n ** BigInt(part.places) };
    const whole =
      rate.round === 'parts'
        ? rounded(part, open, rate.rounding) + fixed
        : rounded(sum, open, rate.rounding);
    if (terms.minimum && whole < minorUnits(terms.minimum, scale)) {
      return minorUnits(terms.minimum, scale);
    }
    if (terms.maximum && whole > minorUnits(terms.maximum, scale)) {
      return minorUnits(terms.maximum, scale);
    }
    return whole;
  };
  const low = fee(terms.percent_from ?? terms.percent, 'down');
  const high = fee(terms.percent_to ?? terms.percent, 'up');
  return isNegative && rate.sign === 'returned' ? { low: -high, high: -low } : { low, high };
}

/** What the tax on a fee may be; on a fee that is given back, it is given back too. */
export function taxed({ percent, rounding }: AgreedTax, fee: bigint): Span {
  const part = share(fee < 0n ? -fee : fee, percent);
  const low = rounded(part, 'down', rounding);
  const high = rounded(part, 'up', rounding);
  return fee < 0n ? { low: -high, high: -low } : { low, high };
}
