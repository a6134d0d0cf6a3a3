import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SmallestKeys, smallestIds } from '../../src/reconcile/examples.ts';

test('the ten smallest ids, in the same order on every machine', () => {
  const ids = ['b', 'a', 'Z', 'ä', '10', '9', 'c', 'd', 'e', 'f', 'g', 'h'];
  expect(smallestIds(ids)).toEqual(['10', '9', 'Z', 'a', 'b', 'c', 'd', 'e', 'f', 'g']);
});

test('law: the smallest keys are kept with all that was set for them, in any order', () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 40 }).map(String), { maxLength: 80 }), (keys) => {
      const kept = new SmallestKeys<number>();
      for (const key of keys) kept.set(key, (kept.get(key) ?? 0) + 1);
      const expected = smallestIds(new Set(keys)).map((key) => [
        key,
        keys.filter((other) => other === key).length,
      ]);
      expect(kept.entries()).toEqual(expected);
    }),
  );
});
