import type { Certainty } from './claim.ts';
import type { Class, Group, Result } from './classes.ts';
import type { Outcome } from './judge.ts';

const certainties: readonly Certainty[] = ['certain', 'likely', 'possible'];
const outcomes: readonly Outcome[] = ['right', 'found', 'nothing', 'wrong'];

/** The tables of a run. */
export function* tablesOf(
  results: readonly Result[],
  classes: readonly Class[],
): Generator<string> {
  const claims = results.filter(({ month }) => !month);
  const groups = [...new Set(classes.map(({ group }) => group))];
  yield line('', ['cases', ...outcomes, ...certainties]);
  for (const { group, name } of classes) {
    yield line(`${group}: ${name}`, countsOf(claims.filter((one) => one.name === name)));
  }
  yield '';
  for (const group of groups) {
    yield line(`all of ${group}`, countsOf(claims.filter((one) => one.group === group)));
  }
  yield line('all', countsOf(claims));
  yield '';
  for (const certainty of certainties) {
    const made = claims.filter((one) => one.certainty === certainty);
    const shown = made.filter((one) => !isRight(one) && one.isShown).length;
    const { right, all } = rightOf(made);
    yield `${certainty}: ${right} of ${all} right, ${all - right} not (${percent(all - right, all)}); ${shown} of these show the truth as a rival`;
  }
  yield '';
}

/** Right ones of all, for each certainty. */
function countsOf(results: readonly Result[]): readonly string[] {
  const ofOutcome = outcomes.map((outcome) => results.filter((one) => one.outcome === outcome));
  const ofCertainty = certainties.map((certainty) => {
    const { right, all } = rightOf(results.filter((one) => one.certainty === certainty));
    return all === 0 ? '' : `${right}/${all}`;
  });
  return [String(results.length), ...ofOutcome.map(({ length }) => String(length)), ...ofCertainty];
}

function line(first: string, others: readonly string[]): string {
  return first.padEnd(44) + others.map((one) => one.padStart(10)).join('');
}

export interface Target {
  readonly text: string;
  readonly isMet: boolean;
}

/** The targets for what was run. */
export function targetsOf(results: readonly Result[]): readonly Target[] {
  const claims = results.filter(({ month }) => !month);
  const of = (certainty: Certainty) => rightOf(claims.filter((one) => one.certainty === certainty));
  const ofGroup = (group: Group) => rightOf(claims.filter((one) => one.group === group));
  const months = results.flatMap(({ month }) => month ?? []);
  const ruled = months.filter(({ isFound }) => isFound !== undefined);
  const proposed = ruled.filter(({ isFound }) => isFound).length;
  const contradicted = months.reduce((sum, month) => sum + month.contradicted, 0);
  const targets = [
    atMost('certain and wrong', of('certain'), 0),
    atMost('likely and wrong', of('likely'), 2),
    atLeast('right first of single causes', ofGroup('single'), 98),
    atLeast('right first of pairs', ofGroup('pair'), 94),
    ofAllKinds(claims),
    atLeast('rules of months that are proposed', { right: proposed, all: ruled.length }, 100),
  ];
  const text = `proposals that a settlement contradicts: ${contradicted} (target 0)`;
  return [...targets.flatMap((one) => one ?? []), { text, isMet: contradicted === 0 }];
}

interface Share {
  readonly right: number;
  readonly all: number;
}

function atMost(what: string, { right, all }: Share, most: number): Target | undefined {
  const wrong = all - right;
  const text = `${what}: ${wrong} of ${all}, ${percent(wrong, all)} (target at most ${most} %)`;
  return all === 0 ? undefined : { text, isMet: wrong * 100 <= all * most };
}

function atLeast(what: string, { right, all }: Share, least: number): Target | undefined {
  const text = `${what}: ${right} of ${all}, ${percent(right, all)} (target at least ${least} %)`;
  return all === 0 ? undefined : { text, isMet: right * 100 >= all * least };
}

/** Each kind weighs the same, known or new: all have as many cases. */
function ofAllKinds(claims: readonly Result[]): Target | undefined {
  const kinds = claims.filter(({ group }) => group === 'single' || group === 'new');
  return atLeast('right first of all kinds that the data show', rightOf(kinds), 75);
}

function rightOf(results: readonly Result[]): Share {
  return { right: results.filter(isRight).length, all: results.length };
}

function isRight({ outcome }: Result): boolean {
  return outcome === 'right';
}

function percent(part: number, all: number): string {
  return `${((part / (all || 1)) * 100).toFixed(1)} %`;
}
