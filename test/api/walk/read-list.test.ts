import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addTexts, digestOf } from '../../../src/api/scan/kernel.ts';
import { type ListOutcome, readList } from '../../../src/api/walk/read-list.ts';
import type { Listed } from '../../../src/api/walk/walk-records.ts';

interface Item {
  readonly id: string;
  readonly content: string;
}

interface Asked {
  readonly offset: number;
  readonly limit: number;
}

/** What the list looks like to a request, and the most records in an answer. */
type Service = (asked: Asked, request: number) => { list: readonly Item[]; maximum: number };

async function read(service: Service, total: number | undefined, limit = 10, ahead = 4) {
  const asked: Asked[] = [];
  let underWay = 0;
  /** Requests of the first walk under way at once. */
  let most = 0;
  const reading = readList<Item>({
    fetch: async (offset, size) => {
      asked.push({ offset, limit: size });
      underWay += 1;
      if (size === limit) most = Math.max(most, underWay);
      await Promise.resolve();
      underWay -= 1;
      const { list, maximum } = service({ offset, limit: size }, asked.length);
      return list.slice(offset, offset + Math.min(size, maximum));
    },
    decode: (item) => listed(item as Item),
    limit,
    total,
    mostRecords: total === undefined ? 1000 : 2 * total + 1000,
    ahead,
    sortText: (item) => item.content,
  });
  const handedOn: Item[] = [];
  let step = await reading.next();
  for (; !step.done; step = await reading.next()) {
    const { page, indexes } = step.value;
    handedOn.push(...indexes.map((index) => page.item(index)));
  }
  return { asked, most, handedOn, outcome: step.value as ListOutcome<Item> };
}

function listed(item: Item): Listed<Item> {
  return { key: item.id, ...digestOf(() => addTexts(0, [JSON.stringify(item)])), item };
}

function items(count: number): Item[] {
  return Array.from({ length: count }, (_, at) => ({ id: `id ${at}`, content: 'a' }));
}

const steady =
  (list: readonly Item[], maximum = 100): Service =>
  () => ({ list, maximum });

function ids(list: readonly Item[]): string[] {
  return list.map((item) => item.id).sort();
}

describe('a list that does not change', () => {
  test('is read in one walk that continues to the empty page at the announced end', async () => {
    const { asked, handedOn, outcome } = await read(steady(items(35)), 35);
    expect(handedOn).toEqual(items(35));
    expect(asked.map(({ offset }) => offset)).toEqual([0, 10, 20, 30, 35]);
    expect(outcome).toEqual({ unsteady: undefined, repeated: [], conflicts: [], corrections: [] });
  });

  test('with pages shorter than asked for is read by offsets that follow what was received', async () => {
    const { handedOn, outcome } = await read(steady(items(35), 3), 35);
    expect(handedOn).toEqual(items(35));
    expect(outcome.unsteady).toBeUndefined();
  });

  test('that is empty takes one request', async () => {
    const { asked, outcome } = await read(steady([]), 0);
    expect(asked).toEqual([{ offset: 0, limit: 10 }]);
    expect(outcome.unsteady).toBeUndefined();
  });

  test('without a total it takes two walks with other page borders', async () => {
    const { asked, handedOn, outcome } = await read(steady(items(25)), undefined);
    expect(ids(handedOn)).toEqual(ids(items(25)));
    expect(outcome.unsteady).toBeUndefined();
    expect(new Set(asked.map(({ limit }) => limit))).toEqual(new Set([10, 8]));
  });

  test('without a total, full pages let several be read at once, and few of them in vain', async () => {
    const firstWalkOf = async (count: number) => {
      const { asked, most } = await read(steady(items(count)), undefined, 10, 16);
      return { most, pages: asked.filter(({ limit }) => limit === 10).length };
    };
    expect(await firstWalkOf(9)).toEqual({ most: 1, pages: 2 });
    const { most, pages } = await firstWalkOf(200);
    expect(most).toBe(4);
    expect(pages).toBeLessThanOrEqual(24);
  });

  test('without a total and without records it takes two requests', async () => {
    const { asked, outcome } = await read(steady([]), undefined);
    expect(asked.map(({ offset }) => offset)).toEqual([0, 0]);
    expect(outcome.unsteady).toBeUndefined();
  });

  test('that is longer or shorter than announced counts after two equal walks', async () => {
    for (const total of [20, 31, 60]) {
      const { handedOn, outcome } = await read(steady(items(30)), total);
      expect(ids(handedOn)).toEqual(ids(items(30)));
      expect(outcome.unsteady).toBeUndefined();
    }
  });

  test('is read in one walk, with large pages again as soon as the page maximum grows back', async () => {
    const service: Service = (_, request) => ({ list: items(400), maximum: request < 5 ? 2 : 100 });
    const { asked, outcome } = await read(service, 400, 100, 1);
    expect(outcome.unsteady).toBeUndefined();
    expect(asked.length).toBeLessThan(15);
    for (const ahead of [4, 16]) {
      const { handedOn, asked: all } = await read(service, 400, 100, ahead);
      expect(handedOn).toEqual(items(400));
      expect(new Set(all.map(({ limit }) => limit))).toEqual(new Set([100]));
    }
  });
});

