import { expect, test } from 'vitest';
import { Archive } from '../../src/nightly/archive.ts';
import { Comparison } from '../../src/nightly/comparison.ts';
import { type NightState, noState } from '../../src/nightly/state.ts';
import type { AgeingAndAccepted } from '../../src/reconcile/as-reported.ts';
import { uuid } from '../support/build.ts';

type UnbalancedSettlement = NightState['unbalancedByDay'][string]['settlements'][number];

const figures = { transactions: 3, gross: 10_00n, fees: 30n, tax: 6n, payIn: 9_64n };
const unbalanced: UnbalancedSettlement = {
  settlement: { id: uuid(1), date: '2026-03-05', accountingToken: 'token-a', currency: 'EUR' },
  ...{ verdict: 'out_of_balance', hasUnknownStatus: false, scale: 2 },
  reported: figures,
  computed: { ...figures, payIn: 9_60n },
  codes: ['identity'],
};

/** The status of one settlement of a day that is no longer in place: as it was known. */
async function statusOf(changes: Partial<UnbalancedSettlement>, when: AgeingAndAccepted = {}) {
  const day = '2026-03-05';
  const before = {
    ...noState,
    unbalancedByDay: { [day]: { version: 'v', settlements: [{ ...unbalanced, ...changes }] } },
  };
  const archive = await Archive.of('out', new Map());
  const names = new Map<string, string>();
  const range = { from: day, to: day };
  const { statuses } = await new Comparison({ ...when, archive, before, range, names }).statuses();
  const [one] = statuses;
  if (!one) throw new RangeError('no settlement is unbalanced');
  return one;
}

const marksOf = (all: readonly Partial<UnbalancedSettlement>[]) =>
  Promise.all(all.map(async (changes) => (await statusOf(changes)).status.mark));

test('a settlement has another digest if one figure differs by a minor unit, or a code does', async () => {
  const changes: readonly Partial<UnbalancedSettlement>[] = [
    { verdict: 'pending' },
    { settlement: { ...unbalanced.settlement, currency: 'USD' } },
    { codes: ['identity', 'gross'] },
    { scale: 3 },
    { computed: undefined },
    ...(['reported', 'computed'] as const).flatMap((side) => {
      const own = unbalanced[side] ?? figures;
      const amounts = (['gross', 'fees', 'tax', 'payIn'] as const).map((amount) => ({
        [side]: { ...own, [amount]: (own[amount] ?? 0n) + 1n },
      }));
      const without = { [side]: { ...own, payIn: undefined } };
      return [...amounts, without, { [side]: { ...own, transactions: own.transactions + 1 } }];
    }),
  ];
  const marks = await marksOf([{}, ...changes]);
  expect(new Set(marks).size).toBe(marks.length);
  for (const mark of marks) expect(mark).toMatch(/^[\da-f]{16}$/);
});

test('a settlement has the same digest on whichever day it lies', async () => {
  const settlement = { ...unbalanced.settlement, date: '2026-03-06', accountingToken: 'token-b' };
  const [one, same] = await marksOf([{}, { settlement, hasUnknownStatus: true }]);
  expect(same).toBe(one);
});

test('a settlement raises an alarm if it is out of balance, and may be overdue if it is pending', async () => {
  const ageing = { today: '2026-03-20', pendingDays: 14 };
  const [out, pending] = [await statusOf({}), await statusOf({ verdict: 'pending' }, { ageing })];
  expect(out).toMatchObject({
    status: { alarm: 'difference', isOverdue: false, day: '2026-03-05' },
    settlement: { difference: { minor: 4n, scale: 2, currency: 'EUR' } },
    details: [],
  });
  expect(pending.status).toMatchObject({ alarm: 'none', isOverdue: true });
  expect(pending.details).toMatchObject([{ about: 'overdue', account: 'token-a' }]);
  expect((await statusOf({}, { ageing })).status.isOverdue).toBe(false);
  const unread = await statusOf({ verdict: 'incomplete', computed: undefined });
  expect(unread).toMatchObject({
    status: { alarm: 'none' },
    settlement: { difference: undefined },
  });
  const later = { ageing: { ...ageing, pendingDays: 15 } };
  expect((await statusOf({ verdict: 'pending' }, later)).status.isOverdue).toBe(false);
});
