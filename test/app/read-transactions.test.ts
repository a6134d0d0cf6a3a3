import { describe, expect, test } from 'vitest';
import type { Progress } from '../../src/app/read-settlements.ts';
import { readTransactions, type TransactionBatch } from '../../src/app/read-transactions.ts';
import { ReconError } from '../../src/base/errors.ts';
import { rowsOf } from '../../src/model/row-batch.ts';
import type { Settlement } from '../../src/model/settlement.ts';
import type { HeaderList } from '../../src/model/source.ts';
import { buildRow, uuid } from '../support/build.ts';
import { type FakeReading, FakeSource, numbered } from './fake-source.ts';

const of = { range: { from: '2026-03-01', to: '2026-03-31' }, filters: {} };
const broken: FakeReading = { failure: new ReconError('network', 'No answer.') };

async function read(
  settlements: readonly Settlement[],
  readings: Readonly<Record<string, FakeReading>> = {},
  list: Partial<HeaderList> = {},
) {
  const source = new FakeSource(settlements, readings, list);
  const batches: TransactionBatch[] = [];
  const progress: Progress[] = [];
  const run = readTransactions({
    source,
    of,
    ahead: 3,
    onProgress: (now) => progress.push(now),
  });
  let step = await run.next();
  for (; !step.done; step = await run.next()) batches.push(step.value);
  const ids = batches.flatMap(({ rows }) => rowsOf(rows).map(({ id }) => id));
  return { source, ids, batches, progress, result: step.value };
}

/** Readings of which those with these numbers fail. */
function failing(...numbers: readonly number[]): Record<string, FakeReading> {
  return Object.fromEntries(numbers.map((number) => [uuid(number), broken]));
}

const rows = (...ids: readonly string[]) => ids.map((id) => buildRow({ id }));

test('the rows come in the order of the settlements, whichever is read first', async () => {
  const { source, ids, result, progress } = await read(numbered(9));
  expect(ids).toEqual(numbered(9).map(({ id }) => `row of ${id}`));
  expect(result).toEqual({
    settlements: 9,
    transactions: 9,
    partial: [],
    conflicting: [],
    findings: [],
    complete: true,
  });
  expect(source.most).toBe(3);
  expect(source.query).toBe(of);
  expect(progress.at(0)).toMatchObject({ settlements: 9, decided: 0, rows: 0 });
  expect(progress.at(-1)).toMatchObject({ settlements: 9, decided: 9, rows: 9 });
});

test('the rows are handed on in batches, with their settlement', async () => {
  const [settlement] = numbered(1);
  const { batches } = await read(numbered(1), {
    [uuid(1)]: { batches: [rows('a', 'b'), rows('c')] },
  });
  expect(batches.map((batch) => ({ ...batch, rows: rowsOf(batch.rows) }))).toEqual([
    { settlement, rows: rows('a', 'b') },
    { settlement, rows: rows('c') },
  ]);
});

describe('a row that changes later', () => {
  const later = { ...buildRow({ id: 'a' }), amount: 7n };

  test('is handed on as corrected', async () => {
    const { batches, result } = await read(numbered(1), {
      [uuid(1)]: { batches: [rows('a', 'b'), rows('c')], outcome: { corrections: [later] } },
    });
    expect(batches.map(({ rows: batch }) => rowsOf(batch))).toEqual([
      [later, ...rows('b')],
      rows('c'),
    ]);
    expect(result).toMatchObject({ complete: true, partial: [] });
  });

  test('makes its settlement incomplete if the rows are too many to wait for the end', async () => {
    const many = rows(...Array.from({ length: 1_000 }, (_, index) => `row ${index}`));
    const { batches, result } = await read(numbered(1), {
      [uuid(1)]: { batches: [rows('a'), many], outcome: { corrections: [later] } },
    });
    expect(batches.map(({ rows: batch }) => rowsOf(batch))).toEqual([rows('a'), many]);
    expect(result).toMatchObject({ complete: false, partial: [{ changed: { count: 1 } }] });
  });
});

describe('a reading is incomplete', () => {
  const fault = { record: 'x', field: 'amount', found: '""', expected: 'minor_units' } as const;

  test.each<[string, Partial<FakeReading>]>([
    ['that is unsteady', { outcome: { unsteady: 'walks_disagree' } }],
    ['with an unreadable row', { outcome: { unreadable: [fault] } }],
    ['that breaks off', broken],
  ])('%s', async (_, reading) => {
    const { result, ids } = await read(numbered(2), {
      [uuid(1)]: { batches: [rows('a', 'b')], ...reading },
    });
    expect(ids).toEqual(['a', 'b', `row of ${uuid(2)}`]);
    expect(result.complete).toBe(false);
    expect(result.partial).toMatchObject([
      { settlement: { id: uuid(1) }, isPending: false, rows: 2 },
    ]);
  });

  test.each<[string, Partial<HeaderList>]>([
    ['whose list of settlements is unsteady', { unsteady: 'no_progress' }],
    ['with a header that cannot be read', { unreadable: [fault] }],
  ])('%s', async (_, list) => {
    const { result } = await read(numbered(2), {}, list);
    expect([result.complete, result.partial, result.findings.length]).toEqual([false, [], 1]);
  });

  test('but complete if the settlement is pending', async () => {
    const { result } = await read(numbered(2, { status: 'pending_settlement' }), failing(2));
    expect(result.complete).toBe(true);
    expect(result.partial).toMatchObject([{ settlement: { id: uuid(2) }, isPending: true }]);
  });
});

describe('settlements that cannot be read', () => {
  test('do not stop the others from being read', async () => {
    const { ids, result } = await read(numbered(9), failing(1, 2, 3, 4, 6));
    expect(ids).toHaveLength(9);
    expect(result.partial.map((one) => one.settlement.id)).toEqual([1, 2, 3, 4, 6].map(uuid));
  });

  test('end the reading if they are five in a row', async () => {
    const { source, ids, result } = await read(numbered(20), failing(2, 3, 4, 5, 6));
    expect(ids).toHaveLength(6);
    expect(result.partial).toHaveLength(19);
    expect(result.partial.at(-1)).toMatchObject({
      settlement: { id: uuid(20) },
      entries: [
        { code: 'not_read', facts: { reason: { code: 'skipped', facts: { failures: '5' } } } },
      ],
    });
    // Those that were under way already.
    expect(source.asked.length).toBeLessThanOrEqual(8);
  });
});

test("a refusal ends the run when its settlement's turn comes", async () => {
  const refusal = new ReconError('authentication', 'no');
  await expect(read(numbered(3), { [uuid(2)]: { failure: refusal } })).rejects.toBe(refusal);
});
