import { describe, expect, test } from 'vitest';
import { findRates, roundedProduct } from '../../src/explain/rates.ts';

const percent = { digits: 1n, decimals: 2 };

test.each([
  ['up', [1n, 2n, 3n]],
  ['down', [0n, 1n, 2n]],
  ['half_up', [1n, 2n, 3n]],
  ['half_even', [0n, 2n, 2n]],
] as const)('1 % of 0.50, 1.50 and 2.50, rounded %s', (rule, expected) => {
  const amounts = [50n, 1_50n, 2_50n];
  expect(amounts.map((amount) => roundedProduct(amount, percent, rule))).toEqual(expected);
  // A refund is rounded as its purchase was.
  const negative = expected.map((one) => -one);
  expect(amounts.map((amount) => roundedProduct(-amount, percent, rule))).toEqual(negative);
});

test.each([
  ['up', [0n, 1n, 1n, 1n, 2n]],
  ['down', [0n, 0n, 0n, 1n, 1n]],
  ['half_up', [0n, 0n, 1n, 1n, 1n]],
  ['half_even', [0n, 0n, 1n, 1n, 1n]],
] as const)('1 %% of 0.00, 0.30, 0.70, 1.00 and 1.49, rounded %s', (rule, expected) => {
  const amounts = [0n, 30n, 70n, 1_00n, 1_49n];
  expect(amounts.map((amount) => roundedProduct(amount, percent, rule))).toEqual(expected);
});

describe('a rate found in the rows', () => {
  test('is the one with the fewest decimals that gives every row', () => {
    const rows = [
      { base: 812_55n, value: 14_22n },
      { base: -399_99n, value: -7_00n },
    ];
    expect(findRates(rows)[0]).toEqual({
      rate: { digits: 175n, decimals: 4 },
      rule: 'half_up',
      isShortest: true,
    });
  });

  test('may be negative, where fees have the other sign in all rows', () => {
    const rows = [{ base: 1000_00n, value: -25_00n }];
    expect(findRates(rows)[0]?.rate).toEqual({ digits: -25n, decimals: 3 });
  });

  test('is one of eight at most: where more would do, further decimals are not tried', () => {
    // 0.02 of 2.40 may be 1 %, or 0.5 % to 1.2 % but for 1.0 %; of 2.30 it may be 1.3 % as well.
    expect(findRates([{ base: 2_40n, value: 2n }])).toHaveLength(8);
    expect(findRates([{ base: 2_30n, value: 2n }])).toHaveLength(1);
  });

  test.each([
    ['no row is charged', []],
    ['a flat fee is added', [[100_00n, 1_30n] as const, [300_00n, 3_30n] as const]],
    ['one of the signs is another', [[100_00n, 1_00n] as const, [300_00n, -3_00n] as const]],
    ['the amounts are too small to tell', [[1n, 1n] as const]],
  ])('there is none where %s', (_, rows) => {
    expect(findRates(rows.map(([base, value]) => ({ base, value })))).toEqual([]);
  });
});
