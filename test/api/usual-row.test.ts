import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeRow } from '../../src/api/decode.ts';
import { isUsualRow } from '../../src/api/usual-row.ts';
import { rawRow } from './raw.ts';

/** The same row in a form that only the schema knows: it is asked in any case. */
function asUnusual(record: object): object {
  const unusual = { ...record, decimalPlaces: Number(Reflect.get(record, 'decimalPlaces')) };
  expect(isUsualRow(unusual)).toBe(false);
  return unusual;
}

const value = fc.oneof(
  { weight: 3, arbitrary: fc.string({ unit: 'binary', minLength: 1 }) },
  { weight: 3, arbitrary: fc.maxSafeInteger() },
  fc.jsonValue(),
  fc.constantFrom('', ' ', '2', '9', '٢', '\u00a0', '\u2003x', -0, 0.5, 2 ** 53, 1e300),
);
const changes = fc.dictionary(
  fc.constantFrom(...Object.keys(rawRow()), 'unknown', '__proto__'),
  value,
  { maxKeys: 4 },
);

test('what passes as a usual row, the schema reads as the same row', () => {
  let usual = 0;
  fc.assert(
    fc.property(changes, (change) => {
      const record: object = JSON.parse(JSON.stringify({ ...rawRow(), ...change }));
      if (!isUsualRow(record)) return;
      usual += 1;
      expect(decodeRow(record).item).toHaveProperty('item');
      expect(decodeRow(asUnusual(record))).toEqual(decodeRow(record));
    }),
    { numRuns: 3_000 },
  );
  expect(usual).toBeGreaterThan(500);
});

test('an ordinary row is a usual one', () => {
  expect(isUsualRow(rawRow())).toBe(true);
  expect(isUsualRow(rawRow({ amount: -1000, unknown: {} }))).toBe(true);
});

test.each([
  { amount: 0.5 },
  { fees: 2 ** 53 },
  { tax: '6' },
  { amount: null },
  { amount: undefined },
  { decimalPlaces: 2 },
  { decimalPlaces: '' },
  { decimalPlaces: '٢' },
  { decimalPlaces: '12' },
  { transactionId: '' },
  { transactionId: ' ' },
  { settlementId: 7 },
  { currencyCode: '\u00a0' },
])('a row with %j is left to the schema', (change) => {
  expect(isUsualRow(rawRow(change))).toBe(false);
});

test.each([null, 1, 'text', [], [rawRow()]])('%j is no row', (record) => {
  expect(isUsualRow(record)).toBe(false);
});
