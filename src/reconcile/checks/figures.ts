import { entry } from '../entry.ts';
import { payInOf } from '../identity.ts';
import { type Check, isForgiven, moneyOf, type Subject } from '../subject.ts';

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

/** `count`: `totalTransactions` is the number of unique transaction ids, of whatever currency. */
export const count: Check = ({ reported, computed, difference }) => {
  if (computed === undefined || difference === undefined || difference.transactions === 0)
    return [];
  return [
    entry('count', Math.abs(difference.transactions), {
      reported: reported.transactions,
      computed: computed.transactions,
      difference: difference.transactions,
    }),
  ];
};

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
function ownPayIn({ reported, settings: { identity } }: Subject) {
  if (identity === 'off') return undefined;
  const computed = payInOf(identity, reported.gross, reported.fees, reported.tax);
  const difference = reported.payIn - computed;
  return { identity, reported: reported.payIn, computed, difference };
}

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
