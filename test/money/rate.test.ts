import fc from 'fast-check';
import { expect, test } from 'vitest';
import { atRateOf, rateOf, rateScale, rateText } from '../../src/money/rate.ts';
import { minor } from './arbitraries.ts';

test.each([
  [140n, 10_000n, '1.4000'],
  [1n, 3n, '33.3333'],
  [2n, 3n, '66.6667'],
  [0n, 10_000n, '0.0000'],
  [0n, -10_000n, '0.0000'],
  // Half a ten-thousandth, and a little less.
  [1n, 2_000_000n, '0.0001'],
  [1n, 2_000_001n, '0.0000'],
  [3n, 2_000_000n, '0.0002'],
  // What is given back: both are negative.
  [-140n, -10_000n, '1.4000'],
  [-1n, -2_000_000n, '0.0001'],
  [300n, 200n, '150.0000'],
  [9_007_199_254_740_993n, 18_014_398_509_481_986n, '50.0000'],
])('%s of %s is %s per cent', (part, whole, text) => {
  expect(rateText(rateOf(part, whole))).toBe(text);
});

test.each([
  [140n, 0n],
  [0n, 0n],
  [140n, -10_000n],
  [-140n, 10_000n],
])('%s of %s has no rate, and an empty cell', (part, whole) => {
  expect(rateOf(part, whole)).toBeUndefined();
  expect(rateText(rateOf(part, whole))).toBe('');
});

test('law: a rate is the nearest one, rounded half away from zero', () => {
  fc.assert(
    fc.property(minor, minor, (part, whole) => {
      const rate = rateOf(part, whole);
      if (rate === undefined) return;
      const hundred = 100n * 10n ** BigInt(rateScale);
      // Twice the error, in units of the last place times the whole.
      const [above, below] = whole < 0n ? [-part, -whole] : [part, whole];
      const error = 2n * (rate * below - above * hundred);
      expect(error > -below && error <= below).toBe(true);
    }),
  );
});

test('law: a rate does not depend on the scale, or on a change of both signs', () => {
  fc.assert(
    fc.property(minor, minor, fc.integer({ min: 0, max: 18 }), (part, whole, places) => {
      const larger = 10n ** BigInt(places);
      expect(rateOf(part * larger, whole * larger)).toBe(rateOf(part, whole));
      expect(rateOf(-part, -whole)).toBe(rateOf(part, whole));
    }),
  );
});

test('law: a rate is missing only if the whole is 0 or the signs are opposite', () => {
  fc.assert(
    fc.property(minor, minor, (part, whole) => {
      expect(rateOf(part, whole) === undefined).toBe(whole === 0n || part * whole < 0n);
    }),
  );
});

test.each([
  [45_000n, 420n, 30_000n, 630n],
  // 1.5 and 2.5: half away from zero, in both directions.
  [3n, 1n, 2n, 2n],
  [-5n, 1n, 2n, -3n],
  [100n, 0n, 7n, 0n],
  [10n, -1n, -3n, 3n],
])('%s at the rate of %s in %s is %s', (amount, part, whole, at) => {
  expect(atRateOf(amount, part, whole)).toBe(at);
});
