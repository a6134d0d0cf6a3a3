import { figuresPerRow } from '../model/row-batch.ts';
import { areCompatible, type CauseCandidate, changeBeside, type Hypothesis } from './candidate.ts';
import type { Case } from './case.ts';
import { isUsualOfRows } from './cause.ts';
import { mostRowsForThree } from './limits.ts';
import {
  factorOf,
  isFree,
  type RowForm,
  type RowHypothesis,
  rowCandidate,
  valueFinder,
} from './row-form.ts';
import type { SearchResults } from './search-results.ts';
import { type BothSides, without } from './sides.ts';
import { inNumbers, isSame, minus, noTally, type Tally, total } from './tally.ts';

/** The forms of these causes that there are rows for. */
export function formsOf(subject: Case, hypotheses: readonly RowHypothesis[]): readonly RowForm[] {
  return hypotheses.flatMap(({ forms }) => forms(subject)).filter(({ values }) => values.size > 0);
}

/** Tries every row by itself. Only of those that account for something, one is looked at. */
export function tryRows(subject: Case, forms: readonly RowForm[], found: SearchResults): void {
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

/** The values whose rows account for an amount and put out no figure, and how many others change anything. */
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

/** Tries one row beside each cause of the settlement as a whole: the rows are looked up that make what it leaves. */
export function tryRowsBeside(
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

/** Tries what follows from the difference beside one row, or two: those whose gross is missing. */
export function tryRowsLeaving(
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

/** A row that makes the gross of the difference, or two in small settlements; how many sets there are. */
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

/** The values that may make the residual. Most are told apart by their gross, which no cause beside them changes. */
function valuesFor(form: RowForm, residual: Tally, { beside }: CauseCandidate): readonly number[] {
  const [gross, fees, tax] = inNumbers(residual);
  if (!beside || form.values.part !== 'all') {
    const value = valueFinder(form)(gross, fees, tax);
    return value < 0 ? [] : [value];
  }
  const { times, over } = factorOf(form);
  return form.values.withGross((gross * over) / times);
}
