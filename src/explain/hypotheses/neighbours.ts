import { type Hypothesis, noRows, type RowCandidate, type RowHypothesis } from '../candidate.ts';
import { amountsOfRow, type Case } from '../case.ts';
import { type Cause, type CauseFacts, type CountRule, cause } from '../cause.ts';
import { changeOf, type Delta, minus, noAmounts, noDelta, payInDelta } from '../delta.ts';
import type { Neighbour, Obstacle } from '../evidence.ts';
import {
  amountsOfNeighbourRow,
  differenceOfNeighbour,
  neighboursOf,
  payInOfNeighbour,
} from '../neighbour-figures.ts';
import type { BothSides } from '../sides.ts';

type Kind = CauseFacts['neighbour']['kind'];

/** `neighbour`: what this settlement lacks, another one around it has too much. */
export const carriedOver: Hypothesis = {
  code: 'neighbour',
  dependsOn: 'case',
  obstacle: withoutNeighbours,
  *candidates({ subject }: BothSides) {
    for (const neighbour of neighboursOf(subject)) {
      const difference = differenceOfNeighbour(subject, neighbour);
      if (difference !== undefined) {
        const opposite = minus(noDelta, difference);
        // A difference of its amounts is best told by the row that makes it, where there is one.
        const free = isInAmounts(opposite) ? 2 : 1;
        yield whole('opposite_difference', neighbour, opposite, free);
      }
      const payIn = payInOfNeighbour(subject, neighbour);
      const isEarlier = neighbour.settlement.date <= subject.settlement.date;
      if (payIn !== undefined && payIn < 0n && isEarlier && subject.identity !== 'off') {
        yield whole('negative_pay_in', neighbour, payInDelta(payIn), 1);
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
  size: (subject) =>
    withRows(subject).reduce((sum, { rows }) => sum + 2 * (rows.size + subject.rows.size), 0),
  *candidates(subject) {
    let firstSlot = subject.rows.size;
    for (const neighbour of withRows(subject)) {
      yield* ofItsRows(subject, neighbour, firstSlot);
      yield* ofOwnRows(subject, neighbour);
      firstSlot += neighbour.rows.size;
    }
  },
};

type WithRows = Neighbour & { readonly rows: NonNullable<Neighbour['rows']> };

function withRows(subject: Case): readonly WithRows[] {
  return neighboursOf(subject).flatMap((one) =>
    one.rows === undefined ? [] : [{ ...one, rows: one.rows }],
  );
}

function withoutNeighbours(subject: Case): Obstacle | undefined {
  if (subject.evidence.neighbours !== undefined) return undefined;
  return obstacleAround(subject, 'neighbours_not_read') ?? { reason: 'no_neighbours' };
}

function obstacleAround({ evidence }: Case, reason: Obstacle['reason']): Obstacle | undefined {
  return evidence.obstacles?.find((one) => one.reason === reason);
}

function* ofItsRows(subject: Case, neighbour: WithRows, firstSlot: number): Iterable<RowCandidate> {
  const { rows: columns } = neighbour;
  const listedHere = valuesOf(subject.rows, 'id');
  const chargedHere = valuesOf(subject.rows, 'chargeId');
  for (let index = 0; index < columns.size; index++) {
    const amounts = amountsOfNeighbourRow(subject, columns, index);
    if (amounts === undefined || listedHere.has(columns.id(index))) continue;
    const shared = chargedHere.has(columns.chargeId(index));
    const kind = shared ? 'charge_included' : 'listed_there';
    const rows = { of: 'row', columns, index, slot: firstSlot + index } as const;
    const delta = changeOf(subject.identity, 1, amounts);
    const row = { rows, delta, listed: noAmounts, reported: amounts };
    yield* bothCounts(kind, neighbour, row);
  }
}

function* ofOwnRows(subject: Case, neighbour: WithRows): Iterable<RowCandidate> {
  const { rows: columns } = subject;
  const listedThere = valuesOf(neighbour.rows, 'id');
  const chargedThere = valuesOf(neighbour.rows, 'chargeId');
  for (let index = 0; index < columns.size; index++) {
    const shared = listedThere.has(columns.id(index));
    if (!shared && !chargedThere.has(columns.chargeId(index))) continue;
    const kind = shared ? 'listed_in_both' : 'charge_left_out';
    const rows = { of: 'row', columns, index, slot: index } as const;
    const amounts = amountsOfRow(subject, index);
    const delta = minus(noDelta, changeOf(subject.identity, 1, amounts));
    yield* bothCounts(kind, neighbour, { rows, delta, listed: amounts, reported: noAmounts });
  }
}

function* bothCounts(
  kind: Kind,
  neighbour: Neighbour,
  row: Omit<RowCandidate, 'cause' | 'free'>,
): Iterable<RowCandidate> {
  yield { ...row, cause: causeOf(kind, neighbour, 'follows'), free: 1 };
  const delta = { ...row.delta, count: 0 };
  yield { ...row, delta, cause: causeOf(kind, neighbour, 'stays'), free: 2 };
}

function whole(kind: Kind, neighbour: Neighbour, delta: Delta, free: number) {
  return { cause: causeOf(kind, neighbour, 'follows'), free, delta, rows: noRows };
}

function isInAmounts({ gross, fees, tax }: Delta): boolean {
  return gross !== 0n || fees !== 0n || tax !== 0n;
}

function causeOf(kind: Kind, { settlement: { id, date } }: Neighbour, count: CountRule): Cause {
  return cause('neighbour', { kind, settlementId: id, date, count });
}

/** Empty texts stand for nothing: two rows without a charge have none in common. */
function valuesOf(rows: WithRows['rows'], field: 'id' | 'chargeId'): ReadonlySet<string> {
  const values = new Set<string>();
  for (let index = 0; index < rows.size; index++) values.add(rows[field](index));
  values.delete('');
  return values;
}
