import type { Row } from '../model/row.ts';
import type { RowKind } from '../model/row-batch.ts';
import type { RowColumns } from '../reconcile/row-columns.ts';
import type { BothSides, Case, Obstacle, RowTraits } from './case.ts';
import { type Cause, type CauseCode, type CauseFacts, cause, leavesCount } from './cause.ts';
import { noTally, type Tally } from './tally.ts';

/** A cause that may be, and the difference that it would make. */
export interface CauseCandidate {
  readonly cause: Cause;
  readonly change: Tally;
  /** From how many it was chosen, times 2^n if it is rarer by n bits. 1 without a choice. */
  readonly choices: number;
  /** The bits of amounts that only the difference shows. Absent if none are assumed. */
  readonly assumed?: number;
  /** Whether the assumed amounts have the fees and tax usual for the listed rows. */
  readonly inLine?: boolean;
  /** Whether its row is tried in another form of this cause too, and counts there. */
  readonly isSecond?: boolean;
  readonly rows?: CandidateRows | undefined;
  /** The two sides without this cause; if absent, only the header changes. */
  readonly undone?: () => BothSides;
  /** How the header sees the rows, if the cause is about all amounts of chosen ones. */
  readonly seen?: readonly SeenRow[];
  /** What a cause about one row changes beside this one, if that differs from what it changes alone. */
  readonly beside?: (row: SeenRow) => Tally;
}

/** A row that the header has differently: what it has, what is listed, and the difference. */
export interface SeenRow {
  readonly kind: RowKind;
  readonly reported: Tally;
  readonly listed: Tally;
  readonly change: Tally;
}

export interface OneRow {
  readonly of: 'row';
  readonly columns: RowColumns;
  readonly index: number;
}

/** The rows that a candidate is about, in a form that costs little until they are asked for. */
type CandidateRows =
  | OneRow
  | { readonly of: 'group'; readonly count: number; readonly has: (traits: RowTraits) => boolean }
  | { readonly of: 'list'; readonly rows: readonly Row[] }
  | { readonly of: 'rows'; readonly columns: RowColumns; readonly indexes: readonly number[] }
  /** So many rows of the settlement in the order of the list. */
  | { readonly of: 'page'; readonly from: number; readonly count: number };

/** A cause to test. It yields every form that the cause could take as the two sides stand. */
export interface Hypothesis {
  readonly code: CauseCode;
  /** What its candidates follow from; `target`: what another cause leaves. */
  readonly dependsOn: 'header' | 'cells' | 'case' | 'target';
  readonly candidates: (sides: BothSides) => Iterable<CauseCandidate>;
  /** Whether one of them may make this change, for any two sides; if absent, each may. */
  readonly canMake?: (change: Tally) => boolean;
  /** Its work, counted in candidates: at least as many as it yields. */
  readonly work?: (subject: Case) => number;
  readonly obstacle?: (subject: Case) => Obstacle | undefined;
}

/** The candidate that the header's number of transactions is wrong. */
export function miscount(by: number): CauseCandidate {
  const change = { ...noTally, count: by };
  // As many numbers are as near or nearer.
  return { cause: cause('wrong_count', { by }), choices: 2 * Math.abs(by) + 1, change };
}

export function rowCount({ rows }: CauseCandidate): number {
  if (rows === undefined) return 0;
  if (rows.of === 'row') return 1;
  if (rows.of === 'rows') return rows.indexes.length;
  return rows.of === 'list' ? rows.rows.length : rows.count;
}

/** Whether two candidates can be true together: changes by the same row do not add up. */
export function areCompatible(
  { rows: own }: Case,
  one: CauseCandidate,
  other: CauseCandidate,
): boolean {
  if (isCoveredByCount(one, other) || isCoveredByCount(other, one)) return false;
  const [{ rows: a }, { rows: b }] = [one, other];
  // The surplus of a neighbour makes up for this settlement once.
  if (!a && !b && one.cause.code === 'neighbour' && other.cause.code === 'neighbour') {
    const theirs = neighboursIn(other.cause.facts);
    return !neighboursIn(one.cause.facts).some((id) => theirs.includes(id));
  }
  if (a?.of === 'row' && b?.of === 'row') return a.columns !== b.columns || a.index !== b.index;
  if (a?.of === 'rows' || b?.of === 'rows') return one.cause.code !== other.cause.code;
  if (a?.of === 'list' && b?.of === 'list') {
    return !a.rows.some(({ id }) => b.rows.some((other) => other.id === id));
  }
  const isIn = (row?: CandidateRows, group?: CandidateRows) =>
    row?.of === 'row' &&
    group?.of === 'group' &&
    row.columns === own &&
    group.has(own.kind(row.index));
  return !isIn(a, b) && !isIn(b, a);
}

/** Whether a wrong count equals the rows of a cause that leaves the count: its other form covers both. */
function isCoveredByCount(
  { cause: { code, facts } }: CauseCandidate,
  other: CauseCandidate,
): boolean {
  if (code !== 'wrong_count' || !leavesCount(other.cause)) return false;
  return Math.abs(facts.by) === (other.seen?.length ?? rowCount(other));
}

function neighboursIn({ settlementId, others = [] }: CauseFacts['neighbour']): readonly string[] {
  return [settlementId, ...others.map((one) => one.settlementId)];
}
