import type { Certainty } from './claim.ts';
import type { Class, Group, Result } from './classes.ts';
import type { Outcome } from './judge.ts';

/** The tables of a run as lines, and the targets that it misses. */
export function reportOf(
  results: readonly Result[],
  classes: readonly Class[],
): { readonly lines: readonly string[]; readonly missed: readonly string[] } {
  const claims = results.filter(({ month }) => !month);
  const targets = targetsOf(results);
  const missed = targets.filter(({ isMet }) => !isMet).map(({ text }) => text);
  const lines = [
    line(['class', 'cases', 'right', 'found', 'nothing', 'wrong', 'certain', 'likely', 'possible']),
    ...classes.flatMap(({ group, name }) => {
      const some = claims.filter((one) => one.name === name);
      return some.length === 0 ? [] : [line([`${group}: ${name}`, ...countsOf(some)])];
    }),
    '',
    ...groups.flatMap((group) => {
      const some = claims.filter((one) => one.group === group);
      return some.length === 0 ? [] : [line([`all of ${group}`, ...countsOf(some)])];
    }),
    line(['all', ...countsOf(claims)]),
    '',
    ...certainties.map((certainty) => {
      const some = claims.filter((one) => one.certainty === certainty);
      const right = some.filter(isRight).length;
      const shown = some.filter((one) => !isRight(one) && one.isShown).length;
      const wrong = some.length - right - shown;
      return `${certainty}: ${some.length} claims, ${right} right, ${wrong} wrong (${percent(wrong, some.length)}), ${shown} with the truth among the rivals`;
    }),
    '',
    ...targets.map(({ isMet, text }) => `${isMet ? 'met   ' : 'MISSED'} ${text}`),
  ];
  return { lines, missed };
}

const certainties: readonly Certainty[] = ['certain', 'likely', 'possible'];
const outcomes: readonly Outcome[] = ['right', 'found', 'nothing', 'wrong'];
const groups: readonly Group[] = [
  'single',
  'pair',
  'triple',
  'noisy',
  'currency',
  'new',
  'none',
  'rule',
  'no rule',
];

/** Right ones of all, for each certainty. */
function countsOf(results: readonly Result[]): readonly string[] {
  const ofOutcome = outcomes.map((outcome) => results.filter((one) => one.outcome === outcome));
  const ofCertainty = certainties.map((certainty) => {
    const some = results.filter((one) => one.certainty === certainty);
    return some.length === 0 ? '' : `${some.filter(isRight).length}/${some.length}`;
  });
  return [String(results.length), ...ofOutcome.map(({ length }) => String(length)), ...ofCertainty];
}

interface Target {
  readonly text: string;
  readonly isMet: boolean;
}

/** The targets of what was run. */
function targetsOf(results: readonly Result[]): readonly Target[] {
  const claims = results.filter(({ month }) => !month);
  const wrongOf = (certainty: Certainty) => {
    const some = claims.filter((one) => one.certainty === certainty);
    return { wrong: some.filter((one) => !isRight(one)).length, all: some.length };
  };
  const certain = wrongOf('certain');
  const likely = wrongOf('likely');
  const ruled = results.flatMap(({ month }) =>
    month?.isFound === undefined ? [] : [month.isFound],
  );
  const found = ruled.filter((isFound) => isFound).length;
  const contradicted = results.reduce((sum, { month }) => sum + (month?.contradicted ?? 0), 0);
  return [
    {
      text: `certain and wrong: ${certain.wrong} of ${certain.all} (target 0)`,
      isMet: certain.wrong === 0,
    },
    {
      text: `likely and wrong: ${likely.wrong} of ${likely.all}, ${percent(likely.wrong, likely.all)} (target at most 2 %)`,
      isMet: likely.wrong * 100 <= likely.all * 2,
    },
    atLeast(98, 'right first of single causes', claims, ['single']),
    atLeast(94, 'right first of pairs', claims, ['pair']),
    ofAllKinds(claims),
    {
      text: `proposals that a settlement contradicts: ${contradicted} (target 0)`,
      isMet: contradicted === 0,
    },
    {
      text: `rules of months proposed: ${found} of ${ruled.length} (target all)`,
      isMet: found === ruled.length,
    },
  ];
}

function atLeast(
  least: number,
  text: string,
  results: readonly Result[],
  of: readonly Group[],
): Target {
  const some = results.filter(({ group }) => of.includes(group));
  const right = some.filter(isRight).length;
  return {
    text: `${text}: ${right} of ${some.length}, ${percent(right, some.length)} (target at least ${least} %)`,
    isMet: right * 100 >= some.length * least,
  };
}

/** Each kind counts the same, known and new, however many cases it has. */
function ofAllKinds(results: readonly Result[]): Target {
  const shares = new Map<string, Result[]>();
  for (const one of results) {
    if (one.group !== 'single' && one.group !== 'new') continue;
    shares.set(one.name, [...(shares.get(one.name) ?? []), one]);
  }
  const ofEach = [...shares.values()].map((some) => some.filter(isRight).length / some.length);
  const mean = (ofEach.reduce((sum, share) => sum + share, 0) / (ofEach.length || 1)) * 100;
  return {
    text: `right first of all kinds that the data show, as the mean of ${ofEach.length}: ${mean.toFixed(1)} % (target at least 75 %)`,
    isMet: ofEach.length === 0 || mean >= 75,
  };
}

function isRight({ outcome }: Result): boolean {
  return outcome === 'right';
}

function percent(part: number, all: number): string {
  return `${((part / (all || 1)) * 100).toFixed(1)} %`;
}

function line([first = '', ...others]: readonly string[]): string {
  return first.padEnd(44) + others.map((one) => one.padStart(10)).join('');
}
