import { groupedBy } from '../base/lists.ts';
import { figuresPerRow } from '../model/row-batch.ts';
import { areCompatible, type CauseCandidate, type Hypothesis } from './candidate.ts';
import { asStated, type BothSides, bothSidesOf, type Case, type Obstacle } from './case.ts';
import { type CauseCode, causeText, isUsualOfRows, leavesCount } from './cause.ts';
import { hypotheses, rowHypotheses } from './hypotheses/index.ts';
import { Budget, type Effort, mostRowsForThree } from './limits.ts';
import {
  factorOf,
  isFree,
  type RowForm,
  type RowHypothesis,
  rowCandidate,
  valueFinder,
} from './row-form.ts';
import { tryRowSets } from './row-sets.ts';
import { SearchResults } from './search-results.ts';
import { inNumbers, isSame, minus, noTally, type Tally, tallyText, total } from './tally.ts';

interface Whole {
  readonly candidate: CauseCandidate;
  readonly hypothesis: Hypothesis;
}

/** Tests every cause alone, then two at once: the residual of one is looked up among the changes of others. */
export function search(subject: Case, effort: Effort): SearchResults {
  const found = new SearchResults(subject);
  const budget = new Budget(effort);
  const sides = bothSidesOf(subject);
  const own = hypothesesFor(subject);
  // The known neighbours are searched; the outcome says which are unknown.
  for (const obstacle of subject.evidence.obstacles ?? []) found.addObstacle('neighbour', obstacle);
  const isTestable = (hypothesis: Hypothesis | RowHypothesis) => {
    const obstacle = obstacleOf(hypothesis, sides, budget);
    if (obstacle) found.addObstacle(hypothesis.code, obstacle);
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
  // Cheap causes come first, then rows, in case the budget is too small.
  const isCheap = ({ work }: Hypothesis) => work === undefined;
  const cheap = own.filter(isCheap).filter(isTestable).flatMap(tried);
  const kinds = rowHypotheses.filter(isTestable);
  const costly = own.filter((one) => !isCheap(one) && isTestable(one)).flatMap(tried);
  const wholes = [...cheap, ...costly];
  // A cause that fits any difference would leave nothing for rows.
  const beside = wholes
    .map(({ candidate }) => candidate)
    .filter(({ assumed }) => assumed === undefined);
  const forms = formsOf(subject, kinds);
  tryRows(subject, forms, found);
  if (subject.payInBy === undefined) tryRowsBeside(subject, forms, beside, found);
  tryRowsLeaving(
    sides,
    forms,
    tested.filter(({ dependsOn }) => dependsOn === 'target'),
    found,
  );
  if (subject.payInBy !== undefined) {
    // Among sums of one amount, many fit by chance.
    found.pairObstacles.push({ reason: 'not_stated' });
    return found;
  }
  pairWholes(sides, wholes, own, tested, budget, found);
  tryRowSets(subject, forms, beside, budget, found);
  return found;
}

/** Groups of rows are tried if types, states and so on give at most so many cells. */
const mostCells = 500;

/** Why a hypothesis cannot be tested; if it can, its work is taken from the budget. */
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

/** The forms of these causes for which there are rows. */
function formsOf(subject: Case, hypotheses: readonly RowHypothesis[]): readonly RowForm[] {
  const forms = hypotheses.flatMap((one) => one.forms(subject));
  const stated = subject.isCountStated
    ? forms
    : forms
        .filter(({ cause }) => !leavesCount(cause))
        .map((form): RowForm => ({ ...form, count: 0 }));
  return stated.filter(({ values }) => values.size > 0);
}

/** The hypotheses as the stated figures show their candidates; the same ones if all are stated. */
function hypothesesFor(subject: Case): readonly Hypothesis[] {
  const isOne = subject.payInBy !== undefined;
  if (!isOne && subject.isCountStated) return hypotheses;
  return hypotheses.map((hypothesis): Hypothesis => {
    const { candidates, canMake, ...others } = hypothesis;
    return {
      ...others,
      ...(canMake && !isOne && { canMake }),
      ...(isOne && ofParts.has(hypothesis.code) && { obstacle: () => ({ reason: 'not_stated' }) }),
      *candidates(sides) {
        for (const one of candidates(sides)) {
          // As one amount, a shift of the header and one of its gross are the same.
          const isSecond =
            isOne && one.cause.code === 'scale_slip' && one.cause.facts.of === 'gross';
          if (isSecond || (!subject.isCountStated && leavesCount(one.cause))) continue;
          yield { ...one, change: asStated(subject, one.change) };
        }
      },
    };
  });
}

/** Causes about fees, tax or how the pay-in follows from them. */
const ofParts: ReadonlySet<CauseCode> = new Set([
  ...(['identity', 'fees_tax_swapped', 'tax_in_fees', 'sign_convention', 'rounding'] as const),
  ...(['fee_without_row', 'one_off_fee', 'refund_fees', 'withheld', 'pay_in_rounded'] as const),
]);

/** Tries every row alone. One row stands for all with the same amounts. */
function tryRows(subject: Case, forms: readonly RowForm[], found: SearchResults): void {
  for (const form of forms) {
    const { values, cause, isSecond } = form;
    const { changing, accounting } = effectsOf(form, subject.target);
    for (const value of accounting) {
      const candidate = rowCandidate(subject, form, values.rows(value)[0] ?? 0);
      if (candidate) found.try(candidate, values.count(value));
    }
    found.count(cause.code, isSecond ? 0 : changing);
  }
}

/** The values whose rows account for an amount and disturb no figure, and how many other rows change anything. */
function effectsOf(form: RowForm, target: Tally) {
  const { values, count } = form;
  const { figures, size } = values;
  const { times, over } = factorOf(form);
  const [dueGross, dueFees, dueTax] = inNumbers(target);
  const putsOutCount = count !== 0 && target.count === 0;
  const accounting: number[] = [];
  let changing = 0;
  for (let value = 0; value < size; value++) {
    const at = value * figuresPerRow;
    const gross = ((figures[at] ?? 0) * times) / over;
    const fees = ((figures[at + 1] ?? 0) * times) / over;
    const tax = ((figures[at + 2] ?? 0) * times) / over;
    if (over > 1 && ![gross, fees, tax].every(Number.isInteger)) continue;
    const changes = gross !== 0 || fees !== 0 || tax !== 0;
    const putsOut =
      putsOutCount ||
      (gross !== 0 && dueGross === 0) ||
      (fees !== 0 && dueFees === 0) ||
      (tax !== 0 && dueTax === 0);
    const accounts =
      (gross !== 0 && gross === dueGross) ||
      (fees !== 0 && fees === dueFees) ||
      (tax !== 0 && tax === dueTax);
    if (accounts && !putsOut) accounting.push(value);
    else if (changes || count !== 0) changing += values.count(value);
  }
  return { changing, accounting };
}

/** Tries one row beside each cause of the whole settlement: its residual is looked up among the rows. */
function tryRowsBeside(
  subject: Case,
  forms: readonly RowForm[],
  wholes: readonly CauseCandidate[],
  found: SearchResults,
): void {
  for (const whole of wholes) {
    const residual = minus(subject.target, whole.change);
    if (residual.contradiction !== 0n || isSame(residual, noTally)) continue;
    for (const form of forms) {
      if (form.count !== residual.count) continue;
      for (const value of valuesFor(form, residual, whole)) {
        const rows = form.values.rows(value).filter(isFree(subject, form, whole));
        const [first] = rows;
        const row = first === undefined ? undefined : rowCandidate(subject, form, first);
        if (row === undefined || !areCompatible(subject, whole, row)) continue;
        const change = changeBeside(whole, row);
        if (isSame(change, residual)) found.explain([whole, { ...row, change }], rows.length);
      }
    }
  }
}

/** Tries one row, or two, that make the difference in gross, beside causes that follow from the difference. */
function tryRowsLeaving(
  sides: BothSides,
  forms: readonly RowForm[],
  following: readonly Hypothesis[],
  found: SearchResults,
): void {
  const { subject } = sides;
  const { target } = subject;
  if (target.gross === 0n) return;
  for (const form of forms) {
    for (const { rows, sets } of rowsOfGross(subject, form)) {
      const parts = rows.flatMap((row) => rowCandidate(subject, form, row) ?? []);
      const change = total(parts.map((part) => part.change));
      if (parts.length < rows.length || isSame(change, target)) continue;
      if (change.count !== target.count || change.gross !== target.gross) continue;
      const rest = without(subject, change);
      for (const hypothesis of following) {
        if (hypothesis.canMake?.(rest.target) === false) continue;
        for (const candidate of hypothesis.candidates({ ...sides, subject: rest })) {
          const isFree = parts.every((part) => areCompatible(subject, candidate, part));
          if (isFree && isSame(candidate.change, rest.target)) {
            found.explain([candidate, ...parts], sets);
          }
        }
      }
    }
  }
}

/** The settlement without this change in its header. */
export function without(subject: Case, change: Tally): Case {
  const { header, target } = subject;
  return { ...subject, header: minus(header, change), target: minus(target, change) };
}

/** A row that makes the difference in gross, or two in small settlements, and how many such sets there are. */
function* rowsOfGross({ target, rows: own }: Case, form: RowForm) {
  const { values } = form;
  const { times, over } = factorOf(form);
  const gross = (Number(target.gross) * over) / times;
  if (form.count === target.count) {
    for (const value of values.withGross(gross)) {
      yield { rows: values.rows(value).slice(0, 1), sets: values.count(value) };
    }
  }
  const arePairs = isUsualOfRows(form.cause.code) && 2 * form.count === target.count;
  if (!arePairs || own.size > mostRowsForThree) return;
  for (let value = 0; value < values.size; value++) {
    const rest = gross - (values.figures[value * figuresPerRow] ?? 0);
    for (const other of values.withGross(rest)) {
      const [some, others] = [values.rows(value), values.rows(other)];
      const rows = [...new Set([...some.slice(0, 1), ...others.slice(0, 2)])].slice(0, 2);
      const isSameValue = value === other;
      const sets = isSameValue
        ? (some.length * (some.length - 1)) / 2
        : some.length * others.length;
      if (other >= value && rows.length === 2) yield { rows, sets };
    }
  }
}

/** What a candidate changes beside one of the whole settlement. */
function changeBeside({ beside }: CauseCandidate, { seen, change }: CauseCandidate): Tally {
  return beside && seen ? total(seen.map(beside)) : change;
}

/** The values that may make the residual. Their gross narrows them down; no cause beside them changes it. */
function valuesFor(form: RowForm, residual: Tally, { beside }: CauseCandidate): readonly number[] {
  const [gross, fees, tax] = inNumbers(residual);
  if (!beside || form.values.part !== 'all') {
    const value = valueFinder(form)(gross, fees, tax);
    return value < 0 ? [] : [value];
  }
  const { times, over } = factorOf(form);
  return form.values.withGross((gross * over) / times);
}

/** Pairs of causes of the whole settlement, in the order in which they are undone. */
function pairWholes(
  sides: BothSides,
  wholes: readonly Whole[],
  own: readonly Hypothesis[],
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
  // If two orders make the same difference, the first one found is kept.
  const fromTheLast = [...wholes.entries()].toReversed();
  const byChange = groupedBy(fromTheLast, ([, { candidate }]) => tallyText(candidate.change));
  for (const [place, first] of fromTheLast) {
    const { candidate, hypothesis } = first;
    const residual = minus(subject.target, candidate.change);
    if (isSame(residual, noTally)) continue;
    for (const [otherPlace, second] of byChange.get(tallyText(residual)) ?? []) {
      const isAsItWas = otherPlace > place && !changes(hypothesis, second.hypothesis);
      if (isAsItWas && areCompatible(subject, candidate, second.candidate)) {
        found.explain([candidate, second.candidate]);
      }
    }
    for (const second of candidatesAfterUndoing(sides, first, { own, tested }, residual)) {
      if (isSame(second.change, residual)) found.explain([candidate, second]);
    }
  }
  pairBeside(subject, wholes, found);
}

/** Rows that the header adds or leaves out, beside a cause that changes all rows, also these. */
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
 * The candidates that change if the first is undone, and may make the residual. Causes of rows are tried in
 * the order of the list only; causes of the header in both orders.
 */
function* candidatesAfterUndoing(
  sides: BothSides,
  { candidate, hypothesis }: Whole,
  { own, tested }: Readonly<Record<'own' | 'tested', readonly Hypothesis[]>>,
  residual: Tally,
): Iterable<CauseCandidate> {
  const undone = candidate.undone?.() ?? {
    ...sides,
    header: minus(sides.header, candidate.change),
  };
  const isHeader = hypothesis.dependsOn === 'header';
  const place = own.indexOf(hypothesis);
  for (const [otherPlace, other] of own.entries()) {
    if (!changes(hypothesis, other) || !tested.includes(other)) continue;
    if (other.canMake?.(residual) === false) continue;
    if (other.dependsOn === 'target') {
      yield* other.candidates({ ...undone, subject: without(sides.subject, candidate.change) });
    } else if (isHeader ? other !== hypothesis : otherPlace > place)
      yield* other.candidates(undone);
  }
  if (hypothesis.dependsOn !== 'cells') return;
  if (hypothesis.canMake?.(residual) === false) return;
  // Pairs of two states or two types.
  for (const second of hypothesis.candidates(undone)) {
    if (!isSame(second.change, residual)) continue;
    if (causeText(candidate.cause) < causeText(second.cause)) yield second;
  }
}

function costOfPairs({ cells }: BothSides, wholes: readonly Whole[]): number {
  const groups = wholes.filter(({ hypothesis }) => hypothesis.dependsOn === 'cells').length;
  return wholes.length + groups ** 2 * Math.ceil(cells.length / 16);
}
