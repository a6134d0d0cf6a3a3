import { entry } from '../entry.ts';
import { payInOf } from '../identity.ts';
import { moneyOf, type Subject } from '../subject.ts';
import { isForgiven } from '../tolerance.ts';
import type { Check } from './check.ts';

/** `identity`: the header's pay-in follows from its own gross, fees and tax. */
export const identity: Check = (subject) => {
  const own = ownPayIn(subject);
  if (own === undefined || own.difference === 0n || isForgiven(subject, own.difference)) return [];
  return [
    entry('identity', 1, {
      reported: moneyOf(subject, own.reported),
      computed: moneyOf(subject, own.computed),
      difference: moneyOf(subject, own.difference),
      identity: own.identity,
    }),
  ];
};

/** The header's pay-in against its own amounts; nothing where no identity links them. */
export function ownPayIn({ reported, settings: { identity } }: Subject) {
  if (identity === 'off') return undefined;
  const computed = payInOf(identity, reported.gross, reported.fees, reported.tax);
  const difference = reported.payIn - computed;
  return { identity, reported: reported.payIn, computed, difference };
}
