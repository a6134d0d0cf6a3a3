/** `down` is towards zero, `up` away from it, `half_up` too for halves. */
export type RoundingRule = 'half_up' | 'half_even' | 'down' | 'up';

/** A quotient in whole units, by the rule. Neither number is negative. */
export function rounded(numerator: bigint, denominator: bigint, rule: RoundingRule): bigint {
  const whole = numerator / denominator;
  const rest = numerator % denominator;
  if (rest === 0n || rule === 'down') return whole;
  if (rule === 'up' || 2n * rest > denominator) return whole + 1n;
  const isUp = 2n * rest === denominator && (rule === 'half_up' || whole % 2n === 1n);
  return isUp ? whole + 1n : whole;
}