describe('a list that changes', () => {
  test('has no duplicate if a record slips to the next page, and the hidden record is found', async () => {
    const list = items(30);
    const shifted = [...list.slice(0, 10), list[9] as Item, ...list.slice(10, 29)];
    const service: Service = ({ limit }) => ({ list: limit === 10 ? shifted : list, maximum: 100 });
    const { handedOn, outcome } = await read(service, 30);
    expect(ids(handedOn)).toEqual(ids(list));
    expect(outcome).toEqual({ unsteady: undefined, repeated: [], conflicts: [], corrections: [] });
  });

  test('lacks a record that each walk hides, and the result says so', async () => {
    const list = items(30);
    const { handedOn, outcome } = await read(
      ({ limit }) => ({ list: list.filter((_, at) => at !== limit), maximum: 100 }),
      31,
    );
    expect(handedOn).toHaveLength(30);
    expect(outcome.unsteady).toBe('walks_disagree');
  });

  test.each([
    { disagree: false, limits: [30] },
    { disagree: true, limits: [30, 25] },
  ])('takes another walk if pages overlap and disagree: $disagree', async (expected) => {
    const list = items(40);
    const other = list.with(30, { id: 'id 30', content: 'other' });
    // The first page is short, so that the next one reaches beyond the range that they fill.
    const { asked, outcome } = await read(
      ({ offset }) => ({
        list: expected.disagree && offset === 1 ? other : list,
        maximum: offset === 0 ? 1 : 30,
      }),
      40,
      30,
      1,
    );
    expect([...new Set(asked.map(({ limit }) => limit))]).toEqual(expected.limits);
    expect(outcome.unsteady).toBeUndefined();
  });

  test('is not certain if it has a hole in the middle, even if the count behind the hole is right', async () => {
    const list = items(40);
    const { outcome } = await read(
      ({ offset }) => ({ list: offset === 20 ? [] : list, maximum: 5 }),
      41,
    );
    expect(outcome.unsteady).toBeDefined();
  });

  test('has a record inserted while the headers are read, which later walks find', async () => {
    const list = items(12);
    const { handedOn, outcome } = await read(
      (_, request) => ({ list: request > 2 ? list : list.slice(1), maximum: 100 }),
      undefined,
    );
    expect(ids(handedOn)).toEqual(ids(list));
    expect(outcome.unsteady).toBeUndefined();
  });

  test('that ignores the offset ends after three pages without new records', async () => {
    const list = items(30);
    const { asked, outcome } = await read(
      ({ offset }) => ({ list: [...Array(offset).fill(list[0]), ...list], maximum: 100 }),
      undefined,
    );
    expect(outcome.unsteady).toBe('no_progress');
    expect(asked.length).toBeLessThan(20);
  });

  test('that has no end is given up', async () => {
    const { outcome } = await read(
      ({ offset }) => ({
        list: Array.from({ length: offset + 10 }, (_, at) => ({
          id: `endless ${at}`,
          content: '',
        })),
        maximum: 100,
      }),
      20,
      100,
    );
    expect(outcome.unsteady).toBe('too_long');
  });
});

