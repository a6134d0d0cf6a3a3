import { describe, expect, test } from 'vitest';
import { entry } from '../../src/reconcile/entry.ts';
import { reconcileRun } from '../../src/reconcile/reconcile-run.ts';
import type { ReconcileSettings } from '../../src/reconcile/subject.ts';
import { buildRow, uuid } from '../support/build.ts';
import { type Case, defaultSettings, judge } from './judge.ts';

const nothing = { unreadable: [] };
const shared = entry('shared_transaction', 1, { examples: [] });

function run(
  cases: readonly Case[],
  given: Partial<Parameters<typeof reconcileRun>[0]> = {},
  settings: Partial<ReconcileSettings> = {},
) {
  return reconcileRun({
    settlements: cases.map((one) => judge(one)),
    headers: nothing,
    shared: { finding: undefined },
    settings: { ...defaultSettings, ...settings },
    ...given,
  });
}

const notRead: Case = { outcome: { notRead: 'offline' } };
const pending: Case = { header: { status: 'pending_settlement' } };

test('a run without settlements is balanced and complete', () => {
  expect(run([])).toEqual({
    verdict: 'balanced',
    groups: [],
    totals: [],
    settlements: [],
    counts: { balanced: 0, out_of_balance: 0, pending: 0, incomplete: 0 },
    findings: [],
    ignored: [],
    proposedRules: [],
    rowTotals: [],
    complete: true,
    transactions: 0,
    betterIdentities: [],
  });
});

test.each<[ReconcileSettings['identity'], bigint | undefined]>([
  ['gross-fees-tax', 964n],
  ['off', undefined],
])('with the identity %s, groups have the computed pay-in %s', (identity, computed) => {
  const settings = { identity };
  expect(run([{ settings }], {}, settings).groups).toMatchObject([{ payIn: { computed } }]);
});

test('settlements are in the order of date, then id', () => {
  const cases = [
    { date: '2026-03-06', id: uuid(1) },
    { date: '2026-03-05', id: uuid(3) },
    { date: '2026-03-05', id: uuid(2) },
  ].map((header) => ({ header }));
  const ids = run(cases).settlements.map(({ settlement }) => settlement.id);
  expect(ids).toEqual([uuid(2), uuid(3), uuid(1)]);
});

test('transactions are counted in the settlements that were read whole', () => {
  const two = { rows: [buildRow(), buildRow({ id: uuid(2) })] };
  expect(run([two, notRead, pending, { ...pending, ...notRead }]).transactions).toBe(3);
});

test('an incomplete settlement makes the run incomplete, and a pending one does not', () => {
  expect(run([{}, notRead])).toMatchObject({ verdict: 'incomplete', complete: false });
  const waiting = { ...pending, ...notRead };
  expect(run([{}, waiting])).toMatchObject({ verdict: 'pending', complete: true });
});

describe('a transaction in two settlements', () => {
  test('puts the run out of balance and leaves the settlements as they are', () => {
    const result = run([{}, {}], { shared: { finding: shared } });
    expect(result).toMatchObject({ verdict: 'out_of_balance', complete: true, findings: [shared] });
    expect(result.settlements.map(({ verdict }) => verdict)).toEqual(['balanced', 'balanced']);
  });

  test('can be ignored', () => {
    const result = run(
      [{}, {}],
      { shared: { finding: shared } },
      { ignored: ['shared_transaction'] },
    );
    const finding = { code: 'shared_transaction', weight: 'ignored' };
    expect(result).toMatchObject({ verdict: 'balanced', findings: [finding] });
  });

  test('has a lower rank than an incomplete settlement', () => {
    expect(run([notRead], { shared: { finding: shared } }).verdict).toBe('incomplete');
  });
});

describe('the list of headers', () => {
  const unreadable = [
    { record: 'record 2', field: 'fees', found: '1.5', expected: 'minor_units' as const },
    { record: 'record 1', field: 'tax', found: 'null', expected: 'minor_units' as const },
  ];

  test('makes the run incomplete if it is unsteady', () => {
    const result = run([{}], { headers: { ...nothing, unsteady: 'walks_disagree' } });
    expect(result).toMatchObject({ verdict: 'incomplete', complete: false });
    expect(result.findings).toEqual([
      {
        code: 'unsteady_headers',
        weight: 'incomplete',
        count: 1,
        facts: { reason: 'walks_disagree' },
      },
    ]);
  });

  test('makes the run incomplete if a header is unreadable', () => {
    const result = run([{}], { headers: { unreadable } });
    expect(result).toMatchObject({ verdict: 'incomplete', complete: false });
    expect(result.settlements).toHaveLength(1);
    expect(result.findings).toEqual([
      {
        code: 'unreadable_header',
        weight: 'incomplete',
        count: 2,
        facts: { examples: unreadable.toReversed() },
      },
    ]);
  });

  test('makes the run incomplete if days are missing, and names the first ones', () => {
    const missingDays = Array.from({ length: 22 }, (_, at) => `2026-03-${10 + at}`);
    missingDays.splice(3, 1);
    const result = run([{}], { headers: { unreadable: [], missingDays } });
    expect(result.verdict).toBe('incomplete');
    expect(result.findings).toEqual([
      {
        code: 'missing_day',
        weight: 'incomplete',
        count: 21,
        facts: {
          examples: [
            { from: '2026-03-10', to: '2026-03-12' },
            { from: '2026-03-14', to: '2026-03-31' },
          ],
        },
      },
    ]);
  });

  test('cannot be ignored', () => {
    const ignored = ['unreadable_header', 'unsteady_headers'] as const;
    expect(run([{}], { headers: { unreadable } }, { ignored }).verdict).toBe('incomplete');
  });
});

test('a better identity is suggested unless the identity is off', () => {
  const net = { header: { payIn: 970n } };
  expect(run([net, net]).betterIdentities).toEqual([{ identity: 'gross-fees', settlements: 2 }]);
  expect(run([net, net], {}, { identity: 'off' }).betterIdentities).toEqual([]);
});
