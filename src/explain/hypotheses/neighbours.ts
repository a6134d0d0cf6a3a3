import { daysBetween } from '../../base/calendar.ts';
import { byDateThenId, type Settlement } from '../../model/settlement.ts';
import { magnitude } from '../../money/money.ts';
import { computedFrom, listedIn } from '../../reconcile/computed.ts';
import { type IdentityName, payInOf } from '../../reconcile/identity.ts';
import type { RowColumns } from '../../reconcile/row-columns.ts';
import type { CauseCandidate, Hypothesis } from '../candidate.ts';
import type { Case, Neighbour, Obstacle } from '../case.ts';
import { type CauseFacts, cause, causesBy } from '../cause.ts';
import { formsByCount, type RowForm, type RowHypothesis } from '../row-form.ts';
import { RowValues } from '../row-values.ts';
import {
  hasAmounts,
  inNumbers,
  inView,
  isSame,
  minus,
  noTally,
  plus,
  shift,
  type Tally,
  tallyFrom,
  tallyOf,
  total,
} from '../tally.ts';
import { isBeyondChance } from './rounding.ts';

/** `neighbour`: a neighbour has the same difference with the other sign. */
export const carriedOver: Hypothesis = {
  code: 'neighbour',
  dependsOn: 'case',
  obstacle: withoutNeighbours,
  *candidates({ subject }) {
    const neighbours = neighboursOf(subject);
    const differing = differingOf(subject);
    for (const neighbour of neighbours) {
      const { settlement, rows } = neighbour;
      const difference = differenceOf(subject, neighbour);
      const change = difference && minus(noTally, difference);
      if (change && canMakeUp(subject, change) && arePartners(subject, neighbour, differing)) {
        const { follows } = causesOf('opposite_difference', neighbour);
        // A row with these amounts explains the difference better.
        const unnamed = rows && isOfRow(subject, change) ? 64 * rows.size : 1;
        // The more settlements differ, the likelier one does so by chance.
        const choices = neighbours.length * Math.max(1, differing.length) * unnamed;
        yield { cause: follows, choices, change };
      }
      const owed = { ...noTally, contradiction: settlement.payIn };
      const setOff = shift(owed, subject.scale - settlement.scale);
      const isNotLater = settlement.date <= subject.settlement.date;
      if (setOff && settlement.payIn < 0n && isNotLater && subject.identity !== 'off') {
        const { follows } = causesOf('negative_pay_in', neighbour);
        yield { cause: follows, choices: neighbours.length, change: setOff };
      }
    }
  },
};

/** `neighbour`: the last settlements before this one owed amounts, and all are deducted here. */
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
      // A pay-in between would have been reduced first.
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

/** The most settlements before and after that are compared. */
const mostInARow = 20;

