import { expect, test } from 'vitest';
import { Budget, quick, thorough } from '../../src/explain/limits.ts';

test('a budget is used to its end, and a request beyond it uses nothing', () => {
  const budget = new Budget({ candidates: 10 });
  expect([budget.take(6), budget.take(5), budget.take(4), budget.take(0)]).toEqual([
    undefined,
    { reason: 'too_many_candidates', candidates: 5 },
    undefined,
    undefined,
  ]);
  expect(budget.take(1)).toBeDefined();
});

test('one settlement has a hundred times the budget of each settlement of a run', () => {
  expect([thorough.candidates, quick.candidates]).toEqual([5_000_000, 50_000]);
});
