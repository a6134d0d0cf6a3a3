import { describe, expect, test } from 'vitest';
import {
  type ChargedRows,
  findRates,
  roundedProduct,
  roundingRules,
} from '../../src/reconcile/tariffs.ts';

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

/** Rows with these amounts, and what is charged on them. */
function charged(...rows: readonly (readonly [base: number, value: number])[]): ChargedRows {
  return {
    bases: rows.map(([base]) => base),
    values: rows.map(([, value]) => value),
    kinds: rows.map(() => 0),
  };
}

describe('a rate found in the rows', () => {
  test('is the one with the fewest decimals that gives every row', () => {
    const rows = charged([812_55, 14_22], [-399_99, -7_00]);
    expect(findRates(rows)[0]).toMatchObject({
      rate: { digits: 175n, decimals: 4 },
      rule: 'half_up',
      isShortest: true,
    });
  });

  test('may be negative, where fees have the other sign in all rows', () => {
    const rows = charged([1000_00, -25_00]);
    expect(findRates(rows)[0]?.rate).toEqual({ digits: -25n, decimals: 3 });
  });

  test('is one of eight at most: where more would do, further decimals are not tried', () => {
    // 0.02 of 2.40 may be 1 %, or 0.5 % to 1.2 % but for 1.0 %; of 2.30 it may be 1.3 % as well.
    expect(findRates(charged([2_40, 2]))).toHaveLength(8);
    expect(findRates(charged([2_30, 2]))).toHaveLength(1);
  });

  test.each([
    ['no row is charged', []],
    ['a flat fee is added', [[100_00, 1_30] as const, [300_00, 3_30] as const]],
    ['one of the signs is another', [[100_00, 1_00] as const, [300_00, -3_00] as const]],
    ['the amounts are too small to tell', [[1, 1] as const]],
  ])('there is none where %s', (_, rows) => {
    expect(findRates(charged(...rows))).toEqual([]);
  });

  test('is exact for amounts of which the products go beyond 2^53', () => {
    const base = 2 ** 53 - 1;
    const value = Number((BigInt(base) * 175n + 5_000n) / 10_000n);
    const [found] = findRates(charged([base, value]));
    expect(found).toMatchObject({ rate: { digits: 175n, decimals: 4 }, rule: 'half_up' });
    expect(findRates(charged([base, value], [base, value + 1]))).toEqual([]);
  });

  test('says how many rows each rule rounds up, a refund as its purchase was', () => {
    // 1 % of 1.50, 2.50 and 3.30.
    const rows = charged([1_50, 2], [2_50, 3], [3_30, 3], [-1_50, -2], [-2_50, -3], [-2_50, -3]);
    const [found] = findRates(rows);
    expect(found?.rule).toBe('half_up');
    const counts = roundingRules.map((rule) => [rule, found?.roundedUp(rule, 0)]);
    expect(Object.fromEntries(counts)).toEqual({ half_up: -1, half_even: 0, down: 0, up: 0 });
  });
});
