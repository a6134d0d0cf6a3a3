import { entry } from '../entry.ts';
import { moneyOf, type Subject } from '../subject.ts';
import { isForgiven } from '../tolerance.ts';
import type { Check } from './check.ts';
import { ownPayIn } from './identity.ts';

/**
 * `within_tolerance`: what `gross`, `fees`, `tax` and `identity` would have said, but for the
 * tolerance. The pay-in stands for `identity`: its difference is to the header's own amounts.
 */
export const withinTolerance: Check = (subject) => {
  const differences = differencesOf(subject)
    .filter(({ minor }) => minor !== 0n && isForgiven(subject, minor))
    .map(({ measure, minor }) => ({ measure, difference: moneyOf(subject, minor) }));
  if (differences.length === 0) return [];
  const tolerance = moneyOf(subject, subject.tolerance);
  return [entry('within_tolerance', differences.length, { tolerance, differences })];
};

function differencesOf(subject: Subject) {
  const { difference } = subject;
  return [
    { measure: 'gross', minor: difference?.gross ?? 0n },
    { measure: 'fees', minor: difference?.fees ?? 0n },
    { measure: 'tax', minor: difference?.tax ?? 0n },
    { measure: 'payIn', minor: ownPayIn(subject)?.difference ?? 0n },
  ] as const;
}
