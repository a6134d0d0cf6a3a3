import {
  areCompatible,
  type CauseCandidate,
  type RowCandidate,
  type RowHypothesis,
} from './candidate.ts';
import type { Case } from './case.ts';
import { mostRowsForThree, mostRowsForTwo } from './limits.ts';
import type { SearchResults } from './search-results.ts';
import type { BothSides } from './sides.ts';
import { isSame, minus, noTally, plus, type Tally, TallyIndex } from './tally.ts';

/** Candidates by what they leave of the target: whatever makes that change completes them. */
export class Residuals {
  readonly left = new TallyIndex<CauseCandidate>();
  /** The causes beside which a row is another amount in the header, and what they leave. */
  readonly #revaluing: (readonly [CauseCandidate, Tally])[] = [];
  readonly #target: Tally;

  constructor({ target }: Case) {
    this.#target = target;
  }

  add(candidate: CauseCandidate): void {
    const residual = minus(this.#target, candidate.change);
    if (candidate.beside) this.#revaluing.push([candidate, residual]);
    else this.left.add(residual, candidate);
  }

  /** What one row completes, and the row with what it makes of the difference beside that. */
  *completedBy(row: RowCandidate): Iterable<readonly [CauseCandidate, RowCandidate]> {
    for (const other of this.left.get(row.change)) yield [other, row];
    const { gross, count } = row.change;
    for (const [candidate, residual] of this.#revaluing) {
      // Most rows are told apart by their gross, which no revaluing changes.
      if (gross !== residual.gross || count !== residual.count || !candidate.beside) continue;
      const change = candidate.beside(row);
      if (isSame(change, residual)) yield [candidate, { ...row, change }];
    }
  }
}

/**
 * Tries every row by itself and beside what other causes leave; in small settlements also two rows
 * at once, in very small ones three. Elsewhere rows pass by and none is kept.
 */
export function searchRows(
  sides: BothSides,
  kinds: readonly RowHypothesis[],
  residuals: Residuals,
  found: SearchResults,
): void {
  const { subject } = sides;
  const { size } = subject.rows;
  // A kind may look at the neighbours' rows too, so that its own number counts as well.
  const isSmall = ({ work }: RowHypothesis) =>
    size <= mostRowsForTwo && (work?.(subject) ?? 0) <= mostRowsForTwo * 6;
  const kept = kinds
    .filter(isSmall)
    .flatMap((kind) =>
      [...kind.candidates(sides)].filter(({ change }) => !isSame(change, noTally)),
    );
  for (const row of kept) residuals.add(row);
  for (const row of kept) tryRow(subject, row, residuals, found);
  for (const kind of kinds) {
    if (isSmall(kind)) continue;
    for (const row of kind.candidates(sides)) tryRow(subject, row, residuals, found);
  }
  if (size <= mostRowsForThree) tryTwoRows(subject, kept, residuals, found);
}

function tryRow(
  subject: Case,
  row: RowCandidate,
  residuals: Residuals,
  found: SearchResults,
): void {
  if (!found.try(row)) return;
  for (const pair of residuals.completedBy(row)) {
    const [other] = pair;
    // Of two rows, the later one completes the earlier one: each pair is found once.
    const isEarlier = other.rows?.of !== 'row' || other.rows.slot < row.rows.slot;
    if (isEarlier && areCompatible(subject, other, row)) found.explain(pair);
  }
}

/** Two rows left out, or two counted twice, beside a third or beside another cause. */
function tryTwoRows(
  subject: Case,
  kept: readonly RowCandidate[],
  residuals: Residuals,
  found: SearchResults,
): void {
  const alike = kept.filter(
    ({ cause: { code } }) => code === 'row_not_counted' || code === 'row_counted_twice',
  );
  for (const [place, second] of alike.entries()) {
    for (const first of alike.slice(0, place)) {
      if (first.cause !== second.cause) continue;
      for (const other of residuals.left.get(plus(first.change, second.change))) {
        if (isThird(subject, first, second, other)) found.explain([first, second, other]);
      }
    }
  }
}

function isThird(subject: Case, first: RowCandidate, second: RowCandidate, other: CauseCandidate) {
  if (other.rows?.of === 'row') {
    return other.cause === first.cause && other.rows.slot > second.rows.slot;
  }
  return areCompatible(subject, first, other) && areCompatible(subject, second, other);
}
