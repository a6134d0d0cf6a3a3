import { byDateThenId } from '../../model/settlement.ts';
import { type IdentityName, payInOf } from '../../reconcile/identity.ts';
import type { CauseCandidate, Hypothesis } from '../candidate.ts';
import type { Case, Neighbour } from '../case.ts';
import { type CauseFacts, cause } from '../cause.ts';
import { isSame, minus, noTally, plus, shift, type Tally, tallyFrom, total } from '../tally.ts';
import { differenceOf, neighboursOf, withoutNeighbours } from './neighbours.ts';

/** `neighbour`: the last settlements before this one owed something, and all of it is set off here. */
const carriedBalance: Hypothesis = {
  code: 'neighbour',
  dependsOn: 'case',
  obstacle: withoutNeighbours,
  *candidates({ subject }) {
    if (subject.identity === 'off') return;
    const earlier = inOrder(subject).filter((neighbour) => isEarlier(neighbour, subject));
    const owing: Neighbour[] = [];
    let change: Tally = noTally;
    for (const neighbour of earlier.toReversed()) {
      const { payIn, scale } = neighbour.settlement;
      // What was paid in between was not kept back for it.
      if (payIn > 0n) return;
      if (payIn === 0n) continue;
      const owed = shift({ ...noTally, contradiction: payIn }, subject.scale - scale);
      if (owed === undefined) return;
      owing.unshift(neighbour);
      change = plus(change, owed);
      if (owing.length > 1) yield together('carried_balance', owing, change, earlier.length);
    }
  },
};

/** So many before and after are looked at. */
const mostInARow = 20;

/** `neighbour`: of settlements in a row that are off, one makes up for all others. */
export const balancedByOthers: Hypothesis = {
  code: 'neighbour',
  dependsOn: 'case',
  obstacle: withoutNeighbours,
  *candidates({ subject }) {
    const { earlier, later } = offAround(subject);
    const off = [...earlier, ...later];
    for (let first = 0; first <= earlier.length; first++) {
      for (let last = Math.max(earlier.length, first + 2); last <= off.length; last++) {
        const others = off.slice(first, last);
        const change = minus(noTally, total(others.map(({ difference }) => difference)));
        const directions = [change, ...others.map(({ difference }) => difference)].map(directionOf);
        const up = directions.filter((direction) => direction > 0).length;
        if (up !== 1 && up !== directions.length - 1) continue;
        const neighbours = others.map(({ neighbour }) => neighbour);
        const isOwed = last === earlier.length && directions[0] === -1;
        const kind =
          isOwed && neighbours.every(({ settlement }) => settlement.payIn === 0n)
            ? 'carried_balance'
            : 'reserve';
        yield together(kind, neighbours, change, off.length ** 2);
      }
    }
  },
};

/** Of less than this, in minor units, almost any amount would be a share. */
const leastBase = 10_000n;
const mostThousandths = 500;

/** `withheld`: a round share is withheld, or what two other settlements lack too. */
const withheld: Hypothesis = {
  code: 'withheld',
  dependsOn: 'header',
  *candidates({ header, subject }) {
    const { identity, scale, target } = subject;
    if (identity === 'off' || target.contradiction >= 0n) return;
    const lacking = inOrder(subject).flatMap((neighbour) => {
      const { settlement } = neighbour;
      const theirs = shift(tallyFrom(identity, settlement), scale - settlement.scale);
      return theirs && theirs.contradiction < 0n ? [{ neighbour, theirs }] : [];
    });
    const change = { ...noTally, contradiction: header.contradiction };
    const others = lacking.map(({ neighbour }) => namedIn(neighbour));
    const isSaidByAll = (test: (theirs: Tally) => boolean) =>
      lacking.length > 1 && lacking.every(({ theirs }) => test(theirs));
    for (const base of ['gross', 'pay_in'] as const) {
      const thousandths = thousandthsWithheld(header, identity, base);
      if (thousandths === undefined) continue;
      const isShared = isSaidByAll(
        (one) => thousandthsWithheld(one, identity, base) === thousandths,
      );
      // Where no others show it, only a whole percent is a share.
      if (!isShared && thousandths % 10 !== 0) continue;
      const choices = isShared ? 2 * mostThousandths : 2 * 64 * (mostThousandths / 10);
      const facts = { base, thousandths, others: isShared ? others : [] };
      // It assumes that no settlement farther away releases it.
      const unseen = isShared ? {} : { assumed: 0, inLine: true };
      yield { cause: cause('withheld', facts), choices, change, ...unseen };
    }
    if (isSaidByAll(({ contradiction }) => contradiction === header.contradiction)) {
      yield { cause: cause('withheld', { base: 'amount', others }), choices: 1, change };
    }
  },
};

/** How many thousandths a pay-in lacks of what it follows from, to the minor unit; nothing where it isn't that. */
function thousandthsWithheld(
  { gross, fees, tax, contradiction }: Tally,
  identity: IdentityName,
  of: 'gross' | 'pay_in',
): number | undefined {
  const base = of === 'gross' ? gross : payInOf(identity, gross, fees, tax);
  if (base < leastBase) return undefined;
  const withheld = -1000n * contradiction;
  const thousandths = (withheld + base / 2n) / base;
  const rest = withheld - thousandths * base;
  const isExact = -1000n < rest && rest < 1000n;
  const isShare = 0n < thousandths && thousandths <= BigInt(mostThousandths);
  return isExact && isShare ? Number(thousandths) : undefined;
}

/** The neighbours that are off, and by how much, nearest to this settlement. */
function offAround(subject: Case) {
  const off = inOrder(subject).flatMap((neighbour) => {
    const difference = differenceOf(subject, neighbour);
    return difference && !isSame(difference, noTally) ? [{ neighbour, difference }] : [];
  });
  const earlier = off.filter(({ neighbour }) => isEarlier(neighbour, subject));
  return {
    earlier: earlier.slice(-mostInARow),
    later: off.slice(earlier.length).slice(0, mostInARow),
  };
}

/** Whether a difference is too much or too little: of its pay-in, or else of its gross. */
function directionOf({ contradiction, gross, fees, tax }: Tally): number {
  const first = [contradiction, gross, -fees, -tax].find((minor) => minor !== 0n) ?? 0n;
  return first > 0n ? 1 : -1;
}

function inOrder(subject: Case): readonly Neighbour[] {
  return [...neighboursOf(subject)].sort((a, b) => byDateThenId(a.settlement, b.settlement));
}

function isEarlier({ settlement }: Neighbour, subject: Case): boolean {
  return byDateThenId(settlement, subject.settlement) < 0;
}

function namedIn({ settlement: { id, date } }: Neighbour) {
  return { settlementId: id, date };
}

function together(
  kind: CauseFacts['neighbour']['kind'],
  neighbours: readonly Neighbour[],
  change: Tally,
  choices: number,
): CauseCandidate {
  const [first = { settlementId: '', date: '' }, ...others] = neighbours.map(namedIn);
  const facts = cause('neighbour', { kind, ...first, count: 'follows', others });
  return { cause: facts, choices, change };
}

export const severalNeighbours: readonly Hypothesis[] = [
  carriedBalance,
  balancedByOthers,
  withheld,
];
