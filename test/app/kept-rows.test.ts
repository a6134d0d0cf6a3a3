import { expect, test } from 'vitest';
import { KeptRows, type KeptRowsOptions } from '../../src/app/kept-rows.ts';
import { reconcileRange } from '../../src/app/reconcile-range.ts';
import { defaultSettings } from '../reconcile/judge.ts';
import { uuid } from '../support/build.ts';
import { FakeSource, numbered, rowOf } from './fake-source.ts';

const range = { from: '2026-03-01', to: '2026-03-31' };

/** What is kept of settlements 1 to 3, of one row each; `changes` are to the first one's. */
async function kept(options: Partial<KeptRowsOptions>, source = new FakeSource(numbered(3))) {
  const rows = new KeptRows({ most: 3, tooMany: () => new Error('too many'), ...options });
  const run = reconcileRange({
    source: rows.keeping(source),
    query: { range, filters: {} },
    settings: defaultSettings,
    explains: false,
    ahead: 2,
  });
  for await (const _ of rows.droppingUnneeded(run));
  return rows.bySettlement;
}

test('the rows of all settlements are kept, as corrected', async () => {
  const [first = ''] = numbered(1).map(({ id }) => id);
  const corrected = rowOf(first, { orderId: 'as it reads in the end' });
  const source = new FakeSource(numbered(3), {
    [first]: { outcome: { corrections: [corrected] } },
  });
  const rows = await kept({}, source);
  expect([...rows.keys()]).toEqual([uuid(1), uuid(2), uuid(3)]);
  expect(rows.get(first)).toEqual([corrected]);
});

test('rows that are not needed are not kept, and do not count', async () => {
  const rows = await kept({ most: 1, isNeeded: ({ settlement }) => settlement.id === uuid(2) });
  expect([...rows.keys()]).toEqual([uuid(2)]);
});

test('more rows than the maximum are refused, as soon as the headers announce them or they are read', async () => {
  const source = new FakeSource(numbered(3));
  await expect(kept({ most: 2 }, source)).rejects.toThrow('too many');
  expect(source.asked).toEqual([]);
  const [one, ...others] = numbered(3, { transactions: 0 });
  const unannounced = new FakeSource(one ? [one, ...others] : []);
  await expect(kept({ most: 2 }, unannounced)).rejects.toThrow('too many');
  expect(unannounced.asked.length).toBeGreaterThan(0);
});
