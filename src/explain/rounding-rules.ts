import type { RoundingRule } from './cause.ts';

/** `digits` / 10^`decimals`. */
export interface Rate {
  readonly digits: bigint;
  readonly decimals: number;
}

export const roundingRules: readonly RoundingRule[] = ['half_up', 'half_even', 'down', 'up'];

/**
 * An amount times a rate, in whole minor units. Signs are kept apart: a refund is rounded as its
 * purchase was, so that `up` is away from zero.
 */
export function roundedProduct(amount: bigint, { digits, decimals }: Rate, rule: RoundingRule) {
  const product = amount * digits;
  const magnitude = product < 0n ? -product : product;
  const divisor = 10n ** BigInt(decimals);
  const whole = magnitude / divisor;
  const rest = magnitude % divisor;
  const rounded = whole + (goesUp(rule, whole, 2n * rest, divisor) ? 1n : 0n);
  return product < 0n ? -rounded : rounded;
}

function goesUp(rule: RoundingRule, whole: bigint, twiceRest: bigint, divisor: bigint): boolean {
  switch (rule) {
    case 'up':
      return twiceRest > 0n;
    case 'down':
      return false;
    case 'half_up':
      return twiceRest >= divisor;
    case 'half_even':
      return twiceRest === divisor ? whole % 2n === 1n : twiceRest > divisor;
  }
}
