import { expect, test } from 'vitest';
import { addDays } from '../../src/base/calendar.ts';
import { newestDay } from '../../src/doctor/newest-settlement.ts';
import type { Probe } from '../../src/model/probe.ts';
import { buildSettlement } from '../support/build.ts';

const today = '2026-11-28';

type Order = 'oldest first' | 'newest first' | 'any';

/** A service with settlements of these days, fifty on a page, which counts what it is asked. */
function serviceOf(days: readonly string[], order: Order) {
  const sorted = [...days].sort();
  if (order === 'newest first') sorted.reverse();
  if (order === 'any') sorted.sort((one, other) => (one.slice(8) < other.slice(8) ? -1 : 1));
  let asked = 0;
  const probe: Pick<Probe, 'settlements'> = {
    settlements: async ({ range }, { limit }) => {
      asked += 1;
      const items = sorted
        .filter((day) => range.from <= day && day <= range.to)
        .slice(0, limit)
        .map((date) => buildSettlement({ date }));
      return { keys: items.map(({ id }) => id), items, unreadable: [] };
    },
  };
  return { probe, requests: () => asked };
}

const many = Array.from({ length: 2000 }, (_, at) => addDays('2020-01-01', at));

test.each([
  ['newest first', many, 2],
  ['oldest first', many, 14],
  ['any', many, 14],
  ['oldest first', ['2026-04-27', '2026-04-26'], 2],
  ['any', [today], 2],
] as const)('the newest day is found in a list that is %s: %#', async (order, days, most) => {
  const { probe, requests } = serviceOf(days, order);
  expect(await newestDay(probe, {}, today)).toBe([...days].sort().at(-1));
  expect(requests()).toBeLessThanOrEqual(most);
});

test('a service without settlements has none, and is asked once', async () => {
  const { probe, requests } = serviceOf(['2001-01-01'], 'any');
  expect([await newestDay(probe, {}, today), requests()]).toEqual([undefined, 1]);
});
