import { expect, test } from 'vitest';
import { inMinorUnits, million, roundingRules } from '../../src/reconcile/tariffs.ts';
import { Random } from '../support/random.ts';

/** 1 % of so many minor units, exactly. */
const percentOf = (minor: bigint) => minor * 10_000n;

test.each([
  ['up', [1n, 2n, 3n]],
  ['down', [0n, 1n, 2n]],
  ['half_up', [1n, 2n, 3n]],
  ['half_even', [0n, 2n, 2n]],
] as const)('1 %% of 0.50, 1.50 and 2.50, rounded %s', (rule, expected) => {
  const amounts = [50n, 1_50n, 2_50n];
  expect(amounts.map((amount) => inMinorUnits(percentOf(amount), rule))).toEqual(expected);
  // A refund is rounded as its purchase was.
  const negative = expected.map((one) => -one);
  expect(amounts.map((amount) => inMinorUnits(percentOf(-amount), rule))).toEqual(negative);
});

test.each([
  ['up', [0n, 1n, 1n, 1n, 2n]],
  ['down', [0n, 0n, 0n, 1n, 1n]],
  ['half_up', [0n, 0n, 1n, 1n, 1n]],
  ['half_even', [0n, 0n, 1n, 1n, 1n]],
] as const)('1 %% of 0.00, 0.30, 0.70, 1.00 and 1.49, rounded %s', (rule, expected) => {
  const amounts = [0n, 30n, 70n, 1_00n, 1_49n];
  expect(amounts.map((amount) => inMinorUnits(percentOf(amount), rule))).toEqual(expected);
});

test('a rounded amount is less than one minor unit away, and stays the same if rounded again', () => {
  const random = new Random(1);
  for (let n = 0; n < 500; n++) {
    const exact = BigInt(random.int(-900 * million, 900 * million));
    for (const rule of roundingRules) {
      const minor = inMinorUnits(exact, rule);
      const distance = minor * BigInt(million) - exact;
      expect(distance < BigInt(million) && distance > -BigInt(million)).toBe(true);
      expect(inMinorUnits(minor * BigInt(million), rule)).toBe(minor);
    }
  }
});
