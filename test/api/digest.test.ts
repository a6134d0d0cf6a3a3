import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  addTexts,
  type Digest,
  digestOf as digestOfTexts,
  isSameDigest,
} from '../../src/api/scan/kernel.ts';

function digestOf(fields: readonly (string | number)[]): Digest {
  return digestOfTexts(() => addTexts(0, fields.map(String)));
}

test('the digest of equal fields is equal, and consists of two signed halves', () => {
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

test('the digests of different contents differ', () => {
  fc.assert(
    fc.property(fc.array(fc.string()), fc.array(fc.string()), (one, other) => {
      const isSame = JSON.stringify(one) === JSON.stringify(other);
      expect(isSameDigest(digestOf(one), digestOf(other))).toBe(isSame);
    }),
    { numRuns: 1000 },
  );
});

test('the digests of texts that differ in both bytes of their characters differ', () => {
  fc.assert(
    fc.property(
      fc.array(fc.nat(0xffff), { minLength: 4, maxLength: 4 }),
      fc.nat(0xffff),
      (codes, by) => {
        if (by === 0) return;
        for (let at = 0; at < 4; at += 1) {
          for (const shift of [0, 8, -8]) {
            const next = (at + 1) % 4;
            const others = codes.map((code, place) => {
              if (place === at) return code ^ by;
              return place === next ? code ^ ((by << shift) & 0xffff) : code;
            });
            if (others.join() === codes.join()) continue;
            const [one, other] = [codes, others].map((each) => String.fromCharCode(...each));
            expect(isSameDigest(digestOf([one ?? '']), digestOf([other ?? '']))).toBe(false);
          }
        }
      },
    ),
    { numRuns: 500 },
  );
  expect(isSameDigest(digestOf(['\u0141a']), digestOf(['\u0241b']))).toBe(false);
});

test('the digest depends on each byte of a text', () => {
  for (let length = 1; length <= 40; length += 1) {
    const texts = Array.from({ length }, (_, at) => `${'a'.repeat(at)}b`.padEnd(length, 'a'));
    const digests = ['a'.repeat(length), ...texts].map((text) => JSON.stringify(digestOf([text])));
    expect(new Set(digests).size).toBe(length + 1);
  }
});

test('the digest depends on where a field ends', () => {
  const cuts = [['abc'], ['ab', 'c'], ['a', 'bc'], ['abc', ''], ['', 'abc'], ['a', 'b', 'c']];
  const digests = cuts.map((fields) => JSON.stringify(digestOf(fields)));
  expect(new Set(digests).size).toBe(cuts.length);
});

test('the digest depends on one minor unit of an amount, and on the order of amounts', () => {
  const digests = new Set<string>();
  for (let amount = -20_000; amount < 20_000; amount += 1) {
    digests.add(JSON.stringify(digestOf([amount, amount + 1])));
    digests.add(JSON.stringify(digestOf([amount + 1, amount])));
  }
  expect(digests.size).toBe(80_000);
});
