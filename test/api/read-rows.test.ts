import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readRows } from '../../src/api/api-source.ts';
import type { Row } from '../../src/model/row.ts';
import { rowsOf } from '../../src/model/row-batch.ts';
import type { RowsOutcome } from '../../src/model/source.ts';
import { rawRow } from './raw.ts';

/** The list as one walk sees it (walks are numbered from 0). */
type Service = (walk: number) => readonly unknown[];

interface Reading {
  /** In the order in which they were handed on. */
  readonly rows: readonly Row[];
  readonly outcome: RowsOutcome;
  readonly walks: number;
  /** What counts in the end: by id, with the corrections in their place. */
  readonly standing: ReadonlyMap<string, Row>;
}

/** Reads rows from a service whose pages hold `maximum` records. */
async function read(service: Service, total: number, maximum = 100): Promise<Reading> {
  const limits: number[] = [];
  const fetch = async (offset: number, limit: number) => {
    if (!limits.includes(limit)) limits.push(limit);
    return service(limits.indexOf(limit)).slice(offset, offset + Math.min(limit, maximum));
  };
  const reading = readRows(fetch, { total, ahead: 4 });
  const rows: Row[] = [];
  let step = await reading.next();
  for (; !step.done; step = await reading.next()) rows.push(...rowsOf(step.value));
  const outcome = step.value;
  const standing = new Map([...rows, ...outcome.corrections].map((row) => [row.id, row] as const));
  return { rows, outcome, walks: limits.length, standing };
}

const unreadable = '';

/** A row `id` with an amount, or an unreadable one. */
function row(id: number, content: number | typeof unreadable): unknown {
  const transactionId = `row ${String(id).padStart(3, '0')}`;
  return content === unreadable
    ? rawRow({ transactionId, decimalPlaces: '' })
    : rawRow({ transactionId, amount: content });
}

function rows(count: number): unknown[] {
  return Array.from({ length: count }, (_, id) => row(id, id));
}

test('all rows of a list that does not change are handed on, without findings', async () => {
  const { outcome, standing, walks } = await read(() => rows(250), 250);
  expect([...standing.values()].map(({ amount }) => Number(amount))).toEqual([
    ...Array(250).keys(),
  ]);
  expect(outcome).toEqual({ unreadable: [], repeated: [], conflicts: [], corrections: [] });
  expect(walks).toBe(1);
});

test('an unreadable row is named with its field, and counts as listed', async () => {
  const list = [...rows(3), row(3, unreadable)];
  const { rows: handedOn, outcome, walks } = await read(() => list, 4);
  expect(handedOn).toHaveLength(3);
  expect(outcome.unreadable).toEqual([
    {
      record: 'row 003',
      field: 'decimalPlaces',
      found: '""',
      expected: 'scale',
    },
  ]);
  expect(outcome.unsteady).toBeUndefined();
  expect(walks).toBe(1);
});

describe('rows beyond what was asked for or announced', () => {
  /** What comes of a service that lists by offset, limit and the number of the request. */
  async function readFrom(
    fetch: (offset: number, limit: number) => readonly unknown[],
    total: number,
  ) {
    const limits = new Set<number>();
    const reading = readRows(
      async (offset, limit) => {
        limits.add(limit);
        return fetch(offset, limit);
      },
      { total, ahead: 4 },
    );
    const handedOn: Row[] = [];
    let step = await reading.next();
    for (; !step.done; step = await reading.next()) handedOn.push(...rowsOf(step.value));
    const ids = new Set(handedOn.map(({ id }) => id));
    expect(ids.size).toBe(handedOn.length);
    return { found: ids.size, walks: limits.size, outcome: step.value };
  }

  test('are handed on if a page reaches beyond the announced end, after which no rows come', async () => {
    const list = rows(160);
    const { found, walks, outcome } = await readFrom(
      (offset, limit) => (offset >= 150 ? [] : list.slice(offset, offset + limit)),
      150,
    );
    expect([found, walks, outcome.unsteady]).toEqual([160, 3, 'walks_disagree']);
  });

  test('are handed on if pages are longer than asked for, and take a second walk', async () => {
    const list = rows(150);
    const { found, walks, outcome } = await readFrom(
      (offset, limit) => list.slice(offset, offset + limit + 7),
      150,
    );
    expect([found, walks, outcome.unsteady]).toEqual([150, 2, undefined]);
  });

  test('are handed on if every page has all rows that are left, announced or not', async () => {
    for (const total of [100, 1_000]) {
      const { found, outcome } = await readFrom((offset) => rows(1_000).slice(offset), total);
      expect([found, outcome.unsteady]).toEqual([1_000, undefined]);
    }
  });

  test('end the reading if they are far more than announced', async () => {
    const { outcome } = await readFrom((offset) => (offset === 0 ? rows(100_000) : []), 100);
    expect(outcome.unsteady).toBe('too_long');
  });
});

