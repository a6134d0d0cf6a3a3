import { figuresPerRow } from '../model/row-batch.ts';
import { areCompatible, type CauseCandidate, changeBeside, type Hypothesis } from './candidate.ts';
import type { Case } from './case.ts';
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
import { inNumbers, isSame, minus, noTally, type Tally } from './tally.ts';

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

/**
 * The values whose rows account for an amount without putting out a figure that agreed, and how many
 * rows of other values change anything. In numbers: the amounts accounted for are looked at again.
 */
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
        // What changes nothing, not even beside the row, is no cause.
        if (isSame(whole.change, noTally) && isSame(change, row.change)) continue;
        if (isSame(change, residual)) found.explain([whole, { ...row, change }], rows.length);
      }
    }
  }
}

/** Tries what follows from the difference beside one row: from what rows of the missing gross leave of it. */
export function tryRowsLeaving(
  sides: BothSides,
  forms: readonly RowForm[],
  following: readonly Hypothesis[],
  found: SearchResults,
): void {
  const { subject } = sides;
  const { count, gross } = subject.target;
  if (gross === 0n) return;
  for (const form of forms.filter((one) => one.count === count)) {
    const { times, over } = factorOf(form);
    for (const value of form.values.withGross((Number(gross) * over) / times)) {
      const rows = form.values.rows(value);
      const row = rows[0] === undefined ? undefined : rowCandidate(subject, form, rows[0]);
      if (row === undefined || isSame(row.change, noTally)) continue;
      const rest = without(subject, row.change);
      for (const hypothesis of following) {
        for (const candidate of hypothesis.candidates({ ...sides, subject: rest })) {
          const isRest = isSame(candidate.change, rest.target);
          if (isRest && areCompatible(subject, candidate, row)) {
            found.explain([candidate, row], rows.length);
          }
        }
      }
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
