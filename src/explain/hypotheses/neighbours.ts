import type { RowColumns } from '../../reconcile/row-columns.ts';
import { noSums, sumsByCurrency } from '../../reconcile/sums.ts';
import {
  type Hypothesis,
  inPlaceOf,
  ownRow,
  type RowCandidate,
  type RowHypothesis,
} from '../candidate.ts';
import { type Case, type Neighbour, type Obstacle, tallyOfRowAt } from '../case.ts';
import { type CauseFacts, cause, causesBy } from '../cause.ts';
import { tallyFrom } from '../delta.ts';
import { minus, noTally, shift, type Tally, tallyOf } from '../tally.ts';

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
        // A difference of its amounts is best told by the row that makes it, where there is one.
        const size = rows?.size ?? settlement.transactions;
        const unnamed = isInAmounts(change) ? 16 * size : 1;
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
  dependsOn: 'case',
  obstacle: (subject) =>
    withoutNeighbours(subject) ??
    (withRows(subject).length === 0 && neighboursOf(subject).length > 0
      ? (obstacleAround(subject, 'neighbour_rows_not_read') ?? { reason: 'no_neighbour_rows' })
      : undefined),
  work: (subject) =>
    withRows(subject).reduce((sum, { rows }) => sum + 2 * (rows.size + subject.rows.size), 0),
  *candidates({ subject }) {
    const here = idsIn(subject.rows);
    let firstSlot = subject.rows.size;
    const neighbours = withRows(subject);
    const choices = neighbours.reduce((sum, { rows }) => sum + rows.size, 0);
    for (const neighbour of neighbours) {
      yield* ofItsRows(subject, here, neighbour, { firstSlot, choices });
      yield* ofOwnRows(subject, neighbour);
      firstSlot += neighbour.rows.size;
    }
  },
};

/** The neighbours of a settlement: same accounting token and currency, and not itself. */
export function neighboursOf({ settlement, evidence }: Case): readonly Neighbour[] {
  return (evidence.neighbours ?? []).filter(
    ({ settlement: other }) =>
      other.id !== settlement.id &&
      other.accountingToken === settlement.accountingToken &&
      other.currency === settlement.currency,
  );
}

type WithRows = Neighbour & { readonly rows: RowColumns };

function withRows(subject: Case): readonly WithRows[] {
  return neighboursOf(subject).flatMap((one) => (one.rows ? [{ ...one, rows: one.rows }] : []));
}

function withoutNeighbours(subject: Case): Obstacle | undefined {
  if (subject.evidence.neighbours !== undefined) return undefined;
  return obstacleAround(subject, 'neighbours_not_read') ?? { reason: 'no_neighbours' };
}

function obstacleAround({ evidence }: Case, reason: Obstacle['reason']): Obstacle | undefined {
  return evidence.obstacles?.find((one) => one.reason === reason);
}

/**
 * A neighbour's own difference, reported − computed: all of it where it or the rows are known, else
 * by how much its header contradicts itself. Nothing where that needs more decimal places.
 */
export function differenceOf(
  { identity, scale }: Case,
  { settlement, rows, difference }: Neighbour,
): Tally | undefined {
  if (identity !== 'off' && difference !== undefined) {
    return shift(tallyFrom(identity, difference), scale - difference.scale);
  }
  const header = shift(tallyFrom(identity, settlement), scale - settlement.scale);
  if (identity === 'off' || header === undefined) return undefined;
  if (rows === undefined) return { ...noTally, contradiction: header.contradiction };
  const { gross, fees, tax } = sumsByCurrency(rows).get(settlement.currency) ?? noSums('');
  const listed = { gross: gross.minor, fees: fees.minor, tax: tax.minor };
  const computed = shift(tallyOf(rows.size, listed), scale - gross.scale);
  return computed && minus(header, computed);
}

function isInAmounts({ gross, fees, tax }: Tally): boolean {
  return gross !== 0n || fees !== 0n || tax !== 0n;
}

function* ofItsRows(
  subject: Case,
  here: Ids,
  neighbour: WithRows,
  { firstSlot, choices }: { readonly firstSlot: number; readonly choices: number },
): Iterable<RowCandidate> {
  const { rows: columns } = neighbour;
  const charged = causesOf('charge_included', neighbour);
  const listed = causesOf('listed_there', neighbour);
  for (let index = 0; index < columns.size; index++) {
    const isOwn = columns.kind(index).currency === subject.settlement.currency;
    const row = isOwn ? tallyOfRowAt(subject, columns, index) : undefined;
    if (row === undefined || here.rows.has(columns.id(index))) continue;
    const causes = here.charges.has(columns.chargeId(index)) ? charged : listed;
    const rows = { of: 'row', columns, index, slot: firstSlot + index } as const;
    yield* inPlaceOf(rows, [noTally, row], causes, choices);
  }
}

function* ofOwnRows(subject: Case, neighbour: WithRows): Iterable<RowCandidate> {
  const { rows: columns } = subject;
  const there = idsIn(neighbour.rows);
  const inBoth = causesOf('listed_in_both', neighbour);
  const charged = causesOf('charge_left_out', neighbour);
  for (let index = 0; index < columns.size; index++) {
    const isShared = there.rows.has(columns.id(index));
    if (!isShared && !there.charges.has(columns.chargeId(index))) continue;
    const row = tallyOfRowAt(subject, columns, index);
    if (row === undefined) continue;
    yield* inPlaceOf(
      ownRow(subject, index),
      [row, noTally],
      isShared ? inBoth : charged,
      there.rows.size,
    );
  }
}

function causesOf(kind: CauseFacts['neighbour']['kind'], { settlement: { id, date } }: Neighbour) {
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
