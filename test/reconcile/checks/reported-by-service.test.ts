import { expect, test } from 'vitest';
import { codesOf, entryOf, judge } from '../judge.ts';

test('the service says out of balance while every sum agrees', () => {
  const result = judge({ header: { status: 'settled_out_of_balance' } });
  expect(entryOf('reported_by_service', result)).toEqual({
    code: 'reported_by_service',
    weight: 'discrepancy',
    count: 1,
    facts: { status: 'settled_out_of_balance' },
  });
  expect(result).toMatchObject({ sumsSay: 'balanced', verdict: 'out_of_balance' });
});

test.each(['settled', 'pending_settlement', 'validated'])('%s is not that', (status) => {
  expect(codesOf(judge({ header: { status } }))).toEqual([]);
});
