import type { Row } from '../model/row.ts';
import type { RowColumns } from '../reconcile/row-columns.ts';
import type { Case } from './case.ts';
import type { Cause, CauseCode } from './cause.ts';
import type { Amounts, Delta } from './delta.ts';
import type { Obstacle } from './evidence.ts';
import {
  asHeaderSees,
  type BothSides,
  type HeaderView,
  type RowTraits,
  traitsOf,
} from './sides.ts';

/** The rows that a candidate is about, in a form that costs little until they are asked for. */
export type CandidateRows =
  | { readonly of: 'none' }
  /** One row; `slot` numbers the rows of the settlement first, then those of its neighbours. */
  | {
      readonly of: 'row';
      readonly columns: RowColumns;
      readonly index: number;
      readonly slot: number;
    }
  /** The rows of the settlement that have these traits. */
  | {
      readonly of: 'group';
      readonly count: number;
      readonly has: (traits: RowTraits) => boolean;
    }
  | { readonly of: 'list'; readonly rows: readonly Row[] };

/** A cause that may be, and the difference that it would make. */
export interface CauseCandidate {
  readonly cause: Cause;
  readonly delta: Delta;
  /**
   * How many choices were made to get there: which row or state, that the count stays, by how many
   * digits. The fewer, the less likely is it that the difference is met by chance.
   */
  readonly free: number;
  readonly rows: CandidateRows;
  /** The two sides without this cause; where absent, only the header changes, by `delta`. */
  readonly undone?: BothSides;
  /** What each row's amounts are in the header, where the cause changes all rows. */
  readonly revalue?: (amounts: Amounts) => Amounts;
}

/** A cause to test. It yields every form that the cause could take as the two sides stand. */
export interface Hypothesis {
  readonly code: CauseCode;
  /** What its candidates follow from: when another cause is undone, they may be others. */
  readonly dependsOn: 'header' | 'cells' | 'case';
  readonly candidates: (sides: BothSides) => Iterable<CauseCandidate>;
  /** How many candidates' work it is, where it is more than what it yields. */
  readonly work?: (subject: Case) => number;
  /** What keeps it from being tested. */
  readonly obstacle?: (subject: Case) => Obstacle | undefined;
}

/** A hypothesis about single rows. */
export interface RowHypothesis {
  readonly code: CauseCode;
  /** How many candidates it yields, at most. */
  readonly size: (subject: Case) => number;
  readonly candidates: (subject: Case) => Iterable<RowCandidate>;
  readonly obstacle?: (subject: Case) => Obstacle | undefined;
}

/** A row in whose place the header has something else. */
export interface RowCandidate extends CauseCandidate {
  readonly rows: Extract<CandidateRows, { of: 'row' }>;
  /** What is listed, as far as the header doesn't have it. */
  readonly listed: Amounts;
  /** What the header has and isn't listed. */
  readonly reported: Amounts;
}

export const noRows: CandidateRows = { of: 'none' };

/** So many free parameters has what fits anything: it comes after all that fits by its own weight. */
export const byConstruction = 100;

/** The candidate that the header sees the rows of these traits in another way, where it can. */
export function* groupCandidate(
  sides: BothSides,
  cause: Cause,
  free: number,
  has: (traits: RowTraits) => boolean,
  view: HeaderView,
): Iterable<CauseCandidate> {
  const other = asHeaderSees(sides, has, view);
  if (other === undefined) return;
  const count = sides.cells.reduce((sum, cell) => sum + (has(cell) ? cell.count : 0), 0);
  const { delta, sides: undone } = other;
  yield { cause, free, delta, rows: { of: 'group', count, has }, undone };
}

/**
 * Whether two candidates can be true together as they stand. Deltas of the same row don't add up: a
 * row that was left out with its state can't be left out, or counted twice, once more.
 */
export function areCompatible(subject: Case, a: CauseCandidate, b: CauseCandidate): boolean {
  return areApart(subject, a.rows, b.rows) && areApart(subject, b.rows, a.rows);
}

function areApart({ rows }: Case, a: CandidateRows, b: CandidateRows): boolean {
  if (a.of === 'row' && b.of === 'row') return a.slot !== b.slot;
  if (a.of === 'row' && b.of === 'group') {
    return a.columns !== rows || !b.has(traitsOf(rows, a.index));
  }
  if (a.of === 'list' && b.of === 'list') {
    return !a.rows.some(({ id }) => b.rows.some((other) => other.id === id));
  }
  return true;
}
