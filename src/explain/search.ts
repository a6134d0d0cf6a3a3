import {
  areCompatible,
  byConstruction,
  type CauseCandidate,
  type Hypothesis,
} from './candidate.ts';
import type { Case } from './case.ts';
import { causeKind } from './cause.ts';
import { deltaKey, isNothing, isSameDelta, minus } from './delta.ts';
import type { Obstacle } from './evidence.ts';
import { hypotheses } from './hypotheses/index.ts';
import { Budget, type Effort, mostCells, mostRowsForMixed } from './limits.ts';
import { ResidualIndex } from './residual-index.ts';
import { SearchResults } from './search-results.ts';
import { searchRows, testableRows } from './search-rows.ts';
import { type BothSides, bothSidesOf, withoutDelta } from './sides.ts';

/** A candidate about the settlement as a whole, and the hypothesis that it comes from. */
interface Whole {
  readonly candidate: CauseCandidate;
  readonly hypothesis: Hypothesis;
}

/**
 * Tests every cause alone, then two at once: what one leaves is looked up among the deltas of the
 * others, so that the work grows with the number of candidates and not with that of their pairs.
 */
export function search(subject: Case, effort: Effort): SearchResults {
  const found = new SearchResults(subject);
  const budget = new Budget(effort);
  const sides = bothSidesOf(subject);
  // What is known of the neighbours is searched; that it isn't all is said beside the outcome.
  for (const obstacle of subject.evidence.obstacles ?? []) found.hinder('neighbour', obstacle);
  // Where the budget is short, it goes to what is cheap first, and then to rows.
  const isCheap = ({ work }: Hypothesis) => work === undefined;
  const cheap = testWholes(sides, hypotheses.filter(isCheap), budget, found);
  const kinds = testableRows(subject, budget, found);
  const costly = hypotheses.filter((hypothesis) => !isCheap(hypothesis));
  const wholes = [...cheap, ...testWholes(sides, costly, budget, found)];
  searchRows(subject, kinds, residualsBeside(subject, wholes, found), found);
  pairWholes(sides, wholes, budget, found);
  return found;
}

function testWholes(
  sides: BothSides,
  tested: readonly Hypothesis[],
  budget: Budget,
  found: SearchResults,
): readonly Whole[] {
  return tested.flatMap((hypothesis) => {
    const obstacle = obstacleOf(hypothesis, sides, budget);
    if (obstacle !== undefined) {
      found.hinder(hypothesis.code, obstacle);
      return [];
    }
    found.test(hypothesis.code);
    return [...hypothesis.candidates(sides)]
      .filter((candidate) => found.try(candidate))
      .map((candidate) => ({ candidate, hypothesis }));
  });
}

function obstacleOf(
  { dependsOn, obstacle, work }: Hypothesis,
  { subject, cells }: BothSides,
  budget: Budget,
): Obstacle | undefined {
  const tooManyCells = dependsOn === 'cells' && cells.length > mostCells;
  const candidates = work?.(subject) ?? (dependsOn === 'cells' ? cells.length : 0);
  if (tooManyCells || !budget.take(candidates))
    return { reason: 'too_many_candidates', candidates };
  return obstacle?.(subject);
}

/** What each cause leaves for one row to explain. What fits anything would leave nothing to it. */
function residualsBeside(
  subject: Case,
  wholes: readonly Whole[],
  found: SearchResults,
): ResidualIndex {
  const residuals = new ResidualIndex(subject);
  const rows = subject.rows.size;
  if (rows > mostRowsForMixed) {
    const limit = mostRowsForMixed;
    found.pairObstacles.push({ reason: 'too_many_rows', rows, limit, atOnce: 1 });
    return residuals;
  }
  for (const { candidate } of wholes) {
    if (candidate.free < byConstruction) residuals.add(candidate);
  }
  return residuals;
}

/** Two causes of the settlement as a whole, the one that is undone first before the other. */
function pairWholes(
  sides: BothSides,
  wholes: readonly Whole[],
  budget: Budget,
  found: SearchResults,
): void {
  const candidates = costOfPairs(sides, wholes);
  if (!budget.take(candidates)) {
    found.pairObstacles.push({ reason: 'too_many_candidates', candidates });
    return;
  }
  const { subject } = sides;
  // From the last to the first: what is in the map comes after the one that is looked at.
  const later = new Map<string, Whole[]>();
  for (const first of wholes.toReversed()) {
    const { candidate } = first;
    const residual = minus(subject.target, candidate.delta);
    if (!isNothing(residual)) {
      for (const second of later.get(deltaKey(residual)) ?? []) {
        const isAsItWas = !changes(first.hypothesis, second.hypothesis);
        if (isAsItWas && areCompatible(subject, candidate, second.candidate)) {
          found.explain([candidate, second.candidate]);
        }
      }
      for (const second of madeAnew(sides, first)) {
        if (isSameDelta(second.delta, residual)) found.explain([candidate, second]);
      }
    }
    const key = deltaKey(candidate.delta);
    later.set(key, [...(later.get(key) ?? []), first]);
  }
}

/** Whether undoing a candidate of the first changes the candidates of the other. */
function changes(first: Hypothesis, other: Hypothesis): boolean {
  return first.dependsOn !== 'case' && first.dependsOn === other.dependsOn;
}

/**
 * The candidates that are others where the first is undone. What was done to rows is looked
 * for in one order, that of the list; what was done to the header may depend on the order.
 */
function* madeAnew(sides: BothSides, { candidate, hypothesis }: Whole): Iterable<CauseCandidate> {
  const undone = candidate.undone ?? withoutDelta(sides, candidate.delta);
  const isHeader = hypothesis.dependsOn === 'header';
  const place = hypotheses.indexOf(hypothesis);
  for (const [otherPlace, other] of hypotheses.entries()) {
    if (!changes(hypothesis, other)) continue;
    if (isHeader ? other !== hypothesis : otherPlace > place) yield* other.candidates(undone);
  }
  if (isHeader || hypothesis.dependsOn === 'case') return;
  // Two states, or two types; but nothing is rounded twice.
  for (const second of hypothesis.candidates(undone)) {
    if (causeKind(candidate.cause) < causeKind(second.cause)) yield second;
  }
}

function costOfPairs({ cells }: BothSides, wholes: readonly Whole[]): number {
  const groups = wholes.filter(({ hypothesis }) => hypothesis.dependsOn === 'cells').length;
  return wholes.length + groups ** 2 * Math.ceil(cells.length / 16);
}
