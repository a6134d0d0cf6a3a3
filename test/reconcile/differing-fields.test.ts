import { expect, test } from 'vitest';
import { recordNames } from '../../src/api/records.ts';
import type { Row } from '../../src/model/row.ts';
import type { Settlement } from '../../src/model/settlement.ts';
import type { Facts } from '../../src/reconcile/entry.ts';
import { buildRow, buildSettlement } from '../support/build.ts';
import { entryOf, judge } from './judge.ts';

/** The fields in which the rows of one transaction differ, as its discrepancy names them. */
function differingRowFields(rows: readonly Row[]): readonly string[] {
  const { facts } = entryOf('conflicting_transaction', judge({ outcome: { conflicts: [rows] } }));
  return (facts as Facts['conflicting_transaction']).examples[0]?.fields ?? [];
}

function differingSettlementFields(headerConflicts: readonly Settlement[]): readonly string[] {
  const { facts } = entryOf('conflicting_settlement', judge({ headerConflicts }));
  return (facts as Facts['conflicting_settlement']).fields;
}

/** A record that differs in every field, its id among them. */
function otherwise<Item extends object>(record: Item): Item {
  const entries = Object.entries(record).map(([field, value]) => [
    field,
    typeof value === 'bigint' ? value + 1n : [value, 'otherwise'],
  ]);
  return Object.fromEntries(entries);
}

test('rows differ in the fields of the service, all except the id', () => {
  const row = buildRow();
  const fields = recordNames.transaction.filter((field) => field !== 'transactionId');
  expect([...differingRowFields([row, otherwise(row)])].sort()).toEqual([...fields].sort());
  expect(differingRowFields([row, { ...row, tax: 7n }, { ...row, state: 'x' }])).toEqual([
    'state',
    'tax',
  ]);
  expect(differingRowFields([row, { ...row }])).toEqual([]);
});

test('headers differ in the fields of the service, all except the id', () => {
  const header = buildSettlement();
  const fields = recordNames.settlement.filter((field) => field !== 'settlementId');
  const found = differingSettlementFields([header, otherwise(header)]);
  expect([...found].sort()).toEqual([...fields].sort());
});
