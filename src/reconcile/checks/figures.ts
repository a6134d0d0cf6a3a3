import { found } from '../entry.ts';
import { deviation } from '../identity.ts';
import { type Check, isForgiven, moneyOf, type Subject } from '../subject.ts';

const measures = ['gross', 'fees', 'tax'] as const;

/** `gross`, `fees` and `tax`: what the header reports is the sum over the rows. */
const amounts: Check = (subject) => {
  const { reported, computed } = subject;
  if (computed === undefined) return [];
  return measures.flatMap((measure) =>
    found(measure, 1, compared(subject, reported[measure], computed[measure])),
  );
};

/** `count`: `totalTransactions` is the number of unique transaction ids, of whatever currency, that count. */
const count: Check = ({ reported, computed, rows: { size: listed } }) => {
  if (computed === undefined) return [];
  const difference = reported.transactions - computed.transactions;
  const facts = { reported: reported.transactions, computed: computed.transactions, difference };
  const isByRule = listed !== computed.transactions;
  return found('count', Math.abs(difference), { ...facts, ...(isByRule && { listed }) });
};

/** `identity`: the header's pay-in follows from its own gross, fees and tax. */
const identity: Check = (subject) => {
  const { reported, settings } = subject;
  if (settings.identity === 'off') return [];
  const computed = reported.payIn - deviation(settings.identity, reported);
  const facts = compared(subject, reported.payIn, computed);
  return found('identity', 1, facts && { ...facts, identity: settings.identity });
};

/** The amounts, where their difference isn't forgiven. */
function compared(subject: Subject, reported: bigint, computed: bigint) {
  const difference = reported - computed;
  if (difference === 0n || isForgiven(subject, difference)) return undefined;
  return {
    reported: moneyOf(subject, reported),
    computed: moneyOf(subject, computed),
    difference: moneyOf(subject, difference),
  };
}

/**
 * `within_tolerance`: what `gross`, `fees`, `tax` and `identity` would have said, but for the
 * tolerance. The pay-in stands for `identity`: its difference is to the header's own amounts.
 */
const withinTolerance: Check = (subject) => {
  const { difference, tolerance, reported, settings } = subject;
  const differences = [
    ...measures.map((measure) => ({ measure, minor: difference?.[measure] ?? 0n })),
    { measure: 'payIn' as const, minor: deviation(settings.identity, reported) },
  ]
    .filter(({ minor }) => minor !== 0n && isForgiven(subject, minor))
    .map(({ measure, minor }) => ({ measure, difference: moneyOf(subject, minor) }));
  const facts = { tolerance: moneyOf(subject, tolerance), differences };
  return found('within_tolerance', differences.length, facts);
};

export const figureChecks: readonly Check[] = [amounts, count, identity, withinTolerance];
