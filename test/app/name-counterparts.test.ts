import { describe, expect, test } from 'vitest';
import { heldBack, nameCounterparts } from '../../src/app/neighbour-reader.ts';
import { reconcileRange } from '../../src/app/reconcile-range.ts';
import { defaultSettings as settings } from '../reconcile/judge.ts';
import type { Stated } from '../support/build.ts';
import { buildSettlement, uuid } from '../support/build.ts';
import { FakeSource } from './fake-source.ts';

const query = { range: { from: '2026-03-01', to: '2026-03-31' }, filters: {} };

type Off = readonly [day: number, by: bigint, more?: Partial<Stated>];

/** Stated 1, 2, ... of one row each, on these days, whose gross is off by so much. */
function off(...all: readonly Off[]) {
  return all.map(([day, by, more = {}], index) => {
    const balanced = buildSettlement();
    return buildSettlement({
      id: uuid(index + 1),
      date: `2026-03-${String(day).padStart(2, '0')}`,
      gross: balanced.gross + by,
      payIn: balanced.payIn + by,
      ...more,
    });
  });
}

/** By settlement, in the order in which they come: the ids of those that make up for it. */
async function counterparts(settlements: readonly Stated[]) {
  const source = new FakeSource(settlements);
  const run = reconcileRange({ source, query, settings, explains: true, ahead: 2 });
  const told = nameCounterparts(run, settings);
  const found: (readonly [string, readonly string[]])[] = [];
  let step = await told.next();
  for (; !step.done; step = await told.next()) {
    const { reconciled, explained } = step.value;
    const named = (explained?.hypotheses ?? []).flatMap((one) =>
      one.outcome === 'explains'
        ? one.causes.flatMap(({ cause: { code, facts } }) =>
            code === 'neighbour' ? [facts.settlementId] : [],
          )
        : [],
    );
    found.push([reconciled.settlement.id, named]);
  }
  expect(step.value.settlements).toHaveLength(settlements.length);
  return found;
}

describe('settlements of a run that are off by opposite amounts', () => {
  test('are named as each other’s counterparts, in the order of the run', async () => {
    expect(await counterparts(off([2, 5_00n], [4, 0n], [9, -5_00n], [10, 0n]))).toEqual([
      [uuid(1), [uuid(3)]],
      [uuid(2), []],
      [uuid(3), [uuid(1)]],
      [uuid(4), []],
    ]);
  });

  test.each<readonly [string, readonly Off[]]>([
    [
      'of another accounting token',
      [
        [2, 5_00n],
        [9, -5_00n, { accountingToken: 'other' }],
      ],
    ],
    [
      'off by as much with the same sign',
      [
        [2, 5_00n],
        [9, 5_00n],
      ],
    ],
    [
      'off by another amount',
      [
        [2, 5_00n],
        [9, -5_01n],
      ],
    ],
    [
      'more than 14 days away',
      [
        [2, 5_00n],
        [17, -5_00n],
      ],
    ],
  ])('are not taken for counterparts: %s', async (_, all) => {
    for (const [, named] of await counterparts(off(...all))) expect(named).toEqual([]);
  });

  test('are partners one to one: the nearest', async () => {
    const found = await counterparts(off([2, 5_00n], [9, -5_00n], [10, -5_00n]));
    expect(found.map(([, others]) => others)).toEqual([[uuid(2)], [uuid(1)], []]);
  });
});

describe('a settlement that waits', () => {
  /** The days that were read when each of the settlements came. */
  async function comes(days: readonly number[], waiting: readonly number[]) {
    let read = 0;
    async function* run() {
      for (const day of days) {
        read = day;
        const date = `2026-03-${String(day).padStart(2, '0')}`;
        yield { day, reconciled: { settlement: buildSettlement({ date }) } };
      }
      read = Infinity;
    }
    const came: (readonly [day: number, read: number])[] = [];
    const take = ({ day }: { day: number }) => ({ kept: day, waits: waiting.includes(day) });
    for await (const day of heldBack(run(), 14, take)) came.push([day, read]);
    return came;
  }

  test('holds back the settlements after it, until 14 days have passed', async () => {
    expect(await comes([1, 2, 3, 16, 17, 18], [2])).toEqual([
      [1, 1],
      [2, 17],
      [3, 17],
      [16, 17],
      [17, 17],
      [18, 18],
    ]);
  });

  test('is yielded at the end of the run if that is sooner', async () => {
    expect(await comes([1, 2, 3], [2])).toEqual([
      [1, 1],
      [2, Infinity],
      [3, Infinity],
    ]);
  });
});
