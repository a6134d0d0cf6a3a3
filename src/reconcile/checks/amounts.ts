import { entry } from '../entry.ts';
import { moneyOf } from '../subject.ts';
import { isForgiven } from '../tolerance.ts';
import type { Check } from './check.ts';

/** `gross`, `fees` and `tax`: what the header reports is the sum over the rows. */
export const amounts: Check = (subject) => {
  const { reported, computed, difference } = subject;
  if (computed === undefined || difference === undefined) return [];
  return (['gross', 'fees', 'tax'] as const)
    .filter((measure) => difference[measure] !== 0n && !isForgiven(subject, difference[measure]))
    .map((measure) =>
      entry(measure, 1, {
        reported: moneyOf(subject, reported[measure]),
        computed: moneyOf(subject, computed[measure]),
        difference: moneyOf(subject, difference[measure]),
      }),
    );
};
