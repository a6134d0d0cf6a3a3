import { formatMinor } from '../../money/money.ts';
import type { RoundingRule } from '../../money/rate.ts';

export const ruleWords: Readonly<Record<RoundingRule, string>> = {
  up: 'up',
  down: 'down',
  half_up: 'half up',
  half_even: 'half to even',
};

/** A percentage without zeros at its end. */
export function percentOf(digits: number, decimals: number): string {
  return formatMinor(BigInt(digits), decimals).replace(/\.?0+$/, '');
}
