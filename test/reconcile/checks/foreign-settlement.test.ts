import { expect, test } from 'vitest';
import { buildRow, uuid } from '../../support/build.ts';
import { codesOf, entryOf, judge } from '../judge.ts';

test('rows of other settlements are a discrepancy, and stay in the sums', () => {
  const rows = [
    buildRow({ id: uuid(3), settlementId: uuid(8) }),
    buildRow({ id: uuid(2), settlementId: uuid(7) }),
    buildRow({ id: uuid(1), settlementId: uuid(8) }),
  ];
  const header = { transactions: 3, gross: 3000n, fees: 90n, tax: 18n, payIn: 2892n };
  const result = judge({ rows, header });
  expect(codesOf(result)).toEqual(['foreign_settlement']);
  expect(entryOf('foreign_settlement', result)).toEqual({
    code: 'foreign_settlement',
    weight: 'discrepancy',
    count: 3,
    facts: { settlementIds: [uuid(7), uuid(8)], examples: [uuid(1), uuid(2), uuid(3)] },
  });
  expect(result.difference?.gross).toBe(0n);
});

test('the same UUID in capitals is not another', () => {
  const id = '00000000-0000-4000-8000-00000000000a';
  const rows = [buildRow({ settlementId: id.toUpperCase() })];
  expect(codesOf(judge({ rows, header: { id } }))).toEqual([]);
});

test('a row that names no settlement is not of another', () => {
  expect(codesOf(judge({ rows: [buildRow({ settlementId: '' })] }))).toEqual([]);
});

test('a correction may bring a row home', () => {
  const result = judge({
    rows: [buildRow({ settlementId: uuid(8) })],
    outcome: { corrections: [buildRow()] },
  });
  expect(codesOf(result)).toEqual([]);
});
