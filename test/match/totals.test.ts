import { expect, test } from 'vitest';
import { bankTotalsOf } from '../../src/match/totals.ts';
import { entry, match, payout } from './build.ts';

test('totals have a line for each account and currency, at the scale of each', () => {
  const e2e = (id: string) => ({ endToEndIds: [`E2E-20260305-${id}`] });
  const dollars = { currency: 'USD' };
  const other = { accountingToken: 'other' };
  const { matches } = match(
    [
      payout('A'),
      payout('B', { scale: 3, payIn: 100_001n }),
      payout('C', dollars),
      payout('D', other),
    ],
    [
      entry('a', e2e('A')),
      entry('b', e2e('B'), { scale: 3, amount: 100_001n }),
      entry('c', e2e('C'), { ...dollars, amount: 90_00n }),
      entry('d', e2e('D')),
    ],
  );
  const lines = bankTotalsOf(matches).flatMap(({ accountingToken, currency, scale, states }) =>
    [...states].map(
      ([state, { received, difference }]) =>
        `${accountingToken === 'other' ? 'other' : 'own'} ${currency} ${state} ${received} at ${scale}, off ${difference.net}`,
    ),
  );
  expect(lines.sort()).toEqual([
    'other EUR matched 10000 at 2, off 0',
    'own EUR matched 200001 at 3, off 0',
    'own USD difference 9000 at 2, off -1000',
  ]);
});
