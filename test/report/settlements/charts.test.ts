import { expect, test } from 'vitest';
import { partsByAmount } from '../../../src/report/settlements/charts.ts';

const difference = { transactions: 0, gross: 500n, fees: 30n, tax: 0n, payIn: 470n };

test('a difference in pay-in is made of what each amount changes, with the signs of the identity', () => {
  expect(partsByAmount(difference, 'gross-fees-tax')).toEqual([
    ['Gross', 500n],
    ['Fees (subtracted)', -30n],
  ]);
});

test('what the amounts do not give is the header against itself: the parts end at the difference', () => {
  const parts = partsByAmount({ ...difference, payIn: 420n }, 'gross-fees-tax');
  expect(parts.at(-1)).toEqual(['The header contradicts itself', -50n]);
  expect(parts.reduce((sum, [, change]) => sum + change, 0n)).toBe(420n);
});

test('without an identity there are no parts', () => {
  expect(partsByAmount({ ...difference, payIn: undefined }, 'off')).toEqual([]);
});