describe('in a second walk', () => {
  // One more is announced than there is: it takes two walks that agree.
  const announced = 4;

  test('an unreadable row that becomes readable is handed on late, and not as a correction', async () => {
    const { outcome, standing } = await read(
      (walk) => [...rows(2), row(2, walk === 0 ? unreadable : 7)],
      announced,
    );
    expect(standing.get('row 002')?.amount).toBe(7n);
    expect(outcome).toMatchObject({ unreadable: [], corrections: [] });
  });

  test('a row that becomes unreadable no longer counts', async () => {
    const { outcome } = await read(
      (walk) => [...rows(2), row(2, walk === 0 ? 7 : unreadable)],
      announced,
    );
    expect(outcome.unreadable).toMatchObject([{ record: 'row 002' }]);
    expect(outcome.corrections).toEqual([]);
  });

  test('an unreadable row that stays unreadable with other contents is still named', async () => {
    const spoilt = (walk: number) =>
      rawRow({ transactionId: 'row 002', decimalPlaces: '', amount: walk });
    const { outcome } = await read((walk) => [...rows(2), spoilt(walk)], announced);
    expect(outcome.unreadable).toMatchObject([{ record: 'row 002', field: 'decimalPlaces' }]);
  });

  test('a row with another amount is corrected', async () => {
    const { outcome, standing } = await read((walk) => [...rows(2), row(2, walk)], announced);
    expect(outcome.corrections).toMatchObject([{ id: 'row 002' }]);
    expect(standing.get('row 002')?.amount).toBeGreaterThan(0n);
    expect(outcome.conflicts).toEqual([]);
  });
});

describe('two contents of one id in a walk', () => {
  const orders = [
    [0, 1, 2],
    [2, 1, 0],
    [1, 2, 0],
  ];

  test('are a conflict, and which one counts does not depend on the order of listing', async () => {
    const variants = [row(9, 5), row(9, 6), row(9, 7)];
    for (const order of orders) {
      const list = [...rows(3), ...order.map((at) => variants[at])];
      const { outcome, standing } = await read(() => list, 4);
      expect(standing.get('row 009')?.amount).toBe(5n);
      const [contents] = outcome.conflicts;
      expect(contents?.map(({ amount }) => amount)).toEqual([5n, 6n, 7n]);
      expect(outcome.unreadable).toEqual([]);
    }
  });

  test('of which one is unreadable give the readable one, and the other is named', async () => {
    for (const variants of [
      [row(9, 5), row(9, unreadable)],
      [row(9, unreadable), row(9, 5)],
    ]) {
      const { outcome, standing } = await read(() => [...rows(3), ...variants], 4);
      expect(standing.get('row 009')?.amount).toBe(5n);
      expect(outcome.unreadable).toMatchObject([{ record: 'row 009' }]);
      expect(outcome.conflicts).toEqual([]);
    }
  });

  test('that are both unreadable are each named once', async () => {
    const spoilt = (decimalPlaces: string) => rawRow({ transactionId: 'row 009', decimalPlaces });
    for (const variants of [
      [spoilt('x'), spoilt('y')],
      [spoilt('y'), spoilt('x')],
    ]) {
      const { outcome } = await read(() => [...rows(3), ...variants], 4);
      expect(outcome.unreadable.map(({ found }) => found)).toEqual(['"x"', '"y"']);
    }
  });

  test('that lie pages apart are found by another walk', async () => {
    const list = [row(9, 6), ...rows(7), row(9, 5)];
    const { outcome, standing, walks } = await read(() => list, 8, 3);
    expect(walks).toBe(2);
    expect(standing.get('row 009')?.amount).toBe(5n);
    expect(outcome.conflicts).toHaveLength(1);
  });
});

describe('an id with two contents that a later walk hides', () => {
  const contents = [5, 6];

  test('remains a conflict if that walk ends before it comes to the second', async () => {
    const list = [row(9, 5), ...rows(5), row(9, 6)];
    // Every page is the first one, and the second walk asks for smaller ones.
    const reading = readRows(async (_, limit) => list.slice(0, limit), {
      total: 6,
      ahead: 4,
    });
    let step = await reading.next();
    while (!step.done) step = await reading.next();
    expect(step.value.unsteady).toBeUndefined();
    const [contents] = step.value.conflicts;
    expect(contents?.map(({ amount }) => amount)).toEqual([5n, 6n]);
  });

  test('remains a conflict if both were seen', async () => {
    // Announced is one more than the first two walks list: there is a third.
    const lists = [
      [...rows(3)],
      [...contents.map((amount) => row(9, amount)), ...rows(3)],
      [...rows(3), row(8, 8)],
    ];
    const { outcome, standing, walks } = await read((walk) => lists[walk] ?? [], 5);
    expect(walks).toBe(3);
    expect(outcome.unsteady).toBeUndefined();
    expect(outcome.conflicts).toHaveLength(1);
    expect(standing.get('row 009')?.amount).toBe(5n);
  });

  test('leaves it open whether all was read if one was lost between pages', async () => {
    for (const [first, second] of [contents, contents.toReversed()]) {
      const list = [row(9, first ?? 0), ...rows(7), row(9, second ?? 0)];
      const { outcome } = await read((walk) => (walk === 0 ? list : rows(7)), 8, 3);
      expect(outcome.unsteady).toBe('walks_disagree');
    }
  });
});

