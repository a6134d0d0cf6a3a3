import { expect, test } from 'vitest';
import { readSettlement } from '../../src/app/read-settlements.ts';
import { type FailureCause, ReconError } from '../../src/base/errors.ts';
import { buildOutcome, buildRow, buildSettlement, uuid } from '../support/build.ts';
import { type FakeReading, FakeSource } from './fake-source.ts';

const settlement = buildSettlement();

async function read(reading: FakeReading) {
  const counts: number[] = [];
  const source = new FakeSource([settlement], { [settlement.id]: reading });
  const result = await readSettlement(source, settlement, 3, (rows) => counts.push(rows));
  return { ...result, counts, asked: source.asked };
}

test('the rows of a settlement are kept in columns, and each batch is reported', async () => {
  const rows = [1, 2, 3].map((number) => buildRow({ id: uuid(number), amount: BigInt(number) }));
  const {
    rows: columns,
    counts,
    outcome,
    asked,
  } = await read({
    batches: [rows.slice(0, 2), rows.slice(2)],
    outcome: { unsteady: 'no_progress' },
  });
  expect([0, 1, 2].map((at) => columns.amount(at))).toEqual([1n, 2n, 3n]);
  expect(counts).toEqual([2, 1]);
  expect(outcome).toEqual(buildOutcome({ unsteady: 'no_progress' }));
  expect(asked).toEqual([{ id: settlement.id, priority: 3 }]);
});

test.each<FailureCause>(['network', 'service'])(
  'a failure of the %s concerns this settlement only',
  async (failure) => {
    const { outcome } = await read({ failure: new ReconError(failure, 'It broke.') });
    expect(outcome).toEqual({
      notRead: { code: 'other', facts: { message: 'It broke.' } },
    });
  },
);

test.each<[string, unknown]>([
  ['a refused access', new ReconError('authentication', 'no')],
  ['a failed token exchange', new ReconError('network', 'no', { endsRun: true })],
  ['an interruption', new DOMException('enough', 'AbortError')],
  ['a bug', new TypeError('undefined is not a function')],
])('%s ends the run', async (_, failure) => {
  await expect(read({ failure })).rejects.toBe(failure);
});
