import { byText } from '../base/texts.ts';
import { figuresPerRow } from '../model/row-batch.ts';
import { areCompatible, type CauseCandidate, type OneRow } from './candidate.ts';
import type { Case } from './case.ts';
import { causeText, isUsualOfRows } from './cause.ts';
import { type Budget, mostRowsForThree } from './limits.ts';
import { factorOf, isFree, type RowForm, rowCandidate, valueFinder } from './row-form.ts';
import type { SearchResults } from './search-results.ts';
import { inNumbers, isSame, minus, noTally, type Tally, total } from './tally.ts';

/** Looks for one row of each form that together make the residual of a cause, or the whole difference. */
interface SetSearch {
  readonly forms: readonly [RowForm, RowForm] | readonly [RowForm, RowForm, RowForm];
  readonly beside?: CauseCandidate;
  readonly residual: Tally;
}

/**
 * Tries two rows at once, and three in small settlements: the last one is looked up. If many sets fit, they
 * are counted, and the one with the smallest ids is kept. The likeliest come first, within the budget.
 */
export function tryRowSets(
  subject: Case,
  forms: readonly RowForm[],
  wholes: readonly CauseCandidate[],
  budget: Budget,
  found: SearchResults,
): void {
  const { target, rows } = subject;
  const pairs = forms.flatMap((first, place) =>
    forms.slice(place).map((second) => [first, second] as const),
  );
  const usual = pairs.filter((pair) => pair.every(isUsual));
  const alike = forms.filter(isUsual);
  const tryAll = (searches: readonly SetSearch[]) => {
    const possible = searches.filter(isPossible);
    const obstacle = budget.take(
      Math.ceil(possible.reduce((sum, one) => sum + lookupsOf(one), 0) / lookupsPerCandidate),
    );
    if (obstacle) found.pairObstacles.push(obstacle);
    else for (const one of possible) trySets(subject, one, found);
  };
  tryAll(usual.map((forms) => ({ forms, residual: target })));
  tryAll(
    wholes.flatMap((beside) => {
      const residual = minus(target, beside.change);
      return beside.beside
        ? []
        : alike.map((one) => ({ forms: [one, one], beside, residual }) as const);
    }),
  );
  tryAll(
    pairs.filter((pair) => !usual.includes(pair)).map((forms) => ({ forms, residual: target })),
  );
  if (rows.size <= mostRowsForThree) {
    tryAll(alike.map((one) => ({ forms: [one, one, one], residual: target })));
  }
}

function isUsual({ cause: { code } }: RowForm): boolean {
  return isUsualOfRows(code);
}

function isPossible({ forms, residual }: SetSearch): boolean {
  const count = forms.reduce((sum, form) => sum + form.count, 0);
  const isDue = residual.contradiction === 0n && !isSame(residual, noTally);
  return isDue && count === residual.count;
}

/** Lookups of rows by their amounts that count as the work of one candidate. */
const lookupsPerCandidate = 4;

function lookupsOf({ forms: [first, second, third] }: SetSearch): number {
  const sizes = [first.values.size, second.values.size];
  return third ? (first.values.size * second.values.size) / 2 : Math.min(...sizes);
}

function trySets(subject: Case, search: SetSearch, found: SearchResults): void {
  const { forms, beside, residual } = search;
  let sets = 0;
  let kept: readonly OneRow[] = [];
  let keptText: string | undefined;
  for (const values of valuesMaking(search)) {
    const choices = forms.map((form, place) => {
      const rows = form.values.rows(values[place] ?? 0);
      return beside ? rows.filter(isFree(subject, form, beside)) : rows;
    });
    const more = setsOf(forms, values, choices);
    if (more === 0) continue;
    sets += more;
    const chosen = smallestOf(forms, choices);
    const text = textOf(forms, chosen);
    if (keptText !== undefined && byText(keptText, text) <= 0) continue;
    [kept, keptText] = [chosen, text];
  }
  if (sets === 0) return;
  const candidates = kept.flatMap(({ index }, place) => {
    const form = forms[place];
    return (form && rowCandidate(subject, form, index)) ?? [];
  });
  if (beside && !candidates.every((one) => areCompatible(subject, beside, one))) return;
  const change = total(candidates.map((one) => one.change));
  if (isSame(change, residual)) found.explain(beside ? [beside, ...candidates] : candidates, sets);
}

