import { areCompatible, type CauseCandidate, changeBeside, type Hypothesis } from './candidate.ts';
import type { Case, Obstacle } from './case.ts';
import { causeText } from './cause.ts';
import { hypotheses, rowHypotheses } from './hypotheses/index.ts';
import { Budget, type Effort, mostCells } from './limits.ts';
import type { RowHypothesis } from './row-form.ts';
import { SearchResults } from './search-results.ts';
import { formsOf, tryRowSets, tryRows, tryRowsBeside, tryRowsLeaving } from './search-rows.ts';
import { type BothSides, bothSidesOf, without } from './sides.ts';
import { isSame, minus, noTally, type Tally, TallyIndex } from './tally.ts';

interface Whole {
  readonly candidate: CauseCandidate;
  readonly hypothesis: Hypothesis;
}

/** Tests every cause alone, then two at once: what one leaves is looked up among the changes by the others. */
export function search(subject: Case, effort: Effort): SearchResults {
  const found = new SearchResults(subject);
  const budget = new Budget(effort);
  const sides = bothSidesOf(subject);
  // What is known of the neighbours is searched; that it isn't all is said beside the outcome.
  for (const obstacle of subject.evidence.obstacles ?? []) found.hinder('neighbour', obstacle);
  const isTestable = (hypothesis: Hypothesis | RowHypothesis) => {
    const obstacle = obstacleOf(hypothesis, sides, budget);
    if (obstacle) found.hinder(hypothesis.code, obstacle);
    else found.test(hypothesis.code);
    return obstacle === undefined;
  };
  const tested: Hypothesis[] = [];
  const tried = (hypothesis: Hypothesis): readonly Whole[] => {
    tested.push(hypothesis);
    return [...hypothesis.candidates(sides)]
      .filter((candidate) => found.try(candidate))
      .map((candidate) => ({ candidate, hypothesis }));
  };
  // Where the budget is short, it goes to what is cheap first, and then to rows.
  const isCheap = ({ work }: Hypothesis) => work === undefined;
  const cheap = hypotheses.filter(isCheap).filter(isTestable).flatMap(tried);
  const kinds = rowHypotheses.filter(isTestable);
  const costly = hypotheses.filter((one) => !isCheap(one) && isTestable(one)).flatMap(tried);
  const wholes = [...cheap, ...costly];
  // What fits anything would leave nothing to rows.
  const beside = wholes
    .map(({ candidate }) => candidate)
    .filter(({ assumed }) => assumed === undefined);
  const forms = formsOf(subject, kinds);
  tryRows(subject, forms, found);
  tryRowsBeside(subject, forms, beside, found);
  tryRowsLeaving(
    sides,
    forms,
    tested.filter(({ dependsOn }) => dependsOn === 'target'),
    found,
  );
  pairWholes(sides, wholes, tested, budget, found);
  tryRowSets(subject, forms, beside, budget, found);
  return found;
}

/** What keeps a hypothesis from being tested; where nothing does, its work is taken. */
function obstacleOf(
  { obstacle, work, ...hypothesis }: Hypothesis | RowHypothesis,
  { subject, cells }: BothSides,
  budget: Budget,
): Obstacle | undefined {
  const isOfCells = 'dependsOn' in hypothesis && hypothesis.dependsOn === 'cells';
  const candidates = work?.(subject) ?? (isOfCells ? cells.length : 0);
  if (isOfCells && cells.length > mostCells) return { reason: 'too_many_candidates', candidates };
  return obstacle?.(subject) ?? budget.take(Math.ceil(candidates));
}

/** Two causes of the settlement as a whole, the one that is undone first before the other. */
function pairWholes(
  sides: BothSides,
  wholes: readonly Whole[],
  tested: readonly Hypothesis[],
  budget: Budget,
  found: SearchResults,
): void {
  const obstacle = budget.take(costOfPairs(sides, wholes));
  if (obstacle) {
    found.pairObstacles.push(obstacle);
    return;
  }
  const { subject } = sides;
  // From the last to the first: what is in the index comes after the one that is looked at.
  const later = new TallyIndex<Whole>();
  for (const first of wholes.toReversed()) {
    const { candidate } = first;
    const residual = minus(subject.target, candidate.change);
    if (!isSame(residual, noTally)) {
      for (const second of later.get(residual)) {
        const isAsItWas = !changes(first.hypothesis, second.hypothesis);
        if (isAsItWas && areCompatible(subject, candidate, second.candidate)) {
          found.explain([candidate, second.candidate]);
        }
      }
      for (const second of madeAnew(sides, first, tested, residual)) {
        if (isSame(second.change, residual)) found.explain([candidate, second]);
      }
    }
    later.add(candidate.change, first);
  }
  pairBeside(subject, wholes, found);
}

/** Rows that the header has or hasn't, beside a cause that changes all rows: those too, then. */
function pairBeside(subject: Case, wholes: readonly Whole[], found: SearchResults): void {
  const ofRows = wholes.filter(({ candidate }) => candidate.seen);
  for (const { candidate } of wholes) {
    if (!candidate.beside) continue;
    const residual = minus(subject.target, candidate.change);
    for (const { candidate: other } of ofRows) {
      const change = changeBeside(candidate, other);
      if (isSame(change, residual)) found.explain([candidate, { ...other, change }]);
    }
  }
}

/** Whether undoing a candidate of the first changes the candidates of the other. */
function changes(first: Hypothesis, other: Hypothesis): boolean {
  if (other.dependsOn === 'target') return first !== other;
  return first.dependsOn !== 'case' && first.dependsOn === other.dependsOn;
}

/**
 * The candidates that are others where the first is undone, and may make up the residual. What was done to
 * rows is looked for in one order, that of the list; what was done to the header may depend on the order.
 */
function* madeAnew(
  sides: BothSides,
  { candidate, hypothesis }: Whole,
  tested: readonly Hypothesis[],
  residual: Tally,
): Iterable<CauseCandidate> {
  const undone = candidate.undone?.() ?? {
    ...sides,
    header: minus(sides.header, candidate.change),
  };
  const isHeader = hypothesis.dependsOn === 'header';
  const place = hypotheses.indexOf(hypothesis);
  for (const [otherPlace, other] of hypotheses.entries()) {
    if (!changes(hypothesis, other) || !tested.includes(other)) continue;
    if (other.canMake?.(residual) === false) continue;
    if (other.dependsOn === 'target') {
      yield* other.candidates({ ...undone, subject: without(sides.subject, candidate.change) });
    } else if (isHeader ? other !== hypothesis : otherPlace > place)
      yield* other.candidates(undone);
  }
  if (hypothesis.dependsOn !== 'cells') return;
  if (hypothesis.canMake?.(residual) === false) return;
  // Two states, or two types.
  for (const second of hypothesis.candidates(undone)) {
    if (!isSame(second.change, residual)) continue;
    if (causeText(candidate.cause) < causeText(second.cause)) yield second;
  }
}

function costOfPairs({ cells }: BothSides, wholes: readonly Whole[]): number {
  const groups = wholes.filter(({ hypothesis }) => hypothesis.dependsOn === 'cells').length;
  return wholes.length + groups ** 2 * Math.ceil(cells.length / 16);
}
