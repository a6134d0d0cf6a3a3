import { describe, expect, test } from 'vitest';
import { exactSums } from '../../src/match/exact-sums.ts';

/** Amounts of which no two sets have the same sum. */
const powers = (count: number) => Array.from({ length: count }, (_, at) => 2n ** BigInt(at));
const sumOf = (amounts: readonly bigint[]) => amounts.reduce((sum, one) => sum + one, 0n);
const sumsTo = (amounts: readonly bigint[], target: bigint, minorUnits: bigint) =>
  exactSums(amounts, (amount) => amount)(target, minorUnits);

describe('sums', () => {
  test('have at least two and at most ten amounts', () => {
    expect(sumsTo([1n, 2n, 4n], 2n, 10_000n)).toEqual([]);
    expect(sumsTo([1n, 2n, 4n], 5n, 10_000n)).toEqual([[1n, 4n]]);
    const eleven = powers(11);
    expect(sumsTo(eleven, sumOf(eleven.slice(1)), 10n ** 9n)).toEqual([eleven.slice(1)]);
    expect(sumsTo(eleven, sumOf(eleven), 10n ** 9n)).toEqual([]);
  });

  test('are not found for a target of 0', () => {
    expect(sumsTo([5n, -5n], 0n, 10_000n)).toEqual([]);
  });

  test('are two if more exist', () => {
    expect(sumsTo([1n, 4n, 2n, 3n], 5n, 10_000n)).toEqual([
      [1n, 4n],
      [2n, 3n],
    ]);
    expect(sumsTo([1n, 4n, 2n, 3n, 5n, 0n], 5n, 10_000n)).toHaveLength(2);
  });

  test.each([
    // One set, four sets, and 2,035 sets of 2 to 10.
    [2, 100n],
    [3, 400n],
    [11, 203_500n],
    [15, 3_081_100n],
  ])(
    'of %i amounts are not searched below %s minor units, where one may fit by chance',
    (...given) => {
      const [count, enough] = given;
      const [first = 0n, second = 0n] = powers(count);
      expect(sumsTo(powers(count), first + second, enough)).toEqual([[first, second]]);
      expect(sumsTo(powers(count), first + second, enough - 1n)).toEqual([]);
    },
  );

  test('are never searched if more than 50,000 sets exist', () => {
    expect(sumsTo(powers(16), 3n, 10n ** 30n)).toEqual([]);
  });
});
