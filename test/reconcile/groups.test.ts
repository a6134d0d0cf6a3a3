import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rescale } from '../../src/money/money.ts';
import { type Group, type Totals, totalsBy } from '../../src/reconcile/groups.ts';
import type { ReconciledSettlement } from '../../src/reconcile/reconcile-settlement.ts';
import { buildRow } from '../support/build.ts';
import { type Case, judge } from './judge.ts';

function groupsOf(all: readonly ReconciledSettlement[], withPayIn: boolean) {
  return totalsBy(all, ({ accountingToken }) => ({ accountingToken }), withPayIn);
}

function totalsOf(all: readonly ReconciledSettlement[], withPayIn: boolean) {
  return totalsBy(all, () => ({}), withPayIn);
}

function groups(cases: readonly Case[]) {
  return groupsOf(
    cases.map((one) => judge(one)),
    true,
  );
}

function onlyGroup(cases: readonly Case[]): Group {
  const [only, ...others] = groups(cases);
  if (only === undefined || others.length > 0) throw new Error('not one group');
  return only;
}

/** Out of balance by `difference` in gross, and so in pay-in. */
const off = (difference: bigint, header: Case['header'] = {}): Case => ({
  header,
  rows: [buildRow({ amount: 1000n - difference })],
});

test('a run without settlements has no groups', () => {
  expect(groups([])).toEqual([]);
});

test('each accounting token and currency has one group, in order', () => {
  const yen = { header: { currency: 'JPY' }, rows: [buildRow({ currency: 'JPY' })] };
  const other = { header: { accountingToken: 'token-0' } };
  const found = groups([yen, {}, other, {}]);
  expect(found.map(({ accountingToken, currency }) => [accountingToken, currency])).toEqual([
    ['token-0', 'EUR'],
    ['token-a', 'EUR'],
    ['token-a', 'JPY'],
  ]);
  expect(found.map(({ gross }) => gross.reported)).toEqual([1000n, 2000n, 1000n]);
});

test('differences that cancel stay in the absolute sums', () => {
  const group = onlyGroup([off(500n), off(-500n), {}]);
  expect(group.settlements).toEqual({
    balanced: 1,
    out_of_balance: 2,
    pending: 0,
    incomplete: 0,
  });
  expect(group.gross).toEqual({
    reported: 3000n,
    computed: 3000n,
    difference: { net: 0n, absolute: 1000n },
  });
  expect(group.outOfBalance).toEqual({ net: 0n, absolute: 1000n });
  expect(group.outOfBalanceGross).toEqual({ net: 0n, absolute: 1000n });
});

test('differences within the tolerance are in the sums, not in the out-of-balance total', () => {
  const group = onlyGroup([{ ...off(2n), settings: { tolerance: 2n } }, off(7n)]);
  expect(group.payIn.difference).toEqual({ net: 9n, absolute: 9n });
  expect(group.outOfBalance).toEqual({ net: 7n, absolute: 7n });
});

test('pending settlements have their own pay-in, and incomplete ones are only counted', () => {
  const pending = { status: 'pending_settlement' };
  const group = onlyGroup([
    off(3n, pending),
    { header: { ...pending, payIn: 1n }, outcome: { notRead: 'offline' } },
    { outcome: { notRead: 'offline' } },
  ]);
  expect(group.settlements).toEqual({
    balanced: 0,
    out_of_balance: 0,
    pending: 2,
    incomplete: 1,
  });
  expect(group.pendingPayIn).toBe(965n);
  expect(group.gross).toEqual({
    reported: 0n,
    computed: 0n,
    difference: { net: 0n, absolute: 0n },
  });
  expect(group.outOfBalance).toEqual({ net: 0n, absolute: 0n });
});

test('a group has the largest scale of its settlements', () => {
  const fine = {
    header: { scale: 3, gross: 1001n, fees: 0n, tax: 0n, payIn: 1001n },
    rows: [buildRow({ scale: 3, amount: 1000n, fees: 0n, tax: 0n })],
  };
  const group = onlyGroup([{}, fine, { header: { status: 'validated' } }]);
  expect(group).toMatchObject({ scale: 3, pendingPayIn: 9640n });
  expect(group.gross).toEqual({
    reported: 11_001n,
    computed: 11_000n,
    difference: { net: 1n, absolute: 1n },
  });
});

test('a group has gross differences instead of the pay-in if the identity is off', () => {
  const settlements = [judge({ ...off(5n), settings: { identity: 'off' } })];
  expect(groupsOf(settlements, false)).toMatchObject([
    {
      payIn: { reported: 964n, computed: undefined, difference: undefined },
      outOfBalance: undefined,
      outOfBalanceGross: { net: 5n, absolute: 5n },
    },
  ]);
});

