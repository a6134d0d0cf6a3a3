import fc from 'fast-check';
import { expect, test } from 'vitest';
import { digestOf, isSameDigest } from '../../src/api/digest.ts';

test('is the same for the same fields, and two signed halves', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.string(), fc.maxSafeInteger())), (fields) => {
      const digest = digestOf(fields);
      expect(digest).toEqual(digestOf([...fields]));
      for (const half of [digest.high, digest.low]) {
        expect(half).toBe(half | 0);
      }
    }),
  );
});

test('tells different contents apart', () => {
  fc.assert(
    fc.property(fc.array(fc.string()), fc.array(fc.string()), (one, other) => {
      const isSame = JSON.stringify(one) === JSON.stringify(other);
      expect(isSameDigest(digestOf(one), digestOf(other))).toBe(isSame);
    }),
    { numRuns: 1000 },
  );
});

test('knows where a field ends', () => {
  const cuts = [['abc'], ['ab', 'c'], ['a', 'bc'], ['abc', ''], ['', 'abc'], ['a', 'b', 'c']];
  const digests = cuts.map((fields) => JSON.stringify(digestOf(fields)));
  expect(new Set(digests).size).toBe(cuts.length);
});

test('tells amounts that differ by one minor unit, and their order', () => {
  const digests = new Set<string>();
  for (let amount = -20_000; amount < 20_000; amount += 1) {
    digests.add(JSON.stringify(digestOf([amount, amount + 1])));
    digests.add(JSON.stringify(digestOf([amount + 1, amount])));
  }
  expect(digests.size).toBe(80_000);
});
