import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  bitsOf,
  bitsOfAny,
  bitsOfChoice,
  bitsOfDeviation,
  bitsOfRound,
} from '../../src/explain/bits.ts';

test('a number costs more, the farther it is from 0', () => {
  expect([0, 1, -1, 10, -84_50].map(bitsOf)).toEqual([1, 2.58, 2.58, 5.39, 15.04]);
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 15n }), (number) => {
      expect(bitsOf(number)).toBeLessThanOrEqual(bitsOf(number + 1n));
      expect(bitsOf(-number)).toBe(bitsOf(number));
    }),
  );
});

test('a round number costs its digits and the number of zeros that follow', () => {
  expect([15_00n, -15_00n, 7n, 1000n].map(bitsOfRound)).toEqual([8.53, 8.53, 5.91, 5.58]);
});

test('a sum of roundings costs more, the farther it is from 0', () => {
  expect(bitsOfDeviation(0n, 120)).toBe(2.99);
  expect(bitsOfDeviation(5n, 120)).toBe(4.79);
  expect(bitsOfDeviation(-5n, 120)).toBe(4.79);
  expect(bitsOfDeviation(1n, 0)).toBeGreaterThan(8);
});

test('a choice costs the logarithm of the number of such sets', () => {
  expect(bitsOfChoice(1, 1)).toBe(0);
  expect(bitsOfChoice(1, 256)).toBe(8);
  expect(bitsOfChoice(2, 4)).toBe(2.58);
  expect(bitsOfChoice(3, 500)).toBe(24.3);
  // Rows of a neighbour may be more than there was a choice of: no choice costs less than none.
  expect(bitsOfChoice(3, 2)).toBeGreaterThanOrEqual(0);
});

describe('any one of several candidates', () => {
  test('costs less than each, and is the same in any order', () => {
    expect(bitsOfAny([])).toBe(Infinity);
    expect(bitsOfAny([[7, 0]])).toBe(Infinity);
    expect(bitsOfAny([[7, 1]])).toBe(7);
    expect(bitsOfAny([[7, 4]])).toBe(5);
    const counts: readonly (readonly [number, number])[] = [
      [7, 1],
      [7.58, 3],
      [20, 1000],
    ];
    expect(bitsOfAny(counts)).toBe(bitsOfAny(counts.toReversed()));
    expect(bitsOfAny(counts)).toBeLessThan(7);
  });
});
