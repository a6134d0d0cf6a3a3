import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { IdTable } from '../../src/base/id-table.ts';

const id = fc.oneof(
  fc.uuid(),
  fc.uuid().map((text) => text.toUpperCase()),
  fc.string(),
  fc.constantFrom('00000000-0000-0000-0000-000000000000', '', 'a', ' a', 'Å', 'Å'),
);

test('behaves as a map from texts to numbers', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(id, fc.nat()), { maxLength: 400 }), (entries) => {
      const table = new IdTable(2);
      const map = new Map<string, number>();
      for (const [key, value] of entries) {
        table.set(table.add(key), 1, value);
        map.set(key, value);
      }
      expect(table.size).toBe(map.size);
      for (const [key, value] of map) expect(table.get(table.find(key), 1)).toBe(value);
    }),
  );
});

test('does not find what was never added', () => {
  const table = new IdTable(1);
  expect(table.find('x')).toBe(-1);
  table.add('x');
  expect(table.find('y')).toBe(-1);
});

test('tells a UUID from the same one in capitals', () => {
  const table = new IdTable(1);
  const uuid = randomUUID();
  table.add(uuid);
  table.add(uuid.toUpperCase());
  expect(table.size).toBe(2);
});

test('keeps 100,000 ids with one value in at most 40 bytes each', () => {
  const table = new IdTable(1);
  for (let n = 0; n < 100_000; n += 1) {
    table.add(`00000000-0000-4000-8000-${n.toString(16).padStart(12, '0')}`);
  }
  expect(table.size).toBe(100_000);
  expect(table.bytes / table.size).toBeLessThanOrEqual(40);
});

test('tells ids apart that differ only in halves of surrogate pairs', () => {
  const table = new IdTable(1);
  for (const id of ['\ud800', '\ud801', '\udfff', '\ufffd']) table.add(id);
  expect(table.size).toBe(4);
});
