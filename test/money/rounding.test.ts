import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type RoundingRule, rounded } from '../../src/money/rate.ts';

const numerator = fc.bigInt({ min: 0n, max: 10n ** 30n });
const denominator = fc.bigInt({ min: 1n, max: 10n ** 12n });

describe('a quotient', () => {
  test('is one of the two integers around the exact one, and the nearest with half_up and half_even', () => {
    fc.assert(
      fc.property(numerator, denominator, (above, below) => {
        const [down, up] = [rounded(above, below, 'down'), rounded(above, below, 'up')];
        expect(down * below).toBeLessThanOrEqual(above);
        expect(up * below).toBeGreaterThanOrEqual(above);
        expect(up - down).toBe(above % below === 0n ? 0n : 1n);
        for (const rule of ['half_up', 'half_even'] as const) {
          const distance = rounded(above, below, rule) * below - above;
          expect(2n * (distance < 0n ? -distance : distance)).toBeLessThanOrEqual(below);
        }
      }),
    );
  });

  test.each<readonly [RoundingRule, ofOneAndAHalf: bigint, ofTwoAndAHalf: bigint]>([
    ['half_up', 2n, 3n],
    ['half_even', 2n, 2n],
    ['down', 1n, 2n],
    ['up', 2n, 3n],
  ])('of one and a half or two and a half is rounded %s', (rule, ofOneAndAHalf, ofTwoAndAHalf) => {
    expect(rounded(3n, 2n, rule)).toBe(ofOneAndAHalf);
    expect(rounded(5n, 2n, rule)).toBe(ofTwoAndAHalf);
  });
});
