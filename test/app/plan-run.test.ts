import { expect, test } from 'vitest';
import { planRun } from '../../src/app/plan-run.ts';
import type { PagedSource, Tempo } from '../../src/model/source.ts';
import { buildSettlement, uuid } from '../support/build.ts';
import { FakeSource } from './fake-source.ts';

const query = { range: { from: '2026-03-01', to: '2026-03-31' }, filters: {} };

/** A source of settlements with so many transactions each. */
function source(
  transactions: readonly number[],
  tempo: Partial<Tempo> = {},
  list: ConstructorParameters<typeof FakeSource>[2] = {},
): FakeSource & PagedSource {
  const settlements = transactions.map((count, at) =>
    buildSettlement({ id: uuid(at + 1), transactions: count }),
  );
  const usual = {
    pages: 4,
    pageMs: 50,
    rowsPerPage: 100,
    concurrency: 8,
    perSecond: Number.POSITIVE_INFINITY,
  };
  return Object.assign(new FakeSource(settlements, {}, list), {
    tempo: () => ({ ...usual, ...tempo }),
  });
}

test('a plan reads the headers alone, and counts a page per hundred rows and a last page per settlement', async () => {
  const paged = source([0, 1, 100, 101, 20_000]);
  const plan = await planRun(paged, query);
  expect(paged.asked).toEqual([]);
  expect(paged.query).toEqual(query);
  expect(plan).toMatchObject({
    settlements: 5,
    transactions: 20_202,
    requests: { headers: 4, rows: 0 + 1 + 1 + 2 + 200, proofs: 5, total: 213 },
    complete: true,
  });
});

test('the planned time is the time of the pages, divided by the requests at a time', async () => {
  const { ms } = await planRun(source([9_400], { pageMs: 80, concurrency: 4 }), query);
  expect(ms).toBe(((4 + 94 + 1) * 80) / 4);
});

test('the planned time depends on the rate limit, if there was one', async () => {
  const { ms } = await planRun(source([9_500], { perSecond: 5 }), query);
  expect(ms).toBe(20_000);
});

test('the plan of an empty range has the requests of the list only', async () => {
  const plan = await planRun(source([]), query);
  expect(plan).toMatchObject({ settlements: 0, transactions: 0, requests: { total: 4 } });
});

test('the plan is not complete if the list of headers is not certain', async () => {
  const unsteady = source([1], {}, { unsteady: 'walks_disagree' });
  expect(await planRun(unsteady, query)).toMatchObject({ complete: false });
  const fault = { record: '', field: 'tax', found: 'null', expected: 'minor_units' } as const;
  const unreadable = source([1], {}, { unreadable: [fault] });
  expect(await planRun(unreadable, query)).toMatchObject({ complete: false });
});
