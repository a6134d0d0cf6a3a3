import { expect, test } from 'vitest';
import { partsByAmount } from '../../../src/report/settlements/charts.ts';

const difference = { transactions: 0, gross: 500n, fees: 30n, tax: 0n, payIn: 470n };

test('a difference in pay-in has one part per amount, with the signs of the identity', () => {
  expect(partsByAmount(difference, 'gross-fees-tax')).toEqual([
    ['Gross', 500n],
    ['Fees (subtracted)', -30n],
  ]);
});

test('the last part is what the header contradicts itself by', () => {
  const parts = partsByAmount({ ...difference, payIn: 420n }, 'gross-fees-tax');
  expect(parts.at(-1)).toEqual(['The settlement contradicts itself', -50n]);
  expect(parts.reduce((sum, [, change]) => sum + change, 0n)).toBe(420n);
});

test('a difference has no parts if the identity is off', () => {
  expect(partsByAmount({ ...difference, payIn: undefined }, 'off')).toEqual([]);
});
