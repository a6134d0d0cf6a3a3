import { describe, expect, test } from 'vitest';
import type { Row } from '../../src/model/row.ts';
import { RowColumns } from '../../src/reconcile/row-columns.ts';
import { buildRow, uuid } from '../support/build.ts';
import { columnsOf } from './judge.ts';

test('rows are kept as received', () => {
  const rows = Array.from({ length: 2500 }, (_, n) =>
    buildRow({
      id: uuid(n),
      chargeId: uuid(9000 + n),
      type: `type ${n % 3}`,
      scale: n % 5,
      amount: BigInt(-n),
      fees: BigInt(n * 2),
      tax: 2n ** 53n - 1n,
    }),
  );
  const columns = columnsOf(rows);
  expectRows(columns, rows);
});

/** Whether the columns hold these very rows. */
function expectRows(columns: RowColumns, rows: readonly Row[]): void {
  expect(columns.size).toBe(rows.length);
  for (const [n, row] of rows.entries()) {
    expect({
      id: columns.id(n),
      chargeId: columns.chargeId(n),
      type: columns.kind(n).type,
      state: columns.kind(n).state,
      currency: columns.kind(n).currency,
      settlementId: columns.kind(n).settlementId,
      scale: columns.kind(n).scale,
      amount: columns.amount(n),
      fees: columns.fees(n),
      tax: columns.tax(n),
    }).toEqual({
      id: row.id,
      chargeId: row.chargeId,
      type: row.type,
      state: row.state,
      currency: row.currency,
      settlementId: row.settlementId,
      scale: row.scale,
      amount: row.amount,
      fees: row.fees,
      tax: row.tax,
    });
  }
}

test('ids of any form are kept as they are, and may be replaced', () => {
  const forms = [uuid(1), uuid(2).toUpperCase(), '', 'charge 3', uuid(0).replace(/[^-]/g, '0')];
  const rows = Array.from({ length: 25 }, (_, n) =>
    buildRow({ id: uuid(n + 10), chargeId: forms[n % 5] ?? '' }),
  );
  const columns = columnsOf(rows);
  const others = rows.map((row, n) => ({ ...row, chargeId: forms[Math.floor(n / 5)] ?? '' }));
  for (const list of [rows, others]) {
    columns.replace(list);
    for (const [n, row] of list.entries()) expect(columns.chargeId(n)).toBe(row.chargeId);
  }
});

test('a UUID of zeros but for one digit is kept as any other', () => {
  const zeros = '00000000-0000-0000-0000-000000000000';
  const ids = [0, 9, 19, 35].map((at) => `${zeros.slice(0, at)}1${zeros.slice(at + 1)}`);
  const columns = columnsOf(ids.map((id) => buildRow({ id })));
  expect(ids.map((_, index) => columns.id(index))).toEqual(ids);
});

test('there is no row beyond the end', () => {
  const columns = columnsOf([buildRow()]);
  expect(() => columns.id(1)).toThrow('No row 1');
  expect(() => columns.amount(1024)).toThrow(RangeError);
  expect(() => columns.kind(1024)).toThrow('No row 1024');
});

test('an amount that would be rounded is refused', () => {
  expect(() => columnsOf([buildRow({ amount: 2n ** 53n })])).toThrow(
    'Beyond 2^53 - 1: 9007199254740992',
  );
  expect(columnsOf([buildRow({ fees: 1n - 2n ** 53n })]).fees(0)).toBe(1n - 2n ** 53n);
});

test('rows that pass a test', () => {
  const columns = columnsOf([buildRow(), buildRow({ id: uuid(2), scale: 0 }), buildRow()]);
  expect(columns.where((n) => columns.kind(n).scale === 2)).toEqual([0, 2]);
});

describe('a correction', () => {
  const ids = [uuid(1), uuid(2), uuid(3)];

  test('stands in the place of the row with its id', () => {
    const columns = columnsOf(ids.map((id) => buildRow({ id })));
    const correction = buildRow({ id: uuid(2), amount: 7n, type: 'refund' });
    columns.replace([correction]);
    columns.replace([correction]);
    expect(columns.size).toBe(3);
    expect(ids.map((_, n) => columns.amount(n))).toEqual([1000n, 7n, 1000n]);
    expect(columns.kind(1).type).toBe('refund');
  });

  test('takes back the odd values of the row that it replaces', () => {
    const columns = columnsOf(
      ids.map((id) => buildRow({ id, timestamp: 'noon', currency: 'eur' })),
    );
    expect(columns.odd.count).toBe(6);
    columns.replace([buildRow({ id: uuid(1), currency: 'Eur' }), buildRow({ id: uuid(3) })]);
    expect(columns.odd.count).toBe(3);
    expect(columns.odd.examples).toEqual([
      { field: 'currencyCode', value: 'Eur' },
      { field: 'currencyCode', value: 'eur' },
      { field: 'timestamp', value: 'noon' },
    ]);
  });

  test('of a row that was never added is a mistake', () => {
    const missing = buildRow();
    expect(() => new RowColumns().replace([missing])).toThrow(`No row to replace: ${missing.id}`);
  });
});