/** `neighbour`: in a row of settlements that differ, one makes up for all others. */
export const balancedByOthers: Hypothesis = {
  code: 'neighbour',
  dependsOn: 'case',
  obstacle: withoutNeighbours,
  *candidates({ subject }) {
    const { earlier, later } = differingNeighbours(subject);
    const off = [...earlier, ...later];
    for (let first = 0; first <= earlier.length; first++) {
      for (let last = Math.max(earlier.length, first + 2); last <= off.length; last++) {
        const others = off.slice(first, last);
        const change = minus(noTally, total(others.map(({ difference }) => difference)));
        const directions = [change, ...others.map(({ difference }) => difference)].map(directionOf);
        const up = directions.filter((direction) => direction > 0).length;
        if (up !== 1 && up !== directions.length - 1) continue;
        if (!canMakeUp(subject, change)) continue;
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

/** Of a smaller base, in minor units, almost any amount is a round share. */
const leastBase = 10_000n;
const mostThousandths = 500;

/** `withheld`: a round share is withheld, or an amount that two other settlements lack too. */
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
      // Without other settlements that show it, only a whole percentage counts.
      if (!isShared && thousandths % 10 !== 0) continue;
      const choices = isShared ? 2 * mostThousandths : 2 * 64 * (mostThousandths / 10);
      const facts = { base, thousandths, others: isShared ? others : [] };
      // It assumes that no more distant settlement releases the amount.
      const unseen = isShared ? {} : { assumed: 0, inLine: true };
      yield { cause: cause('withheld', facts), choices, change, ...unseen };
    }
    if (isSaidByAll(({ contradiction }) => contradiction === header.contradiction)) {
      yield { cause: cause('withheld', { base: 'amount', others }), choices: 1, change };
    }
  },
};

/** The thousandths of its base that a pay-in lacks, exact to the minor unit; undefined for any other amount. */
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

/** The neighbours that differ, and by how much, the nearest first. */
function differingNeighbours(subject: Case) {
  const off = differingOf(subject);
  const earlier = off.filter(({ neighbour }) => isEarlier(neighbour, subject));
  return {
    earlier: earlier.slice(-mostInARow),
    later: off.slice(earlier.length).slice(0, mostInARow),
  };
}

function isOfRow(subject: Case, change: Tally): boolean {
  const [gross, fees, tax] = inNumbers(change);
  return (
    hasAmounts(change) &&
    [subject.values(), ...subject.valuesAround()].some(
      (values) => values.find(gross, fees, tax) >= 0 || values.find(-gross, -fees, -tax) >= 0,
    )
  );
}

interface Differing {
  readonly neighbour: Neighbour;
  readonly difference: Tally;
}

function differingOf(subject: Case): readonly Differing[] {
  return inOrder(subject).flatMap((neighbour) => {
    const difference = differenceOf(subject, neighbour);
    return difference && !isSame(difference, noTally) ? [{ neighbour, difference }] : [];
  });
}

/** Whether others may make up for a difference: not for one of the size of rounding. */
function canMakeUp({ settlement, rows }: Case, change: Tally): boolean {
  const { transactions = rows.size } = settlement;
  const isRounding =
    magnitude(change.gross) <= 1n &&
    magnitude(change.contradiction) <= mostRounded &&
    !isBeyondChance(change.fees, transactions) &&
    !isBeyondChance(change.tax, transactions);
  return !isRounding || change.count !== 0;
}

/** Minor units by which a pay-in differs that is rounded to 0.05 or 0.10. */
const mostRounded = 5n;

/** Whether no other settlement with the same difference is nearer to either of the two. */
function arePartners(
  { settlement: own }: Case,
  { settlement: theirs }: Neighbour,
  differing: readonly Differing[],
): boolean {
  const difference = differing.find(({ neighbour }) => neighbour.settlement === theirs)?.difference;
  if (difference === undefined) return false;
  return differing.every(({ neighbour: { settlement: other }, difference: one }) => {
    if (other === theirs) return true;
    const isRival = isSame(one, difference) && isNearer(other, theirs, own);
    const isClaimant = isSame(one, minus(noTally, difference)) && isNearer(other, own, theirs);
    return !isRival && !isClaimant;
  });
}

function isNearer(one: Settlement, other: Settlement, to: Settlement): boolean {
  const apart = ({ date }: Settlement) => Math.abs(daysBetween(date, to.date));
  return (apart(one) - apart(other) || byDateThenId(one, other)) < 0;
}

/** The sign of a difference: of its pay-in, or else of its gross. */
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
  kind: Kind,
  neighbours: readonly Neighbour[],
  change: Tally,
  choices: number,
): CauseCandidate {
  const [first = { settlementId: '', date: '' }, ...others] = neighbours.map(namedIn);
  const facts = cause('neighbour', { kind, ...first, count: 'follows', others });
  return { cause: facts, choices, change };
}

/** The causes that concern neighbours as a whole. */
export const neighbourHypotheses: readonly Hypothesis[] = [
  carriedOver,
  carriedBalance,
  balancedByOthers,
  withheld,
];

/** `neighbour`: a row that a neighbour lists too, or whose charge has rows there. */
export const listedElsewhere: RowHypothesis = {
  code: 'neighbour',
  obstacle: (subject) =>
    withoutNeighbours(subject) ??
    (withRows(subject).length === 0 && neighboursOf(subject).length > 0
      ? (obstacleAround(subject, 'neighbour_rows_not_read') ?? { reason: 'no_neighbour_rows' })
      : undefined),
  work: (subject) =>
    withRows(subject).reduce((sum, { rows }) => sum + 2 * (rows.size + subject.rows.size), 0),
  forms(subject) {
    const here = idsIn(subject.rows);
    const neighbours = withRows(subject);
    const choices = neighbours.reduce((sum, { rows }) => sum + rows.size, 0);
    return neighbours.flatMap((neighbour) => formsBetween(subject, here, neighbour, choices));
  },
};

