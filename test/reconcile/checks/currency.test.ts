import { expect, test } from 'vitest';
import { buildRow, uuid } from '../../support/build.ts';
import { codesOf, entryOf, judge } from '../judge.ts';

test('rows in other currencies have their own totals and never enter the sums', () => {
  const rows = [
    buildRow(),
    buildRow({ id: uuid(9), currency: 'USD' }),
    buildRow({ id: uuid(8), currency: 'JPY', scale: 0, amount: 500n, fees: 0n, tax: 0n }),
    buildRow({ id: uuid(7), currency: 'USD', scale: 3, amount: -1n, fees: 0n, tax: 0n }),
  ];
  const result = judge({ rows, header: { transactions: 4 } });
  expect(codesOf(result)).toEqual(['currency']);
  expect(result.computed?.gross).toBe(1000n);
  expect(result.scale).toBe(2);
  const usd = (minor: bigint) => ({ minor, scale: 3, currency: 'USD' });
  const jpy = (minor: bigint) => ({ minor, scale: 0, currency: 'JPY' });
  expect(entryOf('currency', result)).toEqual({
    code: 'currency',
    weight: 'discrepancy',
    count: 3,
    facts: {
      totals: [
        { transactions: 1, gross: jpy(500n), fees: jpy(0n), tax: jpy(0n) },
        { transactions: 2, gross: usd(9999n), fees: usd(300n), tax: usd(60n) },
      ],
      examples: [uuid(7), uuid(8), uuid(9)],
    },
  });
});

test('a code in small letters is another currency: nothing is taken for granted', () => {
  const result = judge({ rows: [buildRow({ currency: 'eur' })] });
  expect(codesOf(result)).toContain('currency');
  expect(result.computed?.gross).toBe(0n);
});

test('rows in the currency of the header are nothing to remark', () => {
  const result = judge({ header: { currency: 'USD' }, rows: [buildRow({ currency: 'USD' })] });
  expect(codesOf(result)).toEqual([]);
});
