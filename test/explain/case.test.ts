import { expect, test } from 'vitest';
import { cellsOf } from '../../src/explain/case.ts';
import type { Row } from '../../src/model/row.ts';
import { columnsOf } from '../reconcile/judge.ts';
import { buildRow, buildSettlement, uuid } from '../support/build.ts';

function cells(rows: readonly Partial<Row>[]) {
  const columns = columnsOf(rows.map((one, n) => buildRow({ id: uuid(n + 1), ...one })));
  return cellsOf({ rows: columns, settlement: buildSettlement(), scale: 2, rules: {} });
}

test('rows of one cell share all traits and are added up', () => {
  const [cell, ...others] = cells([{ amount: 1_00n, fees: 2n, tax: 3n }, { amount: 5_00n }]);
  expect(others).toEqual([]);
  const amounts = { count: 2, gross: 6_00n, fees: 32n, tax: 9n };
  expect(cell).toMatchObject({ listed: amounts, sum: amounts });
});

test.each<Partial<Row>>([
  { type: 'refund' },
  { state: 'declined' },
  { settlementId: uuid(9) },
  { currency: 'JPY' },
  { scale: 1 },
])('a row with %o is in another cell', (trait) => {
  expect(cells([{}, trait])).toHaveLength(2);
});

test('each of many types and states has a cell of its own', () => {
  const named = (type: number, state: number) => ({
    type: `type ${type}`,
    state: `state ${state}`,
  });
  const each = Array.from({ length: 12 }, (_, n) => named(n, n));
  expect(cells([...each, named(1, 11), named(11, 1)])).toHaveLength(14);
});