describe('a record that is listed again', () => {
  test('on the same page is a copy of the service', async () => {
    const list = items(12);
    list.splice(3, 0, list[2] as Item);
    const { handedOn, outcome } = await read(steady(list, 100), 12, 100);
    expect(ids(handedOn)).toEqual(ids(items(12)));
    expect(outcome.repeated).toEqual([{ item: list[2], copies: 1 }]);
  });

  test('pages apart is a copy of the service as soon as each walk has shown it', async () => {
    const list = items(30);
    list.push(list[2] as Item, list[2] as Item);
    const { asked, handedOn, outcome } = await read(steady(list), 30);
    expect(ids(handedOn)).toEqual(ids(items(30)));
    expect(outcome.repeated).toEqual([{ item: list[2], copies: 2 }]);
    expect(outcome.unsteady).toBeUndefined();
    expect(new Set(asked.map(({ limit }) => limit)).size).toBe(2);
  });

  test.each([
    ['one page', 100],
    ['two pages', 10],
  ])('with other contents on %s is a conflict, whatever the order', async (_, limit) => {
    const other = { id: 'id 2', content: 'A, which sorts first' };
    for (const list of [
      [...items(30), other],
      [other, ...items(30)],
    ]) {
      const { handedOn, outcome } = await read(steady(list), 30, limit);
      expect(outcome.unsteady).toBeUndefined();
      expect(outcome.conflicts).toEqual([[other, { id: 'id 2', content: 'a' }]]);
      const standing =
        outcome.corrections.find((item) => item.id === 'id 2') ??
        handedOn.find((item) => item.id === 'id 2');
      expect(standing).toEqual(other);
    }
  });

  test('with other contents in a later walk has the later contents, and is not a conflict', async () => {
    const list = items(30);
    const service: Service = ({ limit }) => ({
      list:
        limit === 10
          ? list
          : list.map((item, at) => (at === 7 ? { ...item, content: 'later' } : item)),
      maximum: 100,
    });
    // One more is announced than there is, so that it is walked again until two walks agree.
    const { outcome } = await read(service, 31);
    expect(outcome).toEqual({
      unsteady: undefined,
      repeated: [],
      conflicts: [],
      corrections: [{ id: 'id 7', content: 'later' }],
    });
  });
});

describe('for any data and any misbehaviour', () => {
  const walkFault = fc.record({
    hidden: fc.uniqueArray(fc.nat(60), { maxLength: 4 }),
    repeated: fc.array(fc.nat(60), { maxLength: 4 }),
    holeAt: fc.option(fc.nat(60), { nil: -1 }),
  });
  const anything = fc.record({
    count: fc.nat(60),
    announced: fc.oneof(
      { weight: 3, arbitrary: fc.constant(0) },
      { weight: 1, arbitrary: fc.integer({ min: -5, max: 5 }) },
    ),
    faults: fc.array(walkFault, { minLength: 3, maxLength: 3 }),
    faulty: fc.array(fc.boolean(), { minLength: 3, maxLength: 3 }),
    maxima: fc.array(fc.integer({ min: 1, max: 14 }), { minLength: 1, maxLength: 12 }),
    limit: fc.integer({ min: 4, max: 12 }),
    ahead: fc.integer({ min: 1, max: 6 }),
  });

  test('a list called complete is the true set, unless each walk hid the same record and the count shows it', async () => {
    await fc.assert(
      fc.asyncProperty(
        anything,
        async ({ count, announced, faults, faulty, maxima, limit, ahead }) => {
          const list = items(count);
          const limits: number[] = [];
          const walkOf = (size: number) => {
            if (!limits.includes(size)) limits.push(size);
            return limits.indexOf(size);
          };
          const service: Service = (asked, request) => {
            const walk = walkOf(asked.limit);
            const maximum = maxima[request % maxima.length] ?? 1;
            const fault = faulty[walk] ? faults[walk] : undefined;
            if (!fault) return { list, maximum };
            if (asked.offset === fault.holeAt) return { list: [], maximum };
            const shown = list.filter((_, at) => !fault.hidden.includes(at));
            for (const at of fault.repeated)
              shown.splice((at * 7) % (shown.length + 1), 0, ...list.slice(at, at + 1));
            return { list: shown, maximum };
          };
          const total = Math.max(0, count + announced);
          const { handedOn, outcome, asked } = await read(service, total, limit, ahead);
          expect(asked.length).toBeLessThanOrEqual(3 * (2 * total + 2000));
          expect(new Set(ids(handedOn)).size).toBe(handedOn.length);
          if (outcome.unsteady) return;
          const missing = list.filter((item) => !handedOn.some((other) => other.id === item.id));
          // What every walk hides can't be told from what isn't there: it is left to the count.
          if (total === count) expect(handedOn.length === total).toBe(missing.length === 0);
          for (const item of missing) {
            const at = list.indexOf(item);
            for (const walk of limits.keys()) {
              const fault = faulty[walk] ? faults[walk] : undefined;
              const hides = fault && (fault.hidden.includes(at) || fault.holeAt >= 0);
              expect(hides).toBe(true);
            }
          }
        },
      ),
      { numRuns: 1000 },
    );
  });

  test('a list without misbehaviour is complete after one walk, in the fewest requests', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat(200),
        fc.integer({ min: 1, max: 20 }),
        fc.integer({ min: 1, max: 9 }),
        async (count, limit, ahead) => {
          const { asked, handedOn, outcome } = await read(
            steady(items(count)),
            count,
            limit,
            ahead,
          );
          expect(handedOn).toEqual(items(count));
          expect(outcome.unsteady).toBeUndefined();
          expect(asked).toHaveLength(Math.ceil(count / limit) + 1);
        },
      ),
    );
  });
});
