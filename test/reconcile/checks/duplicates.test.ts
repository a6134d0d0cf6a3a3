import { expect, test } from 'vitest';
import { buildRow, uuid } from '../../support/build.ts';
import { codesOf, entryOf, judge } from '../judge.ts';

test('rows that the service lists again count once, and are a notice', () => {
  const repeated = [
    { row: buildRow({ id: uuid(1002) }), copies: 2 },
    { row: buildRow(), copies: 1 },
  ];
  const result = judge({ outcome: { repeated } });
  expect(entryOf('duplicate_transaction', result)).toEqual({
    code: 'duplicate_transaction',
    weight: 'notice',
    count: 2,
    facts: { copies: 3, examples: [uuid(1001), uuid(1002)] },
  });
  expect(result.computed?.gross).toBe(1000n);
  expect(result.verdict).toBe('balanced');
});

test('two rows of one charge are no duplicates', () => {
  const rows = [buildRow(), buildRow({ id: uuid(2), amount: 0n, fees: 0n, tax: 0n })];
  expect(codesOf(judge({ rows, header: { transactions: 2 } }))).toEqual([]);
});
