import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ReportSettings, SettlementsReport } from '../../src/app/settlements-report.ts';
import { explainDifference } from '../../src/explain/explain.ts';
import { quick } from '../../src/explain/limits.ts';
import type { Row } from '../../src/model/row.ts';
import { type Code, type Entry, ignorableChecks } from '../../src/reconcile/entry.ts';
import { reconcileRun } from '../../src/reconcile/reconcile-run.ts';
import { reconcileSettlement } from '../../src/reconcile/reconcile-settlement.ts';
import { SharedTransactions } from '../../src/reconcile/shared-transactions.ts';
import type { ReconcileSettings } from '../../src/reconcile/subject.ts';
import { records } from '../../src/report/common/columns.ts';
import { explainViews } from '../../src/report/explain/view.ts';
import {
  findingColumns,
  findingsOf,
  settlementLine,
} from '../../src/report/settlements/records.ts';
import { settlementsNotes } from '../../src/report/settlements/summary.ts';
import { settlementsViews } from '../../src/report/settlements/view.ts';
import { columnsOf } from '../reconcile/judge.ts';
import { buildOutcome, buildRow, buildSettlement, uuid } from '../support/build.ts';

/** By how much a header is off; mostly not at all. */
const slip = fc.oneof({ weight: 2, arbitrary: fc.constant(0n) }, fc.bigInt({ min: -9n, max: 9n }));

const anyRow = fc.record({
  number: fc.integer({ min: 1, max: 12 }),
  amount: fc.bigInt({ min: -500n, max: 500n }),
  fees: fc.bigInt({ min: 0n, max: 20n }),
  tax: fc.bigInt({ min: 0n, max: 5n }),
  currency: fc.constantFrom('EUR', 'EUR', 'EUR', 'JPY'),
  scale: fc.constantFrom(2, 2, 3),
  elsewhere: fc.boolean(),
  copied: fc.boolean(),
});

const anySettlement = fc.record({
  rows: fc.uniqueArray(anyRow, { maxLength: 4, selector: ({ number }) => number }),
  status: fc.constantFrom('settled', 'settled', 'settled_out_of_balance', 'pending_settlement', ''),
  currency: fc.constantFrom('EUR', 'EUR', 'JPY'),
  accountingToken: fc.constantFrom('token-a', 'token-b'),
  off: fc.record({ gross: slip, fees: slip, tax: slip, payIn: slip, transactions: slip }),
  end: fc.constantFrom('whole', 'whole', 'whole', 'conflict', 'not read', 'two headers'),
});

const anySettings = fc.record({
  identity: fc.constantFrom('gross-fees-tax', 'gross', 'off'),
  tolerance: fc.constantFrom(0n, 0n, 3n),
  expectedScales: fc.constant(new Map<string, number>()),
  rules: fc.constant({}),
});

type Given = typeof anySettlement extends fc.Arbitrary<infer Value> ? Value : never;

/** The report of a run over such settlements, and that of explaining each of them. */
function reportsOf(given: readonly Given[], asked: Omit<ReconcileSettings, 'ignored'>) {
  return (ignored: readonly Code[]) => {
    const settings = { ...asked, ignored, profile: undefined, filters: {} };
    const names = new Map<string, string>();
    const shared = new SharedTransactions();
    const judged = given.map((one, at) => {
      const rows = one.rows.map((row): Row => {
        const { number, elsewhere, copied, ...rest } = row;
        return buildRow({ ...rest, id: uuid(number), settlementId: uuid(elsewhere ? 99 : at + 1) });
      });
      const sum = (of: (row: Row) => bigint) =>
        rows
          .filter(({ currency, scale }) => currency === one.currency && scale === 2)
          .reduce((total, row) => total + of(row), 0n);
      const [gross, fees, tax] = [
        sum(({ amount }) => amount) + one.off.gross,
        sum((row) => row.fees) + one.off.fees,
        sum((row) => row.tax) + one.off.tax,
      ];
      const { accountingToken, status, currency } = one;
      const settlement = buildSettlement({
        ...{ id: uuid(at + 1), accountingToken, status, currency, gross, fees, tax },
        payIn: gross - fees - tax + one.off.payIn,
        transactions: rows.length + Number(one.off.transactions),
      });
      const [first] = rows;
      const outcome = buildOutcome({
        repeated: rows.flatMap((row, n) => (one.rows[n]?.copied ? [{ row, copies: 1 }] : [])),
        conflicts:
          one.end === 'conflict' && first ? [[first, { ...first, amount: first.amount + 1n }]] : [],
      });
      const columns = columnsOf(rows);
      shared.add(settlement.id, columns);
      const reconciled = reconcileSettlement({
        settlement,
        rows: columns,
        outcome:
          one.end === 'not read'
            ? { notRead: { code: 'other', facts: { message: 'No answer.' } } }
            : outcome,
        headerConflicts: one.end === 'two headers' ? [settlement, { ...settlement, tax: 1n }] : [],
        settings,
      });
      const options = { ...settings, effort: quick };
      const explained = explainDifference(reconciled, columns, { outcome }, options);
      return {
        reconciled,
        findings: [],
        explained,
        around: { days: 0, neighbours: undefined, rowsRead: 0, missingDays: [] },
        charges: undefined,
      };
    });
    const settlements = judged.map(({ reconciled }) => reconciled);
    const run = reconcileRun({ settlements, headers: { unreadable: [] }, shared, settings });
    const report: SettlementsReport = { run, settings, names };
    const explaining = { settlements: judged, failures: [], verdict: run.verdict, settings, names };
    return { report, explaining };
  };
}

