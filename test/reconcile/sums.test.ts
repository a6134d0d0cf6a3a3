import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sumsByCurrency } from '../../src/reconcile/sums.ts';
import { buildRow, uuid } from '../support/build.ts';
import { columnsOf, eur } from './judge.ts';

function sumsOf(rows: Parameters<typeof columnsOf>[0]) {
  const { kinds, sums } = columnsOf(rows);
  return sumsByCurrency(kinds, sums);
}

test('no rows give no sums', () => {
  expect(sumsOf([]).size).toBe(0);
});

test('every row counts, of any type and state', () => {
  const rows = [
    buildRow({ id: uuid(1) }),
    buildRow({ id: uuid(2), type: 'refund', amount: -400n, fees: 0n, tax: 0n }),
    buildRow({ id: uuid(3), type: '', state: 'declined' }),
  ];
  expect(sumsOf(rows).get('EUR')).toEqual({
    transactions: 3,
    gross: eur(1600n),
    fees: eur(60n),
    tax: eur(12n),
  });
});

test('each currency has its own sums, at the largest scale among its rows', () => {
  const rows = [
    buildRow({ id: uuid(1), scale: 3, amount: 5n, fees: 0n, tax: 0n }),
    buildRow({ id: uuid(2), currency: 'JPY', scale: 0, amount: 7n, fees: 1n, tax: 0n }),
    buildRow({ id: uuid(3), scale: 0, amount: 1n, fees: 0n, tax: 0n }),
  ];
  const sums = sumsOf(rows);
  expect(sums.get('EUR')?.gross).toEqual(eur(1005n, 3));
  expect(sums.get('JPY')?.gross).toEqual({ minor: 7n, scale: 0, currency: 'JPY' });
  expect(sums.get('JPY')?.transactions).toBe(1);
});

test('law: sums beyond 64 bits and over many blocks of rows stay exact', () => {
  const amount = fc.bigInt({ min: -(2n ** 53n) + 1n, max: 2n ** 53n - 1n });
  fc.assert(
    fc.property(amount, fc.constantFrom(1023, 1024, 1025, 3000), (one, count) => {
      const rows = Array.from({ length: count }, (_, n) => buildRow({ id: uuid(n), amount: one }));
      expect(sumsOf(rows).get('EUR')?.gross.minor).toBe(one * BigInt(count));
    }),
    { numRuns: 20 },
  );
});
