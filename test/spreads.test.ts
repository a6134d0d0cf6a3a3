import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { append, largestOf, smallestOf } from '../src/base/lists.ts';

/** Calls of a list that has a bound, and which. */
const bounded: Readonly<Record<string, string>> = {
  'Math.max(...cells.map((lines) => lines.length))': 'columns of a table',
  'Math.max(...exitCodeMeanings.map(([code]) => code.length))': 'exit codes',
  'Math.max(...fits.map(({ settlements }) => settlements))': 'names of identities',
  'Math.max(...topics.map(({ name }) => name.length))': 'topics of the help',
  'Math.max(...words)': 'words of a title',
  'Math.max(0, ...previews.map(({ preview }) => preview.ms))': 'profiles',
  'Math.max(0, ...[...indexes.values()].flat().map((index) => index + 1))': 'columns of a mapping',
  'Math.max(0, ...rates)': 'answers that the pace looks back at',
  'Math.max(0, ...rows)': 'fees and tax',
  'Math.max(high, ...met)': 'one or two',
  'Math.max(unit.length, ...ticks.map(({ text }) => text.length))': 'ticks of an axis',
  'Math.min(...pricings.map(({ digits }) => digits))': 'pricings that are kept',
  'Math.min(...sizes)': 'two',
  'Math.min(low, ...met)': 'one or two',
  'changed.push(...change(one).map((own) => ({ ...one, ...own })))': 'orders of one sale',
  'chosen.push(...level.map((one) => ({ ...one, width: one[size] })))': 'columns of a table',
  'details.push(...(is?.details ?? []))': 'findings of one settlement',
  'failed.push(...group)': 'profiles',
  'first.push(...rows.slice(0, maxShown - first.length))': 'rows of a screen',
  'found.push(...pricingsBy(relation, rows, on, limit))': 'pricings that are kept',
  'found.push(...tested(tariff).map((one) => ({ ...one, digits })))': 'one tariff',
  'group.columns.splice(1, 0, ...versionGroup.columns)': 'columns of a table',
  'samples.push(...sampleOf(one, await rowsOf(one)))': 'one or none',
  'steps.push(...noteSteps(notes))': 'keys of a note',
};

/** The text of a call from its name to the bracket that closes it. */
function wholeCall(source: string, start: number, open: number): string {
  let depth = 0;
  for (let at = open; at < source.length; at += 1) {
    if (source[at] === '(') depth += 1;
    if (source[at] === ')') depth -= 1;
    if (depth === 0) return source.slice(start, at + 1).replace(/\s+/g, ' ');
  }
  return source.slice(start);
}

/** Whether a list is spread among the arguments themselves, and not within one of them. */
function isSpread(call: string): boolean {
  let depth = 0;
  return [...call].some((letter, at) => {
    if (/[([{]/.test(letter)) depth += 1;
    if (/[)\]}]/.test(letter)) depth -= 1;
    return depth === 1 && call.startsWith('...', at);
  });
}

const takesAny =
  /(?:[\w#.]+\.(?:push|unshift|splice|concat|append|prepend|after|before|fromCharCode|fromCodePoint)|Math\.(?:max|min|hypot)|\w+\.apply)\(/g;

test('no list without a limit is spread into a call', () => {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' });
  const found = files
    .filter((name) => name.endsWith('.ts'))
    .flatMap((name) => {
      const source = readFileSync(join('src', name), 'utf8');
      return [...source.matchAll(takesAny)]
        .map(({ index, 0: call }) => wholeCall(source, index, index + call.length - 1))
        .filter((call) => isSpread(call) || /\.apply\(/.test(call));
    });
  expect(found.filter((call) => !Object.hasOwn(bounded, call))).toEqual([]);
});

test('append, largestOf and smallestOf work with any number of values', () => {
  const many = Array.from({ length: 300_000 }, (_, at) => at - 150_000);
  const list: number[] = [];
  append(list, many);
  expect([list.length, list.at(-1)]).toEqual([300_000, 149_999]);
  expect([largestOf(many), smallestOf(many)]).toEqual([149_999, -150_000]);
  expect([largestOf([]), smallestOf([])]).toEqual([-Infinity, Infinity]);
});
