import { describe, expect, test } from 'vitest';
import { NeighbourReader } from '../../src/app/neighbour-reader.ts';
import { addDays, daysOf } from '../../src/base/calendar.ts';
import { ReconError } from '../../src/base/errors.ts';
import type { HeaderList, SettlementQuery } from '../../src/model/source.ts';
import { buildSettlement, uuid } from '../support/build.ts';
import { FakeSource } from './fake-source.ts';

const date = '2026-03-15';
const settlement = buildSettlement({ id: uuid(1), date });
/** Settlement 2, 3, ... on these days after (or before) the first one. */
const around = (days: readonly number[], transactions = 1) =>
  days.map((day, index) =>
    buildSettlement({ id: uuid(index + 2), date: addDays(date, day), transactions }),
  );

/** A source that lists what is dated so, and keeps the ranges that it was asked for. */
class DatedSource extends FakeSource {
  readonly ranges: string[] = [];

  override async headers(query: SettlementQuery): Promise<HeaderList> {
    const { from, to } = query.range;
    this.ranges.push(`${from}..${to}`);
    const list = await super.headers(query);
    return {
      ...list,
      settlements: list.settlements.filter((one) => from <= one.date && one.date <= to),
    };
  }
}

function reading(source: FakeSource, more: Partial<{ known: number }> = {}) {
  return new NeighbourReader({ source, filters: {}, ahead: 4, ...more });
}

describe('the settlements around one', () => {
  test('are listed step by step, all new days in one list', async () => {
    const source = new DatedSource([settlement, ...around([-14, -5, 2, 8])]);
    const reader = reading(source);
    const found: (number | undefined)[] = [];
    for (const days of [0, 3, 7, 14]) {
      const { neighbours } = await reader.read(settlement, { days, rows: 'none' });
      found.push(neighbours?.length);
    }
    expect(found).toEqual([undefined, 1, 2, 4]);
    expect(source.ranges).toEqual([
      '2026-03-12..2026-03-18',
      '2026-03-08..2026-03-22',
      '2026-03-01..2026-03-29',
    ]);
    // Nor for the next settlement.
    await reader.read({ ...settlement, date: addDays(date, 1) }, { days: 14, rows: 'none' });
    expect(source.ranges.slice(3)).toEqual(['2026-03-30..2026-03-30']);
  });

  test('have the same accounting token and currency', async () => {
    const [first, second, third] = around([0, 1, 2]);
    if (!first || !second || !third) throw new Error('no neighbours');
    const others = [first, { ...second, accountingToken: 'other' }, { ...third, currency: 'USD' }];
    const found = await reading(new DatedSource(others)).read(settlement, {
      days: 3,
      rows: 'none',
    });
    expect(found.neighbours).toEqual([{ settlement: first, rows: undefined }]);
  });

  test('are read with their rows while they are few and small, the nearest first', async () => {
    const days = Array.from({ length: 25 }, (_, index) => index % 14);
    const source = new DatedSource(around(days));
    const found = await reading(source).read(settlement, { days: 14, rows: 'few' });
    expect([found.rowsRead, source.asked.length]).toEqual([20, 20]);
    expect(found.obstacles).toEqual([{ reason: 'neighbour_rows_left', left: 5, neighbours: 25 }]);
    const far = found.neighbours?.filter(({ rows }) => rows === undefined);
    expect(far?.every((one) => one.settlement.date > '2026-03-20')).toBe(true);
    const large = new DatedSource(around([1, 2], 6_000));
    expect((await reading(large).read(settlement, { days: 3, rows: 'few' })).rowsRead).toBe(1);
    expect((await reading(large).read(settlement, { days: 3, rows: 'all' })).rowsRead).toBe(2);
  });

  test('are read as far as requests are allowed: those of one page first', async () => {
    const others = [...around([1], 101), ...around([0, 2, 3, 4]).slice(1)];
    const readWith = (left: number) =>
      reading(new DatedSource(others)).read(settlement, {
        ...{ days: 14, rows: 'few', allowance: { left } },
      });
    const { neighbours, obstacles } = await readWith(4);
    expect(neighbours?.flatMap((one) => (one.rows ? [one.settlement.transactions] : []))).toEqual([
      1, 1, 1,
    ]);
    expect(obstacles).toEqual([{ reason: 'requests_limited', days: 14, left: 1, neighbours: 4 }]);
    expect((await readWith(20)).obstacles).toEqual([]);
  });

  test('are read once', async () => {
    const source = new DatedSource(around([1, 2, 3]));
    const reader = reading(source);
    for (const days of [3, 7, 14]) await reader.read(settlement, { days, rows: 'all' });
    expect(source.asked).toHaveLength(3);
  });

  test('are only those that could be listed, if a later list fails', async () => {
    const source = new DatedSource(around([-5, 2]));
    const reader = reading(source);
    await reader.read(settlement, { days: 3, rows: 'none' });
    source.headers = () => Promise.reject(new ReconError('network', 'No answer.'));
    const found = await reader.read(settlement, { days: 7, rows: 'none' });
    expect(found.neighbours).toHaveLength(1);
    expect(found.obstacles).toEqual([{ reason: 'neighbours_not_read', failure: 'No answer.' }]);
  });

  test('are given with the days that the source does not have', async () => {
    const missingDays = [...daysOf({ from: '2026-03-12', to: '2026-03-13' })];
    const source = new FakeSource(around([1]), {}, { missingDays });
    const found = await reading(source).read(settlement, { days: 2, rows: 'none' });
    expect(found.missingDays).toEqual(['2026-03-13']);
    expect(found.obstacles).toEqual([{ reason: 'missing_days', days: ['2026-03-13'] }]);
  });
});
