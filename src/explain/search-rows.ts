import { figuresPerRow } from '../model/row-batch.ts';
import { areCompatible, type CauseCandidate, changeBeside, type Hypothesis } from './candidate.ts';
import type { Case } from './case.ts';
import {
  factorOf,
  isFree,
  type RowForm,
  type RowHypothesis,
  rowCandidate,
  valueMaking,
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
    const what = effectOn(subject.target, form);
    let tried = 0;
    for (let value = 0; value < values.size; value++) {
      const effect = what(value);
      if (effect === 'accounts') {
        const candidate = rowCandidate(subject, form, values.rows(value)[0] ?? 0);
        if (candidate) found.try(candidate, values.count(value));
      } else if (effect === 'changes' && !isSecond) tried += values.count(value);
    }
    found.count(cause.code, tried);
  }
}

/**
 * What the rows of a value do: whether they change anything, and account for an amount without
 * putting out a figure that agreed. In numbers: the amounts that they account for are looked at again.
 */
function effectOn(target: Tally, form: RowForm) {
  const { figures } = form.values;
  const { times, over } = factorOf(form);
  const due = inNumbers(target);
  const putsOutCount = form.count !== 0 && target.count === 0;
  return (value: number): 'nothing' | 'changes' | 'accounts' => {
    let [changes, accounts, putsOut] = [form.count !== 0, false, putsOutCount];
    for (let figure = 0; figure < figuresPerRow; figure++) {
      const made = ((figures[value * figuresPerRow + figure] ?? 0) * times) / over;
      if (made === 0) continue;
      if (!Number.isInteger(made)) return 'nothing';
      changes = true;
      if (due[figure] === 0) putsOut = true;
      else if (due[figure] === made) accounts = true;
    }
    if (accounts && !putsOut) return 'accounts';
    return changes ? 'changes' : 'nothing';
  };
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
    const value = valueMaking(form, gross, fees, tax);
    return value < 0 ? [] : [value];
  }
  const { times, over } = factorOf(form);
  return form.values.withGross((gross * over) / times);
}
