import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Row } from '../../src/model/row.ts';
import { batchOf } from '../../src/model/row-batch.ts';
import { reconcileSettlement } from '../../src/reconcile/reconcile-settlement.ts';
import { RowColumns } from '../../src/reconcile/row-columns.ts';
import { buildOutcome, buildRow, buildSettlement, uuid } from '../support/build.ts';
import { columnsOf, defaultSettings } from './judge.ts';

test('rows are kept as they are received', () => {
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

test('ids of any form are kept as they are and may be replaced', () => {
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

test('a UUID of zeros with one other digit is kept as any other', () => {
  const zeros = '00000000-0000-0000-0000-000000000000';
  const ids = [0, 9, 19, 35].map((at) => `${zeros.slice(0, at)}1${zeros.slice(at + 1)}`);
  const columns = columnsOf(ids.map((id) => buildRow({ id })));
  expect(ids.map((_, index) => columns.id(index))).toEqual(ids);
});

test('a row beyond the end does not exist', () => {
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

test('rows that pass a test are found', () => {
  const columns = columnsOf([buildRow(), buildRow({ id: uuid(2), scale: 0 }), buildRow()]);
  expect(columns.where((n) => columns.kind(n).scale === 2)).toEqual([0, 2]);
});

describe('a correction', () => {
  const ids = [uuid(1), uuid(2), uuid(3)];

  test('replaces the row with its id', () => {
    const columns = columnsOf(ids.map((id) => buildRow({ id })));
    const correction = buildRow({ id: uuid(2), amount: 7n, type: 'refund' });
    columns.replace([correction]);
    columns.replace([correction]);
    expect(columns.size).toBe(3);
    expect(ids.map((_, n) => columns.amount(n))).toEqual([1000n, 7n, 1000n]);
    expect(columns.kind(1).type).toBe('refund');
  });

  test('removes the odd values of the row that it replaces', () => {
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

  test('of a row that was never added is an error', () => {
    const missing = buildRow();
    expect(() => new RowColumns().replace([missing])).toThrow(`No row to replace: ${missing.id}`);
  });
});

describe('odd values', () => {
  const letters = 'f81d4fae-7dec-41d0-a765-00a0c91e6bf6';
  const nil = uuid(0).replace(/[^-]/g, '0');
  const idForms = [
    letters,
    letters.toUpperCase(),
    nil,
    letters.slice(1),
    `${letters}\n`,
    'charge 3',
  ];
  const timestamps = ['2026-03-05T12:00:00Z', '20260305', '2026-13-05', 'noon', ''];
  const mostlyUsual = <T>(usual: T, ...others: readonly T[]) =>
    fc.oneof({ weight: 12, arbitrary: fc.constant(usual) }, fc.constantFrom(...others));
  const otherFields = fc.record({
    chargeId: mostlyUsual(uuid(1), '', ...idForms),
    orderId: mostlyUsual(uuid(2), '', ...idForms),
    settlementId: mostlyUsual(buildSettlement().id, '', ...idForms),
    currency: mostlyUsual('EUR', 'JPY', 'eur', 'EURO', ''),
    timestamp: mostlyUsual(buildRow().timestamp, ...timestamps),
  });
  const rowOf = (id: fc.Arbitrary<string>) =>
    fc.tuple(id, otherFields).map(([one, fields]) => buildRow({ id: one, ...fields }));
  const anyId = fc.oneof(
    { weight: 12, arbitrary: fc.nat(99).map((n) => uuid(n + 10)) },
    fc.constantFrom(...idForms),
  );
  const batches = fc
    .uniqueArray(rowOf(anyId), { selector: ({ id }) => id, maxLength: 24 })
    .chain((rows) => fc.tuple(fc.constant(rows), fc.integer({ min: 1, max: 24 })));

  test('are judged the same in batches of usual rows and in others', () => {
    let usual = 0;
    const law = fc.property(batches, fc.array(otherFields), ([rows, perBatch], fields) => {
      const corrections = rows.slice(0, fields.length).map((row, n) => ({ ...row, ...fields[n] }));
      const [told, checked] = [new RowColumns(), new RowColumns()];
      for (let at = 0; at < rows.length; at += perBatch) {
        const batch = batchOf(rows.slice(at, at + perBatch));
        usual += Number(batch.isUsual);
        told.add(batch);
        checked.add({ ...batch, isUsual: false });
      }
      for (const list of [[], corrections]) {
        told.replace(list);
        checked.replace(list);
        expectRows(told, [...list, ...rows.slice(list.length)]);
        expect(told.otherIds()).toEqual(checked.otherIds());
        expect(told.odd.count).toBe(checked.odd.count);
        expect(told.odd.examples).toEqual(checked.odd.examples);
        expect(judged(told)).toEqual(judged(checked));
      }
    });
    fc.assert(law, { numRuns: 200 });
    expect(usual).toBeGreaterThan(40);
  });

  test.each([
    ...idForms.slice(1).flatMap((id) => [{ id }, { chargeId: id }]),
    ...idForms.slice(3).flatMap((id) => [{ orderId: id }, { settlementId: id }]),
    { timestamp: 'noon' },
    { currency: 'eur' },
  ])('of one row make a batch unusual: %j', (fields) => {
    const rows = [buildRow({ id: uuid(8) }), buildRow({ id: uuid(9) })];
    expect(batchOf(rows).isUsual).toBe(true);
    expect(batchOf([...rows, buildRow(fields)]).isUsual).toBe(false);
    expect(batchOf([buildRow(fields), ...rows]).isUsual).toBe(false);
  });

  function judged(rows: RowColumns) {
    return reconcileSettlement({
      settlement: buildSettlement(),
      rows,
      outcome: buildOutcome(),
      headerConflicts: undefined,
      range: undefined,
      settings: defaultSettings,
    });
  }
});