type WithRows = Neighbour & { readonly rows: RowColumns };

function withRows(subject: Case): readonly WithRows[] {
  return neighboursOf(subject).flatMap((one) => (one.rows ? [{ ...one, rows: one.rows }] : []));
}

/** The forms in which the header includes rows of the neighbour, or leaves out its own. */
function formsBetween(
  subject: Case,
  here: Ids,
  neighbour: WithRows,
  choices: number,
): readonly RowForm[] {
  const { rows: own, settlement } = subject;
  const { rows: theirs } = neighbour;
  const there = idsIn(theirs);
  // A settlement that balances with its rows says that they are its own.
  const theirDifference = differenceOf(subject, neighbour);
  const balances = theirDifference !== undefined && isSame(theirDifference, noTally);
  const forms = (
    kind: Kind,
    [does, columns]: readonly ['add' | 'leave_out', RowColumns],
    isMeant: (row: number) => boolean,
    of?: number,
  ) => {
    const meant = columns.where(isMeant);
    const values = new RowValues(subject, columns, meant);
    const isDoubtful = does === 'add' && balances;
    return formsByCount(values, does, causesOf(kind, neighbour), of ?? meant.length).map(
      (form): RowForm => (isDoubtful ? { ...form, isDoubtful } : form),
    );
  };
  const isOnlyThere = (row: number) =>
    theirs.kind(row).currency === settlement.currency && !here.rows.has(theirs.id(row));
  const isOfChargeHere = (row: number) => here.charges.has(theirs.chargeId(row));
  const isInBoth = (row: number) => there.rows.has(own.id(row));
  const isOfChargeThere = (row: number) => there.charges.has(own.chargeId(row));
  const [added, leftOut] = [['add', theirs] as const, ['leave_out', own] as const];
  return [
    ...forms('charge_included', added, (row) => isOnlyThere(row) && isOfChargeHere(row)),
    ...forms('listed_there', added, (row) => isOnlyThere(row) && !isOfChargeHere(row), choices),
    ...forms('listed_in_both', leftOut, isInBoth),
    ...forms('charge_left_out', leftOut, (row) => !isInBoth(row) && isOfChargeThere(row)),
  ];
}

type Kind = CauseFacts['neighbour']['kind'];

function causesOf(kind: Kind, { settlement: { id, date } }: Neighbour) {
  return causesBy((count) => cause('neighbour', { kind, settlementId: id, date, count }));
}

interface Ids {
  readonly rows: ReadonlySet<string>;
  /** Without empty texts: two rows without a charge share nothing. */
  readonly charges: ReadonlySet<string>;
}

function idsIn(rows: RowColumns): Ids {
  const all = Array.from({ length: rows.size }, (_, index) => index);
  const charges = new Set(all.map((index) => rows.chargeId(index)));
  charges.delete('');
  return { rows: new Set(all.map((index) => rows.id(index))), charges };
}

function neighboursOf({ evidence }: Case): readonly Neighbour[] {
  return evidence.neighbours ?? [];
}

function withoutNeighbours(subject: Case): Obstacle | undefined {
  if (subject.evidence.neighbours !== undefined) return undefined;
  return obstacleAround(subject, 'neighbours_not_read') ?? { reason: 'no_neighbours' };
}

function obstacleAround({ evidence }: Case, reason: Obstacle['reason']): Obstacle | undefined {
  return evidence.obstacles?.find((one) => one.reason === reason);
}

/** A neighbour's own difference, reported − computed, or by how much its header contradicts itself. */
export function differenceOf(
  { identity, rules, scale, payInBy }: Case,
  { settlement, rows, difference, byPatterns = noTally }: Neighbour,
): Tally | undefined {
  if (identity !== 'off' && difference !== undefined) {
    const left = minus(tallyFrom(identity, difference), byPatterns);
    return shift(left, scale - difference.scale);
  }
  const header = shift(tallyFrom(identity, settlement), scale - settlement.scale);
  if (identity === 'off' || header === undefined) return undefined;
  if (rows === undefined) return { ...noTally, contradiction: header.contradiction };
  const listed = listedIn(settlement, rows);
  const { figures } = computedFrom(listed, { identity: payInBy ?? identity, rules });
  const seen = inView(payInBy, tallyOf(figures.transactions, figures));
  const computed = shift(seen, scale - listed.scale);
  return computed && minus(header, computed);
}
