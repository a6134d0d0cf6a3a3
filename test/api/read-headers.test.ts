import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readHeaders } from '../../src/api/api-source.ts';
import { mostSettlements } from '../../src/model/source.ts';
import { rawHeader } from './raw.ts';

/** Reads headers from a service whose list depends on the walk (numbered from 0). */
async function read(service: (walk: number) => readonly unknown[], maximum = 100) {
  const limits: number[] = [];
  const list = await readHeaders(async (offset, limit) => {
    if (!limits.includes(limit)) limits.push(limit);
    return service(limits.indexOf(limit)).slice(offset, offset + Math.min(limit, maximum));
  }, 4);
  return { ...list, ids: list.settlements.map(({ id }) => id), walks: limits.length, limits };
}

function header(settlementId: string, overrides: Readonly<Record<string, unknown>> = {}): unknown {
  return rawHeader({ settlementId, ...overrides });
}

function headers(count: number): unknown[] {
  return Array.from({ length: count }, (_, at) => header(`id ${String(at).padStart(4, '0')}`));
}

test('headers are sorted by date, then id, whatever the order of listing', async () => {
  const list = [
    header('b', { settlementDate: '2026-03-05T01:00:00Z' }),
    header('a', { settlementDate: '2026-03-05T23:00:00Z' }),
    header('c', { settlementDate: '2026-03-04' }),
  ];
  for (const listed of [list, list.toReversed()]) {
    expect((await read(() => listed)).ids).toEqual(['c', 'a', 'b']);
  }
});

test.each([0, 1, 50, 51, 260])('a list of %i headers is read in two equal walks', async (count) => {
  const { ids, limits, unsteady, conflicts, unreadable } = await read(() => headers(count));
  expect(ids).toHaveLength(count);
  expect(limits[0]).toBe(50);
  expect(limits).toHaveLength(2);
  expect({ unsteady, conflicts, unreadable }).toEqual({
    unsteady: undefined,
    conflicts: [],
    unreadable: [],
  });
});

test('a header that appears during the reading is read, after three walks', async () => {
  const { ids, walks, unsteady } = await read((walk) => headers(walk === 0 ? 9 : 10));
  expect(ids).toHaveLength(10);
  expect(walks).toBe(3);
  expect(unsteady).toBeUndefined();
});

test('a list that always changes is unsteady, and none of its headers is dropped', async () => {
  const { ids, unsteady } = await read((walk) => [...headers(3), header(`only ${walk}`)]);
  expect(ids).toEqual(['id 0000', 'id 0001', 'id 0002', 'only 0', 'only 1', 'only 2']);
  expect(unsteady).toBe('walks_disagree');
});

test('a list that is empty only in the first walk is not empty', async () => {
  expect((await read((walk) => (walk === 0 ? [] : headers(2)))).ids).toHaveLength(2);
});

test.each([
  { fees: [1, 2, 2], unsteady: undefined },
  { fees: [1, 2, 1], unsteady: undefined },
  { fees: [1, 2, 3], unsteady: 'walks_disagree' },
])('a header that changes during the reading takes a third walk: $fees', async (expected) => {
  const { fees } = expected;
  const { settlements, conflicts, walks, unsteady } = await read((walk) => [
    header('a', { fees: fees[walk] }),
  ]);
  expect(walks).toBe(3);
  expect(settlements).toMatchObject([{ fees: BigInt(fees.at(-1) ?? 0) }]);
  expect({ conflicts, unsteady }).toEqual({ conflicts: [], unsteady: expected.unsteady });
});

test('more headers than a run reads are too many, and are not read again', async () => {
  expect(mostSettlements).toBe(100_000);
  let requests = 0;
  const fetch = async () => {
    requests += 1;
    return Array(101).fill('no header');
  };
  const { unsteady } = await readHeaders(fetch, 1, undefined, 100);
  expect([unsteady, requests]).toEqual(['too_long', 1]);
});

test('headers beyond the limit asked for are kept, even if the second walk does not list them', async () => {
  const list = await readHeaders(async (offset) => (offset === 0 ? headers(60) : []), 4);
  expect(list.settlements).toHaveLength(60);
  expect(list.unsteady).toBe('walks_disagree');
});

test('a repeated header counts once', async () => {
  const { ids, conflicts, unsteady } = await read(() => [...headers(3), ...headers(3)]);
  expect(ids).toHaveLength(3);
  expect(conflicts).toEqual([]);
  expect(unsteady).toBeUndefined();
});

describe('two contents of one id', () => {
  const one = header('a', { fees: 1 });
  const two = header('a', { fees: 2 });
  const spoilt = header('a', { decimalPlaces: null });

  test('are a conflict, whatever the order of listing', async () => {
    for (const listed of [
      [one, two],
      [two, one, two],
    ]) {
      const { settlements, conflicts } = await read(() => listed);
      expect(settlements).toMatchObject([{ fees: 1n }]);
      expect(conflicts).toMatchObject([[{ fees: 1n }, { fees: 2n }]]);
    }
  });

  test('of which one is unreadable give the readable one, and the other is named', async () => {
    for (const listed of [
      [one, spoilt],
      [spoilt, one],
    ]) {
      const { settlements, conflicts, unreadable } = await read(() => listed);
      expect(settlements).toMatchObject([{ fees: 1n }]);
      expect(conflicts).toEqual([]);
      expect(unreadable).toMatchObject([{ record: 'a', field: 'decimalPlaces' }]);
    }
  });

  test('that are both unreadable are each named once', async () => {
    const other = header('a', { decimalPlaces: '' });
    for (const listed of [
      [other, spoilt],
      [spoilt, other],
    ]) {
      const { unreadable } = await read(() => listed);
      expect(unreadable.map(({ found }) => found)).toEqual(['""', 'null']);
    }
  });
});

test('headers that are not records are counted once for each value', async () => {
  const { unreadable, unsteady } = await read(() => [null, 1, 'x', {}, null]);
  expect(unreadable).toHaveLength(4);
  expect(unsteady).toBeUndefined();
});

test('each JSON value in a list gives a settlement or an unreadable record', async () => {
  const record = fc.oneof(
    fc.jsonValue(),
    fc
      .record({ settlementId: fc.constantFrom('a', 'b', 'c'), tax: fc.jsonValue() })
      .map((change) => rawHeader(change)),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(record, { maxLength: 20 }), async (list) => {
      const sent: unknown = JSON.parse(JSON.stringify(list));
      const result = await read(() => (Array.isArray(sent) ? sent : []));
      const distinct = new Set(list.map((one) => JSON.stringify(one)));
      const named = result.conflicts.reduce((sum, contents) => sum + contents.length - 1, 0);
      expect(result.settlements.length + result.unreadable.length + named).toBe(distinct.size);
      expect(new Set(result.ids).size).toBe(result.ids.length);
    }),
  );
});
