import {
  areCompatible,
  type CauseCandidate,
  type RowCandidate,
  type RowHypothesis,
} from './candidate.ts';
import type { Case } from './case.ts';
import { isNothing, plus } from './delta.ts';
import { rowHypotheses } from './hypotheses/index.ts';
import { type Budget, mostRowsForThree, mostRowsForTwo } from './limits.ts';
import type { ResidualIndex } from './residual-index.ts';
import type { SearchResults } from './search-results.ts';

/** The hypotheses about single rows that can be tested; their work is taken from the budget. */
export function testableRows(
  subject: Case,
  budget: Budget,
  found: SearchResults,
): readonly RowHypothesis[] {
  return rowHypotheses.filter(({ code, obstacle, size }) => {
    const hindrance = obstacle?.(subject);
    const candidates = size(subject);
    if (hindrance === undefined && budget.take(candidates)) {
      found.test(code);
      return true;
    }
    found.hinder(code, hindrance ?? { reason: 'too_many_candidates', candidates });
    return false;
  });
}

/**
 * Tries every row by itself and beside what other causes leave; in small settlements also two rows
 * at once, in very small ones three. Elsewhere rows pass by and none is kept.
 */
export function searchRows(
  subject: Case,
  kinds: readonly RowHypothesis[],
  residuals: ResidualIndex,
  found: SearchResults,
): void {
  const few = kinds.filter((kind) => isSmall(kind, subject));
  const kept = few.flatMap((kind) => [...kind.candidates(subject)].filter(makesDifference));
  for (const row of kept) residuals.add(row);
  for (const row of kept) tryRow(subject, row, residuals, found);
  for (const kind of kinds) {
    if (few.includes(kind)) continue;
    for (const row of kind.candidates(subject)) tryRow(subject, row, residuals, found);
  }
  if (subject.rows.size <= mostRowsForThree) tryTwoRows(subject, kept, residuals, found);
}

/** A kind may look at the neighbours' rows too, so that its own number counts as well. */
function isSmall({ size }: RowHypothesis, subject: Case): boolean {
  return subject.rows.size <= mostRowsForTwo && size(subject) <= mostRowsForTwo * 6;
}

function makesDifference({ delta }: CauseCandidate): boolean {
  return !isNothing(delta);
}

function tryRow(
  subject: Case,
  row: RowCandidate,
  residuals: ResidualIndex,
  found: SearchResults,
): void {
  if (!found.try(row)) return;
  for (const pair of residuals.completedByRow(row)) {
    const [other] = pair;
    // Of two rows, the later one completes the earlier one: each pair is found once.
    const isEarlier = other.rows.of !== 'row' || other.rows.slot < row.rows.slot;
    if (isEarlier && areCompatible(subject, other, row)) found.explain(pair);
  }
}

/** Two rows left out, or two counted twice, beside a third or beside another cause. */
function tryTwoRows(
  subject: Case,
  kept: readonly RowCandidate[],
  residuals: ResidualIndex,
  found: SearchResults,
): void {
  for (const rows of sameCause(kept)) {
    for (const [place, second] of rows.entries()) {
      for (const first of rows.slice(0, place)) {
        for (const other of residuals.completedBy(plus(first.delta, second.delta))) {
          if (isThird(subject, first, second, other)) found.explain([first, second, other]);
        }
      }
    }
  }
}

function sameCause(kept: readonly RowCandidate[]): Iterable<readonly RowCandidate[]> {
  const byCause = new Map<CauseCandidate['cause'], RowCandidate[]>();
  for (const row of kept) {
    const { code } = row.cause;
    if (code !== 'row_not_counted' && code !== 'row_counted_twice') continue;
    const same = byCause.get(row.cause);
    if (same) same.push(row);
    else byCause.set(row.cause, [row]);
  }
  return byCause.values();
}

function isThird(subject: Case, first: RowCandidate, second: RowCandidate, other: CauseCandidate) {
  if (other.rows.of === 'row') {
    return other.cause === first.cause && other.rows.slot > second.rows.slot;
  }
  return areCompatible(subject, first, other) && areCompatible(subject, second, other);
}
