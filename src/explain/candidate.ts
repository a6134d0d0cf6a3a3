import type { Row } from '../model/row.ts';
import type { RowColumns } from '../reconcile/row-columns.ts';
import { type Books, seen, type View } from './books.ts';
import type { Case } from './case.ts';
import type { Cause, CauseCode } from './cause.ts';
import type { RowTraits } from './cells.ts';
import type { Amounts, Delta } from './delta.ts';

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
export interface Candidate {
  readonly cause: Cause;
  readonly delta: Delta;
  /**
   * How many choices were made to get there: which row or state, that the count stays, by how many
   * digits. The fewer, the less likely is it that the difference is met by chance.
   */
  readonly free: number;
  readonly rows: CandidateRows;
  /** The books without this cause; where absent, only the header changes, by `delta`. */
  readonly undone?: Books;
  /** What each row's amounts are in the header, where the cause changes all rows. */
  readonly revalue?: (amounts: Amounts) => Amounts;
}

/** Why a hypothesis could not be tested. */
export type Obstacle =
  | { readonly reason: 'incomplete' }
  | { readonly reason: 'no_neighbours' | 'no_neighbour_rows' }
  /** Neighbours on other days were tested. */
  | { readonly reason: 'missing_days'; readonly days: readonly string[] }
  /** The settlements around it could not be listed, and why. */
  | { readonly reason: 'neighbours_not_read'; readonly failure: string }
  /** It isn't certain that all of them were listed, or one of them can't be read. */
  | { readonly reason: 'neighbours_uncertain' }
  /** The rows of some of them could not be read. */
  | {
      readonly reason: 'neighbour_rows_not_read';
      readonly unread: number;
      readonly neighbours: number;
    }
  /** Too many rows to try so many of them at once: among so many, some fit by chance. */
  | {
      readonly reason: 'too_many_rows';
      readonly rows: number;
      readonly limit: number;
      readonly atOnce: number;
    }
  /** It would try more candidates than the search may. */
  | { readonly reason: 'too_many_candidates'; readonly candidates: number };

/** A cause to test. It yields every form that the cause could take in these books. */
export interface Hypothesis {
  readonly code: CauseCode;
  /** What its candidates follow from: when another cause is undone, they may be others. */
  readonly dependsOn: 'header' | 'cells' | 'case';
  readonly candidates: (books: Books) => Iterable<Candidate>;
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
export interface RowCandidate extends Candidate {
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
  books: Books,
  { cause, free }: Pick<Candidate, 'cause' | 'free'>,
  has: (traits: RowTraits) => boolean,
  view: View,
): Iterable<Candidate> {
  const other = seen(books, has, view);
  if (other === undefined) return;
  const count = books.cells.reduce((sum, cell) => sum + (has(cell) ? cell.count : 0), 0);
  const { delta, books: undone } = other;
  yield { cause, free, delta, rows: { of: 'group', count, has }, undone };
}