test('two ids that differ only in invalid Unicode are ids of different rows', async () => {
  const list = ['\ud800', '\ud801', '\udc00', '\ufffd'].map((transactionId) =>
    rawRow({ transactionId }),
  );
  const { rows: handedOn, outcome } = await read(() => list, 4);
  expect(new Set(handedOn.map(({ id }) => id)).size).toBe(4);
  expect(outcome).toEqual({ unreadable: [], repeated: [], conflicts: [], corrections: [] });
});

const content = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 1, max: 4 }) },
  { weight: 1, arbitrary: fc.constant<typeof unreadable>(unreadable) },
);
const service = fc.record({
  /** The contents of each id, by walk. */
  contents: fc.array(
    fc.array(fc.array(content, { minLength: 0, maxLength: 3 }), { minLength: 3, maxLength: 3 }),
    { maxLength: 12 },
  ),
  off: fc.constantFrom(0, 0, 0, -1, 1),
  maximum: fc.integer({ min: 1, max: 8 }),
});

test('each id is handed on once, and the last walk counts, whatever the walks list', async () => {
  await fc.assert(
    fc.asyncProperty(service, async ({ contents, off, maximum }) => {
      const listOf = (walk: number) =>
        contents.flatMap((walks, id) => (walks[walk] ?? []).map((one) => row(id, one)));
      const total = Math.max(0, contents.length + off);
      const { rows: handedOn, outcome, walks, standing } = await read(listOf, total, maximum);
      expect(new Set(handedOn.map(({ id }) => id)).size).toBe(handedOn.length);
      const ids = new Set(handedOn.map(({ id }) => id));
      for (const { id } of outcome.corrections) expect(ids).toContain(id);
      if (outcome.unsteady) return;
      for (const [id, walksOfId] of contents.entries()) {
        const last = walksOfId.slice(0, walks).findLast((listed) => listed.length > 0) ?? [];
        const name = `row ${String(id).padStart(3, '0')}`;
        const amounts = last.filter((one) => one !== unreadable);
        const isUnreadable = outcome.unreadable.some(({ record }) => record === name);
        expect(isUnreadable).toBe(last.includes(unreadable));
        if (amounts.length > 0) {
          expect(standing.get(name)?.amount).toBe(BigInt(Math.min(...amounts)));
        }
      }
    }),
    { numRuns: 120 },
  );
});

test('the findings of a list that does not change do not depend on the order of listing', async () => {
  const still = fc.record({
    // With more repeats or smaller pages, some orders would have three pages in a row without
    // anything new, which ends a walk.
    contents: fc.array(fc.array(content, { minLength: 1, maxLength: 2 }), { maxLength: 10 }),
    off: fc.constantFrom(0, 0, -1, 1),
    maximum: fc.integer({ min: 12, max: 20 }),
    seeds: fc.array(fc.nat(), { minLength: 8, maxLength: 8 }),
  });
  await fc.assert(
    fc.asyncProperty(still, async ({ contents, off, maximum, seeds }) => {
      const list = contents.flatMap((listed, id) => listed.map((one) => row(id, one)));
      const shuffled = list
        .map((record, at) => ({ record, place: ((at + 1) * (seeds[at % 8] ?? 1)) % 1009 }))
        .sort((one, other) => one.place - other.place)
        .map(({ record }) => record);
      const total = Math.max(0, contents.length + off);
      const summary = async (records: readonly unknown[]) => {
        const { outcome, standing } = await read(() => records, total, maximum);
        const { conflicts, repeated, unreadable: faults, unsteady } = outcome;
        const sorted = (items: readonly unknown[]) =>
          items
            .map((item) =>
              JSON.stringify(item, (_, value) => (typeof value === 'bigint' ? `${value}` : value)),
            )
            .sort();
        return {
          standing: sorted([...standing.values()]),
          conflicts: sorted(conflicts),
          repeated: sorted(repeated),
          faults: sorted(faults),
          unsteady,
        };
      };
      expect(await summary(shuffled)).toEqual(await summary(list));
    }),
    { numRuns: 120 },
  );
});
