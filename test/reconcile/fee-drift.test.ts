import { describe, expect, it } from 'vitest';
import type { Row } from '../../src/model/row.ts';
import type { Settlement } from '../../src/model/settlement.ts';
import { FeeComparison } from '../../src/reconcile/fee-rates.ts';
import { reconcileRun } from '../../src/reconcile/reconcile-run.ts';
import { RowTotals } from '../../src/reconcile/row-totals.ts';
import type { Rules } from '../../src/reconcile/rules.ts';
import { buildRow, uuid } from '../support/build.ts';
import { columnsOf, defaultSettings, eur, judge } from './judge.ts';

/** A settlement of these rows, each an amount and its fees. */
type Rows = readonly (readonly [amount: bigint, fees: bigint, others?: Partial<Row>])[];

const asked = { range: { from: '2026-02-01', to: '2026-02-28' }, limit: 500n };

interface Given {
  readonly earlier: Rows;
  readonly now: Rows;
  readonly header?: Partial<Settlement>;
  readonly rules?: Rules;
}

/** What a run of a settlement has found, beside one of an earlier range. */
function drifts({ earlier, now, header = {}, rules = {} }: Given) {
  const settings = { ...defaultSettings, rules };
  const read = (given: Rows, changes: Partial<Settlement> = {}) => {
    const rows = given.map(([amount, fees, others], number) =>
      buildRow({ id: uuid(number + 1), amount, fees, tax: 0n, ...others }),
    );
    const settled = judge({ rows, header: changes, settings });
    const totals = new RowTotals(rules);
    totals.add(settled, columnsOf(rows));
    return { settled, rows: columnsOf(rows), rowTotals: totals.all() };
  };
  const before = read(earlier);
  const headers = { unreadable: [] };
  const shared = { finding: undefined };
  const settlements = [before.settled];
  const { rowTotals } = before;
  const run = reconcileRun({ settlements, headers, shared, settings, rowTotals });
  const comparison = new FeeComparison(run, asked, rules);
  const after = read(now, header);
  comparison.add(after.settled, after.rows);
  return comparison.compared(after.rowTotals).feeDrifts.map(({ facts }) => facts);
}

const usual: Rows = [[100_00n, 1_40n]];

describe('a fee drift', () => {
  it('has the amounts, and the fees at the earlier rate', () => {
    const [drift] = drifts({ earlier: usual, now: [[33_33n, 53n]] });
    // 1.4 % of 33.33 is 0.46662.
    expect(drift).toMatchObject({
      earlier: { transactions: 1, gross: eur(100_00n), fees: eur(1_40n), feesPercent: '1.4000' },
      now: { transactions: 1, gross: eur(33_33n), fees: eur(53n), feesPercent: '1.5902' },
      change: '0.1902',
      limit: '0.0500',
      atEarlierRate: eur(47n),
      difference: eur(6n),
    });
  });

  it('shows the transactions furthest off in its direction, then the smallest ids', () => {
    const cheap = [10_00n, 0n] as const;
    const dear = [10_00n, 24n] as const;
    const dearest = [100_00n, 2_40n] as const;
    const many = Array.from({ length: 11 }, () => dear);
    const [rise] = drifts({ earlier: usual, now: [cheap, ...many, dearest] });
    expect(rise?.examples.map(({ transactionId }) => transactionId)).toEqual([
      uuid(13),
      ...Array.from({ length: 9 }, (_, number) => uuid(number + 2)),
    ]);
    const [fall] = drifts({ earlier: usual, now: [dear, cheap, cheap, cheap] });
    expect(fall?.change).toBe('-0.8000');
    expect(fall?.examples).toEqual(
      [2, 3, 4].map((number) => ({
        transactionId: uuid(number),
        settlementId: uuid(1),
        amount: eur(10_00n),
        fees: eur(0n),
      })),
    );
  });

  it('compares rows of different decimal places', () => {
    const mills: readonly [bigint, bigint, Partial<Row>] = [100_000n, 1_700n, { scale: 3 }];
    const [drift] = drifts({ earlier: usual, now: [[100_00n, 1_60n], mills] });
    expect(drift?.examples.map(({ transactionId }) => transactionId)).toEqual([uuid(2), uuid(1)]);
    expect(drift?.atEarlierRate).toEqual(eur(2_800n, 3));
  });

  it('shows refunds that return less of the fees than was charged', () => {
    const refund = [-10_00n, 0n] as const;
    const [drift] = drifts({ earlier: usual, now: [[50_00n, 70n], refund] });
    expect(drift).toMatchObject({ change: '0.3500', difference: eur(14n) });
    expect(drift?.examples).toMatchObject([{ transactionId: uuid(2), fees: eur(0n) }]);
    expect(drifts({ earlier: usual, now: [refund] })).toEqual([]);
  });

  it('is computed from amounts by the rules', () => {
    const rules: Rules = {
      signs: [{ amount: 'fees' }],
      not_counted: [{ state: 'declined', count: 'follows' }],
    };
    const now: Rows = [
      [100_00n, -1_60n],
      [100_00n, -9_00n, { state: 'declined' }],
    ];
    const [drift] = drifts({ earlier: [[100_00n, -1_40n]], now, rules });
    expect(drift).toMatchObject({ change: '0.2000', difference: eur(20n) });
    expect(drift?.examples).toMatchObject([{ transactionId: uuid(1), fees: eur(1_60n) }]);
  });

  it('leaves out pending settlements, other currencies and other payment types', () => {
    const now: Rows = [[100_00n, 9_00n]];
    expect(drifts({ earlier: usual, now, header: { status: 'validated' } })).toEqual([]);
    const dollars: Rows = [[100_00n, 9_00n, { currency: 'USD' }]];
    expect(drifts({ earlier: usual, now: [...usual, ...dollars] })).toEqual([]);
    const wallet: Rows = [[100_00n, 9_00n, { paymentType: 'wallet' }]];
    expect(drifts({ earlier: usual, now: [...usual, ...wallet] })).toEqual([]);
  });
});
