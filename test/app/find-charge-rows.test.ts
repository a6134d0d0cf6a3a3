import { describe, expect, test } from 'vitest';
import { findChargeRows } from '../../src/app/find-charge-rows.ts';
import { ReconError } from '../../src/base/errors.ts';
import { buildSettlement, uuid } from '../support/build.ts';
import { type FakeReading, FakeSource, rowOf } from './fake-source.ts';

const [first, second] = [uuid(1), uuid(2)];
const settlements = [buildSettlement({ id: first }), buildSettlement({ id: second })];
const range = { from: '2026-03-01', to: '2026-03-31' };
const wanted = uuid(2001);

async function find(readings: Readonly<Record<string, FakeReading>>, list = {}) {
  const source = new FakeSource(settlements, readings, list);
  const found = await findChargeRows(source, range, [wanted, 'none'], 2);
  const rows = found.rows.get(wanted) ?? [];
  const story = rows.map(({ settlement, row }) => `${settlement.id} ${row.amount.minor}`);
  return { ...found, story, source };
}

describe('the rows of charges', () => {
  test('are found in all settlements of the range, and no other rows are kept', async () => {
    const other = rowOf(second, { id: 'x', chargeId: uuid(9) });
    const { story, complete, rows, source } = await find({
      [second]: { batches: [[rowOf(second), other]] },
    });
    expect(story).toEqual([`${first} 1000`, `${second} 1000`]);
    expect([complete, rows.get('none'), rows.size]).toEqual([true, [], 2]);
    expect(source.query).toEqual({ range, filters: {} });
  });

  test('are found whatever the case of the letters in an id', async () => {
    const small = 'abcdef00-0000-4000-8000-000000000001';
    const rows = [rowOf(first, { chargeId: small }), rowOf(first, { id: 'x', chargeId: 'ABC' })];
    const source = new FakeSource(settlements, { [first]: { batches: [rows] } });
    const found = await findChargeRows(source, range, [small.toUpperCase(), 'abc'], 2);
    expect([small, 'abc'].map((id) => found.rows.get(id)?.length)).toEqual([1, 1]);
  });

  test('are handed on as corrected', async () => {
    const corrected = { ...rowOf(first), amount: 7n };
    const { story } = await find({ [first]: { outcome: { corrections: [corrected] } } });
    expect(story).toContain(`${first} 7`);
  });

  test.each<[string, FakeReading, object]>([
    ['a settlement was not read', { failure: new ReconError('service', 'no') }, {}],
    ['a walk was unsteady', { outcome: { unsteady: 'walks_disagree' } }, {}],
    ['a row was unreadable', { outcome: { unreadable: [odd()] } }, {}],
    ['a header was unreadable', {}, { unreadable: [odd()] }],
    ['the list was unsteady', {}, { unsteady: 'walks_disagree' }],
  ])('are not certain to be all if %s', async (_, reading, list) => {
    expect((await find({ [first]: reading }, list)).complete).toBe(false);
  });
});

function odd() {
  return { record: 'x', field: 'amount', found: '""', expected: 'minor_units' } as const;
}