/** The values that make the residual, one for each form; each set once, in one order. */
function* valuesMaking({ forms, residual }: SetSearch): Iterable<readonly number[]> {
  const [first, second, third] = forms;
  const [gross, fees, tax] = inNumbers(residual);
  if (third === undefined) {
    const isTurned = first.values.size > second.values.size;
    const pair = isTurned ? ([second, first] as const) : ([first, second] as const);
    for (const found of pairsMaking(pair, gross, fees, tax, 0)) {
      yield isTurned ? found.toReversed() : found;
    }
    return;
  }
  const { figures, size } = first.values;
  const { times } = factorOf(first);
  const idle = idleValue(first);
  for (let value = 0; value < size; value++) {
    if (value === idle) continue;
    const at = value * figuresPerRow;
    const pairs = pairsMaking(
      [second, third],
      gross - (figures[at] ?? 0) * times,
      fees - (figures[at + 1] ?? 0) * times,
      tax - (figures[at + 2] ?? 0) * times,
      value,
    );
    for (const pair of pairs) yield [value, ...pair];
  }
}

/** The same for two forms: the values of the first, starting with `from`; the other is looked up. */
function* pairsMaking(
  [first, second]: readonly [RowForm, RowForm],
  gross: number,
  fees: number,
  tax: number,
  from: number,
): Iterable<readonly number[]> {
  const { figures, size } = first.values;
  const { times, over } = factorOf(first);
  const [idle, otherIdle] = [idleValue(first), idleValue(second)];
  const find = valueFinder(second);
  for (let value = from; value < size; value++) {
    if (value === idle) continue;
    const at = value * figuresPerRow;
    const ownGross = ((figures[at] ?? 0) * times) / over;
    const ownFees = ((figures[at + 1] ?? 0) * times) / over;
    const ownTax = ((figures[at + 2] ?? 0) * times) / over;
    if (over > 1 && ![ownGross, ownFees, ownTax].every(Number.isInteger)) continue;
    const other = find(gross - ownGross, fees - ownFees, tax - ownTax);
    if (other >= 0 && other !== otherIdle && (first !== second || other >= value))
      yield [value, other];
  }
}

/** The value of the rows that make no difference in this form; −1 if there are none. */
function idleValue({ count, values }: RowForm): number {
  return count === 0 ? values.find(0, 0, 0) : -1;
}

/** How many sets of different rows these choices allow; a choice has the rows of one value, for one form. */
function setsOf(
  [first, second]: SetSearch['forms'],
  values: readonly number[],
  choices: readonly (readonly number[])[],
): number {
  const [ofFirst = [], ofSecond = []] = choices;
  if (first !== second) {
    const isSharing = first.values.columns === second.values.columns;
    const shared = new Set(isSharing ? ofFirst : []);
    return ofFirst.length * ofSecond.length - ofSecond.filter((row) => shared.has(row)).length;
  }
  // With one form, the order of rows with the same value does not make another set.
  return choices.reduce((sets, rows, place) => {
    const earlier = values.slice(0, place).filter((value) => value === values[place]).length;
    return (sets * (rows.length - earlier)) / (earlier + 1);
  }, 1);
}

/** What is done to which rows, as a text that does not depend on the order of the list. */
function textOf(forms: SetSearch['forms'], rows: readonly OneRow[]): string {
  const texts = rows.map(({ columns, index }, place) => {
    const form = forms[place];
    return `${form ? causeText(form.cause) : ''} ${columns.id(index)}`;
  });
  return texts.sort(byText).join();
}

/** Different rows with the smallest ids, the fewest choices first. */
function smallestOf(
  forms: SetSearch['forms'],
  choices: readonly (readonly number[])[],
): readonly OneRow[] {
  const chosen: OneRow[] = [];
  const places = [...choices.keys()].sort(
    (a, b) => (choices[a]?.length ?? 0) - (choices[b]?.length ?? 0),
  );
  for (const place of places) {
    const columns = forms[place]?.values.columns;
    const index = choices[place]?.find(
      (row) => !chosen.some((one) => one?.columns === columns && one.index === row),
    );
    if (columns && index !== undefined) chosen[place] = { of: 'row', columns, index };
  }
  return chosen;
}
