import { computedFrom, listedIn } from '../../reconcile/computed.ts';
import type { RowColumns } from '../../reconcile/row-columns.ts';
import type { Hypothesis } from '../candidate.ts';
import type { Case, Neighbour, Obstacle } from '../case.ts';
import { type CauseFacts, cause, causesBy } from '../cause.ts';
import { formsByCount, type RowForm, type RowHypothesis } from '../row-form.ts';
import { RowValues } from '../row-values.ts';
import { hasAmounts, minus, noTally, shift, type Tally, tallyFrom, tallyOf } from '../tally.ts';

/** `neighbour`: what this settlement lacks, another one around it has too much. */
export const carriedOver: Hypothesis = {
  code: 'neighbour',
  dependsOn: 'case',
  obstacle: withoutNeighbours,
  *candidates({ subject }) {
    const neighbours = neighboursOf(subject);
    for (const neighbour of neighbours) {
      const { settlement, rows } = neighbour;
      const difference = differenceOf(subject, neighbour);
      if (difference !== undefined) {
        const change = minus(noTally, difference);
        const { follows } = causesOf('opposite_difference', neighbour);
        // A difference of its amounts is best told by the row that makes it, where rows are known.
        const unnamed = rows && hasAmounts(change) ? 64 * rows.size : 1;
        yield { cause: follows, choices: neighbours.length * unnamed, change };
      }
      const owed = { ...noTally, contradiction: settlement.payIn };
      const change = shift(owed, subject.scale - settlement.scale);
      const isEarlier = settlement.date <= subject.settlement.date;
      if (change && settlement.payIn < 0n && isEarlier && subject.identity !== 'off') {
        const { follows } = causesOf('negative_pay_in', neighbour);
        yield { cause: follows, choices: neighbours.length, change };
      }
    }
  },
};

/** `neighbour`: a row that is listed in another settlement around this one, or whose charge is. */
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

/** The neighbours that are known of a settlement. */
export function neighboursOf({ evidence }: Case): readonly Neighbour[] {
  return evidence.neighbours ?? [];
}

type WithRows = Neighbour & { readonly rows: RowColumns };

function withRows(subject: Case): readonly WithRows[] {
  return neighboursOf(subject).flatMap((one) => (one.rows ? [{ ...one, rows: one.rows }] : []));
}

export function withoutNeighbours(subject: Case): Obstacle | undefined {
  if (subject.evidence.neighbours !== undefined) return undefined;
  return obstacleAround(subject, 'neighbours_not_read') ?? { reason: 'no_neighbours' };
}

function obstacleAround({ evidence }: Case, reason: Obstacle['reason']): Obstacle | undefined {
  return evidence.obstacles?.find((one) => one.reason === reason);
}

/** A neighbour's own difference, reported − computed, or by how much its header contradicts itself. */
export function differenceOf(
  { identity, rules, scale }: Case,
  { settlement, rows, difference }: Neighbour,
): Tally | undefined {
  if (identity !== 'off' && difference !== undefined) {
    return shift(tallyFrom(identity, difference), scale - difference.scale);
  }
  const header = shift(tallyFrom(identity, settlement), scale - settlement.scale);
  if (identity === 'off' || header === undefined) return undefined;
  if (rows === undefined) return { ...noTally, contradiction: header.contradiction };
  const listed = listedIn(settlement, rows);
  const { figures } = computedFrom(listed, { identity, rules });
  const computed = shift(tallyOf(figures.transactions, figures), scale - listed.scale);
  return computed && minus(header, computed);
}

/** What the header has of the neighbour's rows, or leaves out of its own, because of each other. */
function formsBetween(
  subject: Case,
  here: Ids,
  neighbour: WithRows,
  choices: number,
): readonly RowForm[] {
  const { rows: own, settlement } = subject;
  const { rows: theirs } = neighbour;
  const there = idsIn(theirs);
  const forms = (
    kind: Kind,
    [does, columns]: readonly ['add' | 'leave_out', RowColumns],
    isMeant: (row: number) => boolean,
    of?: number,
  ) => {
    const meant = columns.where(isMeant);
    const values = new RowValues(subject, columns, meant);
    return formsByCount(values, does, causesOf(kind, neighbour), of ?? meant.length);
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
  /** Without empty texts: two rows without a charge have none in common. */
  readonly charges: ReadonlySet<string>;
}

function idsIn(rows: RowColumns): Ids {
  const all = Array.from({ length: rows.size }, (_, index) => index);
  const charges = new Set(all.map((index) => rows.chargeId(index)));
  charges.delete('');
  return { rows: new Set(all.map((index) => rows.id(index))), charges };
}