test('a group adds settlements of different scales if the identity is off', () => {
  const settings = { identity: 'off' } as const;
  const yen = { header: { scale: 0, gross: 10n, fees: 0n, tax: 0n, payIn: 10n }, settings };
  const [group] = groupsOf([judge({ ...off(5n), settings }), judge({ ...yen, rows: [] })], false);
  expect(group).toMatchObject({ scale: 2, payIn: { reported: 1964n, computed: undefined } });
});

describe('laws', () => {
  const settlement = fc
    .record({
      accountingToken: fc.constantFrom('a', 'b'),
      currency: fc.constantFrom('EUR', 'JPY'),
      status: fc.constantFrom('settled', 'settled_out_of_balance', 'validated'),
      scale: fc.constantFrom(0, 2, 18),
      gross: fc.bigInt({ min: -2000n, max: 2000n }),
      payIn: fc.bigInt({ min: -2000n, max: 2000n }),
      unread: fc.constantFrom(false, false, true),
    })
    .map(({ unread, ...header }) =>
      judge({
        header,
        rows: [buildRow({ currency: header.currency, scale: 2 })],
        outcome: unread ? { notRead: 'offline' } : {},
      }),
    );
  const settlements = fc.array(settlement, { maxLength: 20 });

  const belongs = (group: Group) => (one: ReconciledSettlement) =>
    one.settlement.accountingToken === group.accountingToken &&
    one.settlement.currency === group.currency;

  test('each settlement is in one group, and counts once', () => {
    fc.assert(
      fc.property(settlements, (all) => {
        const counts = groupsOf(all, true).flatMap((group) => Object.values(group.settlements));
        expect(counts.reduce((sum, count) => sum + count, 0)).toBe(all.length);
      }),
    );
  });

  test('a group has the difference of its settlements, which is reported less computed', () => {
    fc.assert(
      fc.property(settlements, fc.constantFrom('gross', 'fees', 'tax', 'payIn'), (all, measure) => {
        for (const group of groupsOf(all, true)) {
          const { reported = 0n, computed = 0n, difference } = group[measure];
          const differences = all
            .filter(belongs(group))
            .filter(({ verdict }) => verdict === 'balanced' || verdict === 'out_of_balance')
            .map((one) => rescale(one.difference?.[measure] ?? 0n, one.scale, group.scale));
          const net = differences.reduce((sum, one) => sum + one, 0n);
          expect(difference?.net).toBe(net);
          expect(reported - computed).toBe(net);
          expect(difference?.absolute).toBe(
            differences.reduce((sum, one) => sum + (one < 0n ? -one : one), 0n),
          );
        }
      }),
    );
  });

  test('the totals of a currency are the sums of its groups', () => {
    const picks: readonly ((one: Totals) => bigint | undefined)[] = [
      ...(['gross', 'fees', 'tax', 'payIn'] as const).flatMap((measure) => [
        (one: Totals) => one[measure].reported,
        (one: Totals) => one[measure].computed,
        (one: Totals) => one[measure].difference?.net,
        (one: Totals) => one[measure].difference?.absolute,
      ]),
      (one) => one.outOfBalance?.net,
      (one) => one.outOfBalance?.absolute,
      (one) => one.outOfBalanceGross.net,
      (one) => one.pendingPayIn,
    ];
    const verdicts = ['balanced', 'out_of_balance', 'pending', 'incomplete'] as const;
    fc.assert(
      fc.property(settlements, (all) => {
        const groups = groupsOf(all, true);
        const totals = totalsOf(all, true);
        expect(totals.map(({ currency }) => currency)).toEqual(
          [...new Set(groups.map(({ currency }) => currency))].sort(),
        );
        for (const total of totals) {
          const own = groups.filter(({ currency }) => currency === total.currency);
          for (const pick of picks) {
            const parts = own.map((one) => rescale(pick(one) ?? 0n, one.scale, total.scale));
            expect(pick(total)).toBe(parts.reduce((sum, part) => sum + part, 0n));
          }
          for (const verdict of verdicts) {
            const counts = own.map(({ settlements }) => settlements[verdict]);
            expect(total.settlements[verdict]).toBe(counts.reduce((sum, count) => sum + count));
          }
        }
      }),
    );
  });

  test('groups do not depend on the order of settlements', () => {
    fc.assert(
      fc.property(settlements, (all) => {
        expect(groupsOf(all.toReversed(), true)).toEqual(groupsOf(all, true));
      }),
    );
  });
});

test('a group lists the different decimal places of its settlements', () => {
  const whole = { header: { scale: 0 }, rows: [buildRow({ scale: 0 })] };
  const pending = { header: { scale: 3, status: 'pending_settlement' } };
  expect(onlyGroup([{}, {}]).mixedScales).toEqual([]);
  expect(onlyGroup([{}, whole, pending, {}])).toMatchObject({ scale: 3, mixedScales: [0, 2, 3] });
});