/** What follows from verdicts, and may differ. */
const ofVerdicts =
  /^(verdict|verdict_reason|verdictReason|weight|sums_say|sumsSay|discrepancies|notices|(settlements_|)(balanced|out_of_balance)(_net|_absolute|)|outOfBalance|Balanced|Out of balance|ignored|notes|settings|Ignored checks)$/;

/** All that a record or document says, but for that. */
function figuresIn(value: unknown): unknown {
  if (typeof value === 'bigint') return String(value);
  if (Array.isArray(value)) return value.map(figuresIn);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !ofVerdicts.test(key))
      .map(([key, one]) => [key, figuresIn(one)]),
  );
}

function cellsOf(given: ReturnType<typeof records>) {
  const lines = [...given.rows].map((cells) =>
    Object.fromEntries(given.columns.map(({ key }, at) => [key, cells[at]])),
  );
  return figuresIn(lines);
}

/**
 * All figures of all outputs; without the groups where a status is unknown. Such a settlement is in
 * their sums only while a check puts it out of balance: else it is pending.
 */
function everyFigure({ report, explaining }: ReturnType<ReturnType<typeof reportsOf>>) {
  const isUnknown = report.run.settlements.some(({ serviceSays }) => serviceSays === 'unknown');
  const ofGroups = ({ type }: { readonly type?: string }) => type === 'group';
  const [bySettlement, byGroup] = [undefined, ['account' as const]].map((splitBy) =>
    settlementsViews({ ...report, splitBy }),
  );
  const groups = byGroup
    ?.view()
    .flatMap((block) =>
      block.kind === 'section'
        ? block.rows.map(({ cells }) =>
            Object.fromEntries(block.columns.map(({ title }, at) => [title, cells[at]])),
          )
        : [],
    );
  const found = findingsOf(report.run).map(({ settlement, entry }) => ({ settlement, entry }));
  const findings = [...records(findingColumns(report.names), found).rows].map((cells) =>
    cells.filter((_, at) => findingColumns(report.names)[at]?.key !== 'weight').join(),
  );
  return {
    csv: bySettlement && cellsOf(bySettlement.records()),
    groupCsv: !isUnknown && byGroup && cellsOf(byGroup.records()),
    screen: !isUnknown && figuresIn(groups),
    json: figuresIn({ ...bySettlement?.document(), ...(isUnknown && { groups: [] }) }),
    ndjson: figuresIn([
      ...report.run.settlements.map((one) => settlementLine(one, report)),
      ...[...(bySettlement?.lines() ?? [])].filter((line) => !isUnknown || !ofGroups(line)),
    ]),
    findings: findings.sort(),
    explained: figuresIn(explainViews(explaining).document()),
    hypotheses: cellsOf(explainViews(explaining).records()),
  };
}

function weightsOf({ run }: SettlementsReport): readonly Entry[] {
  return [
    ...run.settlements.flatMap(({ discrepancies, notices }) => [...discrepancies, ...notices]),
    ...run.findings,
  ];
}

describe('ignored checks', { timeout: 60_000 }, () => {
  test('change verdicts and weights, and no figure in any output', () => {
    fc.assert(
      fc.property(
        fc.array(anySettlement, { maxLength: 3 }),
        anySettings,
        fc.subarray([...ignorableChecks], { minLength: 1 }),
        (given, asked, ignored) => {
          const reports = reportsOf(given, asked);
          const [all, some] = [reports([]), reports(ignored)];
          expect(everyFigure(some)).toEqual(everyFigure(all));
          for (const { code, weight } of weightsOf(some.report)) {
            expect(weight === 'ignored').toBe(ignored.includes(code));
          }
        },
      ),
      { numRuns: 40 },
    );
  });

  const row = buildRow();
  const settlement = (number: number, header: object) => ({
    settlement: buildSettlement({ id: uuid(number), ...header }),
    rows: columnsOf([{ ...row, settlementId: uuid(number) }]),
    outcome: buildOutcome(),
  });

  test('are listed with what they hide, by code and currency', () => {
    const settings: ReportSettings = {
      identity: 'off',
      tolerance: 0n,
      ignored: ['gross', 'fees', 'count', 'shared_transaction'],
      expectedScales: new Map(),
      rules: {},
      profile: undefined,
      filters: {},
    };
    const settlements = [
      settlement(1, { gross: 11_00n, transactions: 2 }),
      settlement(2, { gross: 9_50n }),
      settlement(3, { currency: 'JPY', scale: 0, gross: 5n, fees: 0n, tax: 0n }),
    ].map((one) => reconcileSettlement({ ...one, settings }));
    const run = reconcileRun({
      settlements,
      headers: { unreadable: [] },
      shared: { finding: undefined },
      settings,
    });
    expect(settlementsNotes({ run, settings, names: new Map() })).toContain(
      'Ignored checks: gross (+0.50 EUR net, 1.50 EUR absolute in 2 settlements; +5 JPY net, ' +
        '5 JPY absolute in 1 settlement), fees (nothing found), count (1 EUR settlement), ' +
        'shared_transaction (nothing found).',
    );
  });
});
