import { describe, expect, it } from 'vitest';
import { call, ids, numbered } from './caller.ts';

/** Walks the rows of a settlement of `count` rows as the document asks: by rows received. */
async function walker(count: number, ...faults: string[]) {
  const scenario = numbered(count);
  const { rows } = await call(scenario, ...faults);
  const page = async (offset: number, limit = 4) =>
    ids(await rows({ settlementId: scenario.id, offset, limit }));
  const walk = async (limit = 4) => {
    const pages: unknown[][] = [];
    let offset = 0;
    for (;;) {
      const received = await page(offset, limit);
      pages.push(received);
      offset += received.length;
      if (received.length === 0 || pages.length > 20) return pages;
    }
  };
  return { page, walk };
}

describe('page-max', () => {
  it('limits every page', async () => {
    const { walk } = await walker(5, 'page-max=2');
    expect(await walk()).toEqual([[0, 1], [2, 3], [4], []]);
  });

  it('shrinks with every page to its end', async () => {
    const { walk } = await walker(9, 'page-max=4-2');
    expect((await walk()).map((page) => page.length)).toEqual([4, 3, 2, 0]);
    expect((await walk()).map((page) => page.length)).toEqual([2, 2, 2, 2, 1, 0]);
  });

  it('grows with every page to its end', async () => {
    const { walk } = await walker(9, 'page-max=1-3');
    expect((await walk()).map((page) => page.length)).toEqual([1, 2, 3, 3, 0]);
  });

  it('applies only to the place that is named', async () => {
    const { headers, rows, scenario } = await call('balanced', 'page-max=1@headers');
    const settlementId = scenario.settlements[0]?.header['settlementId'];
    expect(ids(await headers())).toHaveLength(1);
    expect(ids(await rows({ settlementId }))).toHaveLength(3);
  });
});

describe('rows between pages', () => {
  it('are repeated once: one row twice, another never, with the right count', async () => {
    const { walk } = await walker(12, 'repeat');
    expect(await walk()).toEqual([[0, 1, 2, 3], [3, 4, 5, 6], [8, 9, 10, 11], []]);
    expect((await walk()).flat()).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
  });

  it('are always repeated: no row is missed', async () => {
    const { walk } = await walker(12, 'repeat=always');
    const pages = [[0, 1, 2, 3], [3, 4, 5, 6], [7, 8, 9, 10], [11], []];
    expect(await walk()).toEqual(pages);
    expect(await walk()).toEqual(pages);
  });

  it('are skipped once: one row never, another twice, with the right count', async () => {
    const { walk } = await walker(12, 'skip=once');
    expect(await walk()).toEqual([[0, 1, 2, 3], [5, 6, 7, 8], [8, 9, 10, 11], []]);
    expect((await walk()).flat()).toHaveLength(12);
  });

  it('are always skipped: other pages hide other rows', async () => {
    const { walk } = await walker(12, 'skip=always');
    expect(await walk(4)).toEqual([[0, 1, 2, 3], [5, 6, 7, 8], [9, 10, 11], []]);
    expect(await walk(3)).toEqual([[0, 1, 2], [4, 5, 6], [7, 8, 9], [10, 11], []]);
  });

  it('are repeated once in each list', async () => {
    const { headers, rows, scenario } = await call('balanced', 'repeat');
    const [first, second] = scenario.settlements.map(({ header }) => header['settlementId']);
    const sizes = async (settlementId: unknown, offset: number) =>
      ids(await rows({ settlementId, offset })).length;
    expect([await sizes(first, 1), await sizes(first, 1)]).toEqual([3, 2]);
    expect([await sizes(second, 1), await sizes(second, 1)]).toEqual([2, 1]);
    expect(ids(await headers({ offset: 8 }))).toHaveLength(2);
    expect(ids(await headers({ offset: 8 }))).toHaveLength(1);
  });
});

describe('a hole', () => {
  it('hides the page with the middle row once', async () => {
    const { page } = await walker(12, 'hole');
    expect(await page(0)).toHaveLength(4);
    expect(await page(4)).toEqual([]);
    expect(await page(8)).toHaveLength(4);
    expect(await page(4)).toHaveLength(4);
  });

  it('hides it always, on all pages with that row', async () => {
    const { page } = await walker(12, 'hole=always');
    expect(await page(4)).toEqual([]);
    expect(await page(3, 5)).toEqual([]);
    expect(await page(3, 3)).toHaveLength(3);
    expect(await page(7, 5)).toHaveLength(5);
    expect(await page(0, 12)).toHaveLength(12);
  });
});

describe('the list', () => {
  it('has only a first page if the offset is ignored', async () => {
    const { page } = await walker(12, 'ignore-offset@rows');
    expect(await page(8)).toEqual([0, 1, 2, 3]);
    expect(await page(80)).toEqual([0, 1, 2, 3]);
  });

  it('has one settlement more after N requests for headers', async () => {
    const { headers, rows, scenario } = await call('balanced', 'late-settlement=2');
    const all = scenario.settlements.map(({ header }) => header['settlementId']);
    const [late] = all;
    expect(ids(await headers({ limit: 4 }), 'settlementId')).toEqual(all.slice(1, 5));
    expect(ids(await headers({ settlementId: late }), 'settlementId')).toEqual([late]);
    expect(ids(await rows({ settlementId: late }))).toHaveLength(3);
    expect(ids(await headers({ limit: 4, offset: 4 }), 'settlementId')).toEqual(all.slice(5, 9));
    expect(ids(await headers({ limit: 4, offset: 8 }), 'settlementId')).toEqual(all.slice(8));
  });

  it('changes its first settlement again and again, unless that one is requested by id', async () => {
    const { headers, scenario } = await call('balanced', 'restless-header=first:2');
    const fees = async (body: object) => ids(await headers(body), 'fees');
    const [first = {}] = scenario.settlements.map(({ header }) => header);
    const { settlementId, fees: right } = first;
    const seen = [await fees({ limit: 1 }), await fees({ limit: 1 }), await fees({ limit: 1 })];
    expect(seen).toEqual([[Number(right) + 1], [Number(right) + 2], [right]]);
    expect(await fees({ settlementId })).toEqual([right]);
  });

  it('ends at the announced total, even if the page before goes beyond it', async () => {
    const { id, settlements, ...scenario } = numbered(12);
    const announcing = settlements.map(({ header, rows }) => ({
      header: { ...header, totalTransactions: 10 },
      rows,
    }));
    const { rows } = await call({ ...scenario, settlements: announcing }, 'end-at-total');
    expect(ids(await rows({ settlementId: id, offset: 8 }))).toHaveLength(4);
    expect(ids(await rows({ settlementId: id, offset: 10 }))).toEqual([]);
  });

  it('has longer pages than requested', async () => {
    const { page } = await walker(12, 'over-limit=3@rows');
    expect(await page(0)).toHaveLength(7);
    expect(await page(10)).toHaveLength(2);
  });

  it('has several faults at once', async () => {
    const { walk } = await walker(6, 'repeat=always', 'page-max=3');
    expect(await walk()).toEqual([[0, 1, 2], [2, 3, 4], [5], []]);
  });
});
