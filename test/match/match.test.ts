import { expect, test } from 'vitest';
import { entryKey, explainedEntries } from '../../src/match/match.ts';
import { entry, match, part, payout } from './build.ts';

const e2e = (id: string) => ({ endToEndIds: [`E2E-20260305-${id}`] });

test('entries explain pay-outs if money was compared, and parts have numbers', () => {
  const parts = ['A', 'Z'].map((id) => part({ amount: 100_00n, ...e2e(id) }));
  const payouts = ['A', 'B', 'C', 'D'].map((id) => payout(id));
  const { matches } = match(payouts, [
    entry('batch', {}, { amount: 200_00n, parts }),
    entry('short', e2e('B'), { amount: 98_50n }),
    entry('dollars', e2e('C'), { currency: 'USD' }),
    entry('coming', e2e('D'), { status: 'pending' }),
    entry('unknown', {}, { amount: 7n }),
  ]);
  expect([...explainedEntries(matches)].sort()).toEqual(['batch#0', 'short']);
});

test('a suggested entry explains no pay-out', () => {
  const { matches } = match([payout('A')], [entry('1')]);
  expect(matches.map(({ state }) => state)).toEqual(['suggested']);
  expect(explainedEntries(matches)).toEqual(new Set());
});

test('an entry and its parts have different keys', () => {
  const whole = entry('1');
  expect(entryKey({ entry: whole, part: undefined, amount: 1n })).toBe('1');
  expect(entryKey({ entry: whole, part: 0, amount: 1n })).toBe('1#0');
});
