import type { SettlementExplanation } from '../../src/app/explain-settlement.ts';
import type { Neighbour } from '../../src/explain/case.ts';
import { explainDifference } from '../../src/explain/explain.ts';
import { thorough } from '../../src/explain/limits.ts';
import type { Row } from '../../src/model/row.ts';
import type { RowsOutcome } from '../../src/model/source.ts';
import { reconcileSettlement } from '../../src/reconcile/reconcile-settlement.ts';
import type { ReconcileSettings } from '../../src/reconcile/subject.ts';
import { runVerdict } from '../../src/reconcile/verdict.ts';
import type { ExplainReport } from '../../src/report/explain/words.ts';
import { columnsOf } from '../reconcile/judge.ts';
import type { Stated } from '../support/build.ts';
import { buildOutcome, buildRow, buildSettlement, uuid } from '../support/build.ts';

const defaults: ReconcileSettings = {
  identity: 'gross-fees-tax',
  tolerance: 0n,
  ignored: [],
  expectedScales: new Map(),
  rules: {},
};

export interface Given {
  readonly header?: Partial<Stated>;
  readonly rows?: readonly Row[];
  readonly outcome?: Partial<RowsOutcome>;
  readonly neighbours?: readonly Neighbour[];
  readonly settings?: Partial<ReconcileSettings>;
}

/** A settlement, reconciled and explained by the engine itself. */
export function explained(given: Given = {}): SettlementExplanation {
  const { header, rows = sixRows, neighbours } = given;
  const settings = { ...defaults, ...given.settings };
  const outcome = buildOutcome(given.outcome);
  const columns = columnsOf(rows);
  const settlement = buildSettlement({ ...sums(rows), ...header });
  const reconciled = reconcileSettlement({ settlement, rows: columns, outcome, settings });
  const options = { ...settings, effort: thorough };
  return {
    reconciled,
    findings: [],
    explained: explainDifference(reconciled, columns, { outcome, neighbours }, options),
    around: { days: 3, neighbours: neighbours?.length, rowsRead: 0, missingDays: [] },
    charges: undefined,
  };
}

export function explainReport(
  settlements: readonly SettlementExplanation[],
  changes: Partial<ExplainReport> = {},
): ExplainReport {
  return {
    settlements,
    failures: [],
    verdict: runVerdict(
      settlements.map(({ reconciled }) => reconciled.verdict),
      [],
    ),
    settings: { ...defaults, profile: 'es', filters: {} },
    names: new Map([['token-a', 'Lisbon shop']]),
    ...changes,
  };
}

/** A row: its number, and its amounts. */
export function row(number: number, amount: bigint, fees: bigint, tax: bigint, more = {}): Row {
  return buildRow({ id: uuid(1000 + number), amount, fees, tax, ...more });
}

export const sixRows: readonly Row[] = [
  row(1, 10_00n, 30n, 6n),
  row(2, 84_50n, 1_43n, 28n),
  row(3, 19_99n, 45n, 9n),
  row(4, 7_35n, 25n, 5n),
  row(5, -10_00n, -12n, -2n, { type: 'refund' }),
  row(6, 45_10n, 81n, 16n, { state: 'settled' }),
];

/** What a header says that has these rows and no others. */
export function sums(rows: readonly Row[]) {
  const total = (pick: (one: Row) => bigint) => rows.reduce((sum, one) => sum + pick(one), 0n);
  const [gross, fees, tax] = [
    total(({ amount }) => amount),
    total((one) => one.fees),
    total((one) => one.tax),
  ];
  return { gross, fees, tax, payIn: gross - fees - tax, transactions: rows.length };
}

/** The header leaves out the second of six rows. */
export function oneLeftOut(): SettlementExplanation {
  return explained({ header: sums(sixRows.filter((_, index) => index !== 1)) });
}
