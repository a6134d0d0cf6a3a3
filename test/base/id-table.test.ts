import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { IdTable, idWords, putIdWords } from '../../src/base/id-table.ts';

function wordsOf(id: string): Int32Array {
  const words = new Int32Array(idWords);
  putIdWords(id, words, 0);
  return words;
}

const id = fc.oneof(
  fc.uuid(),
  fc.uuid().map((text) => text.toUpperCase()),
  fc.string(),
  fc.constantFrom('00000000-0000-0000-0000-000000000000', '', 'a', ' a', 'Å', 'Å'),
);

test('a table numbers texts in the order in which they are added, and keeps a value for each', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(id, fc.nat()), { maxLength: 400 }), (entries) => {
      const table = new IdTable(2);
      const map = new Map<string, number>();
      for (const [key, value] of entries) {
        table.set(table.add(wordsOf(key), 0), 1, value);
        map.set(key, value);
      }
      expect(table.size).toBe(map.size);
      for (const [number, [key, value]] of [...map].entries()) {
        expect(table.add(wordsOf(key), 0)).toBe(number);
        expect(table.get(number, 1)).toBe(value);
      }
      expect(table.size).toBe(map.size);
    }),
  );
});

test('a UUID in capitals is another id', () => {
  const table = new IdTable(1);
  const uuid = randomUUID();
  table.add(wordsOf(uuid), 0);
  table.add(wordsOf(uuid.toUpperCase()), 0);
  expect(table.size).toBe(2);
});

test('ids that differ only in halves of surrogate pairs are different ids', () => {
  const table = new IdTable(1);
  for (const id of ['\ud800', '\ud801', '\udfff', '\ufffd']) table.add(wordsOf(id), 0);
  expect(table.size).toBe(4);
});
