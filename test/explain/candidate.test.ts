import { expect, test } from 'vitest';
import { areCompatible, type CauseCandidate } from '../../src/explain/candidate.ts';
import { caseOf } from '../../src/explain/case.ts';
import { cause } from '../../src/explain/cause.ts';
import { noTally } from '../../src/explain/tally.ts';
import { columnsOf, judge } from '../reconcile/judge.ts';
import { buildOutcome, buildRow, uuid } from '../support/build.ts';

const listed = [buildRow({ id: uuid(1) }), buildRow({ id: uuid(2), type: 'refund' })];
const rows = columnsOf(listed);
const subject = caseOf(
  judge({ rows: listed }),
  rows,
  { outcome: buildOutcome() },
  {
    identity: 'gross',
    rules: {},
  },
);

function compatible(
  one: CauseCandidate['rows'] | undefined,
  other: CauseCandidate['rows'] | undefined,
): boolean {
  if (subject === undefined) throw new Error('no case');
  const candidate = (about: CauseCandidate['rows'] | undefined): CauseCandidate => ({
    cause: cause('missing_rows', {}),
    change: noTally,
    choices: 1,
    rows: about,
  });
  const [a, b] = [candidate(one), candidate(other)];
  const result = areCompatible(subject, a, b);
  expect(areCompatible(subject, b, a)).toBe(result);
  return result;
}

const rowAt = (index: number, columns = rows): CauseCandidate['rows'] => ({
  of: 'row',
  columns,
  index,
});
const refunds: CauseCandidate['rows'] = {
  of: 'group',
  count: 1,
  has: ({ type }) => type === 'refund',
};
const list = (...ids: readonly number[]): CauseCandidate['rows'] => ({
  of: 'list',
  rows: ids.map((id) => buildRow({ id: uuid(id) })),
});

test('two single rows are compatible unless they are the same', () => {
  expect(compatible(rowAt(0), rowAt(1))).toBe(true);
  expect(compatible(rowAt(1), rowAt(1))).toBe(false);
});

test('a row and a group are compatible unless the row is in the group', () => {
  expect(compatible(rowAt(0), refunds)).toBe(true);
  expect(compatible(rowAt(1), refunds)).toBe(false);
  // A row of a neighbour is none of this settlement's refunds.
  expect(compatible(rowAt(1, columnsOf(listed)), refunds)).toBe(true);
});

test('two lists are compatible unless they share a row', () => {
  expect(compatible(list(1, 2), list(3, 4))).toBe(true);
  expect(compatible(list(1, 2), list(3, 2))).toBe(false);
  expect(compatible(list(), list(1))).toBe(true);
});

test('a candidate without rows, a list and a row, and two groups are compatible', () => {
  for (const other of [undefined, rowAt(0), refunds, list(1)]) {
    expect(compatible(undefined, other)).toBe(true);
  }
  expect(compatible(list(1), rowAt(0))).toBe(true);
  expect(compatible(refunds, refunds)).toBe(true);
});
