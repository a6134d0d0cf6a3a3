import { describe, expect, test } from 'vitest';
import { IdTable } from '../../src/base/id-table.ts';
import { readUuid, uuidWords } from '../../src/base/uuid.ts';
import type { Row } from '../../src/model/row.ts';
import type { PackedRow } from '../../src/model/source-row.ts';
import { RowColumns } from '../../src/reconcile/row-columns.ts';
import { buildRow, uuid } from '../support/build.ts';
import { columnsOf } from './judge.ts';

test('rows are kept as received, across blocks', () => {
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

test('rows that are not put together yet are kept as if they were', () => {
  const rows = Array.from({ length: 2500 }, (_, n) =>
    buildRow({
      id: uuid(n),
      chargeId: n % 3 === 0 ? '' : uuid(9000 + n),
      type: `type ${n % 3}`,
      scale: n % 5,
      amount: BigInt(-n),
      tax: 999_999_999_999_999n,
    }),
  );
  const columns = new RowColumns();
  for (const [n, row] of rows.entries()) columns.add(n % 4 === 0 ? row : asPacked(row));
  expectRows(columns, rows);
  expect(columns.odd.count).toBe(0);
  columns.replace([buildRow({ id: uuid(1), chargeId: 'odd' })]);
  expect(columns.chargeIds.get(1)).toBe('odd');
  expect(columns.odd.count).toBe(1);
});

/** Whether the columns hold these very rows. */
function expectRows(columns: RowColumns, rows: readonly Row[]): void {
  expect(columns.size).toBe(rows.length);
  for (const [n, row] of rows.entries()) {
    expect({
      id: columns.ids.get(n),
      chargeId: columns.chargeIds.get(n),
      type: columns.types.get(n),
      state: columns.states.get(n),
      currency: columns.currencies.get(n),
      settlementId: columns.settlementIds.get(n),
      scale: columns.scales.get(n),
      amount: columns.amounts.get(n),
      fees: columns.fees.get(n),
      tax: columns.taxes.get(n),
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
  expect(columns.types.values).toEqual(['type 0', 'type 1', 'type 2']);
  expect(columns.types.code(4)).toBe(1);
}

/** The row as a source has it that doesn't put it together. */
function asPacked(row: Row): PackedRow {
  const words = new Int32Array(3 * uuidWords);
  readUuid(row.id, words, uuidWords);
  readUuid(row.chargeId, words, 2 * uuidWords);
  return {
    words,
    at: uuidWords,
    kind: row,
    amount: Number(row.amount),
    fees: Number(row.fees),
    tax: Number(row.tax),
    whole: () => row,
  };
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
    for (const [n, row] of list.entries()) expect(columns.chargeIds.get(n)).toBe(row.chargeId);
  }
});

test('a UUID of zeros but for one digit is kept as any other', () => {
  const zeros = '00000000-0000-0000-0000-000000000000';
  const ids = [0, 9, 19, 35].map((at) => `${zeros.slice(0, at)}1${zeros.slice(at + 1)}`);
  const columns = columnsOf(ids.map((id) => buildRow({ id })));
  expect(ids.map((_, index) => columns.ids.get(index))).toEqual(ids);
  const table = new IdTable(0);
  for (const index of ids.keys()) columns.ids.addTo(table, index);
  expect(ids.map((id) => table.find(id))).not.toContain(-1);
});

test('there is no row beyond the end', () => {
  const columns = columnsOf([buildRow()]);
  expect(() => columns.ids.get(1)).toThrow('No row 1');
  expect(() => columns.amounts.get(1024)).toThrow(RangeError);
  expect(() => columns.types.get(1024)).toThrow('No row 1024');
});

test('an amount that would be cut is refused', () => {
  expect(() => columnsOf([buildRow({ amount: 2n ** 63n })])).toThrow(
    'Beyond 64 bits: 9223372036854775808',
  );
  expect(columnsOf([buildRow({ fees: -(2n ** 63n) })]).fees.get(0)).toBe(-(2n ** 63n));
});

test('rows that pass a test', () => {
  const columns = columnsOf([buildRow(), buildRow({ id: uuid(2), scale: 0 }), buildRow()]);
  expect(columns.where((n) => columns.scales.get(n) === 2)).toEqual([0, 2]);
});

describe('a correction', () => {
  const ids = [uuid(1), uuid(2), uuid(3)];

  test('stands in the place of the row with its id', () => {
    const columns = columnsOf(ids.map((id) => buildRow({ id })));
    const correction = buildRow({ id: uuid(2), amount: 7n, type: 'refund' });
    columns.replace([correction]);
    columns.replace([correction]);
    expect(columns.size).toBe(3);
    expect(ids.map((_, n) => columns.amounts.get(n))).toEqual([1000n, 7n, 1000n]);
    expect(columns.types.get(1)).toBe('refund');
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
