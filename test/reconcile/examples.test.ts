import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SmallestKeys, smallestIds } from '../../src/reconcile/entry.ts';
import { smallestRows } from '../../src/reconcile/row-columns.ts';
import { buildRow } from '../support/build.ts';
import { columnsOf } from './judge.ts';

test('examples are the ten smallest ids, in the same order on every machine', () => {
  const ids = ['b', 'a', 'Z', 'ä', '10', '9', 'c', 'd', 'e', 'f', 'g', 'h'];
  expect(smallestIds(ids)).toEqual(['10', '9', 'Z', 'a', 'b', 'c', 'd', 'e', 'f', 'g']);
});

test('law: the smallest keys keep all that was set for them, in any order', () => {
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

test('law: the rows with the smallest ids are found for ids of any form', () => {
  const id = fc.oneof(
    fc.uuid(),
    fc.uuid().map((uuid) => `00000000${uuid.slice(8)}`),
    fc.uuid().map((uuid) => uuid.toUpperCase()),
    fc.string({ minLength: 1 }),
  );
  fc.assert(
    fc.property(fc.uniqueArray(id, { maxLength: 40 }), (ids) => {
      const rows = columnsOf(ids.map((one) => buildRow({ id: one })));
      const among = rows.where((row) => row % 5 !== 0);
      const expected = smallestIds(among.map((row) => rows.id(row)));
      expect(smallestRows(rows, among).map((row) => rows.id(row))).toEqual(expected);
    }),
  );
});
