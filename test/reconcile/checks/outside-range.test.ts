import { expect, test } from 'vitest';
import { codesOf, entryOf, judge } from '../judge.ts';

const range = { from: '2026-03-01', to: '2026-03-31' };

test.each(['2026-02-28', '2026-04-01'])('%s lies outside, and the settlement stays', (date) => {
  const result = judge({ header: { date }, range });
  expect(entryOf('outside_range', result)).toEqual({
    code: 'outside_range',
    weight: 'notice',
    count: 1,
    facts: { date, range },
  });
  expect(result.verdict).toBe('balanced');
});

test.each(['2026-03-01', '2026-03-31'])('%s is included', (date) => {
  expect(codesOf(judge({ header: { date }, range }))).toEqual([]);
});

test('without a range there is no outside', () => {
  expect(codesOf(judge({ header: { date: '1999-01-01' } }))).toEqual([]);
});
