import { expect, test } from 'vitest';
import { buildRow, uuid } from '../../support/build.ts';
import { codesOf, entryOf, judge } from '../judge.ts';

const free = { amount: 0n, fees: 0n, tax: 0n };

test.each([
  [3, 1, 1],
  [0, -2, 2],
])('%s announced of 2 rows: a difference of %s', (transactions, difference, count) => {
  const rows = [buildRow(), buildRow({ id: uuid(2), ...free })];
  expect(entryOf('count', judge({ rows, header: { transactions } }))).toEqual({
    code: 'count',
    weight: 'discrepancy',
    count,
    facts: { reported: transactions, computed: 2, difference },
  });
});

test('rows in another currency are transactions too', () => {
  const rows = [buildRow(), buildRow({ id: uuid(2), currency: 'USD' })];
  expect(codesOf(judge({ rows, header: { transactions: 2 } }))).toEqual(['currency']);
});

test('a repeated or conflicting row counts once', () => {
  const row = buildRow();
  const outcome = {
    repeated: [{ row, copies: 3 }],
    conflicts: [[row, buildRow({ state: 'declined' })]],
  };
  const codes = codesOf(judge({ rows: [row], outcome }));
  expect(codes).toEqual(['conflicting_transaction', 'duplicate_transaction']);
});
