import { drained } from '../base/ordered.ts';
import { explainDifference } from '../explain/explain.ts';
import type { Explained } from '../explain/explained.ts';
import { quick } from '../explain/limits.ts';
import { Proposals } from '../explain/proposals.ts';
import type { DateRange, HeaderList, SettlementQuery, Source } from '../model/source.ts';
import { FeeComparison } from '../reconcile/fee-drift.ts';
import type { RateComparison } from '../reconcile/fee-rates.ts';
import { reconcileRun } from '../reconcile/reconcile-run.ts';
import { reconcileSettlement } from '../reconcile/reconcile-settlement.ts';
import type {
  ReconciledRun,
  ReconciledSettlement,
  ReconcileSettings,
} from '../reconcile/reconciled.ts';
import { RowTotals } from '../reconcile/row-totals.ts';
import { SharedTransactions } from '../reconcile/shared-transactions.ts';
import { asReported, type WhenReported } from '../reconcile/when-reported.ts';
import {
  conflictsById,
  type ReadingOptions,
  readSettlements,
  type SettlementReading,
} from './read-settlements.ts';

export interface RangeOptions extends ReadingOptions {
  readonly source: Source;
  readonly query: SettlementQuery;
  /** Its settlements, where they are listed already. */
  readonly headers?: HeaderList;
  readonly settings: ReconcileSettings;
  /** Absent for the files of a day. */
  readonly whenReported?: WhenReported | undefined;
  /** Whether to look for what makes a settlement out of balance, without another request. */
  readonly explains: boolean;
  /** The earlier range, read first, whose fee rates are compared with those of this one. */
  readonly compare?: RateComparison | undefined;
  /** Where the earlier range is read; `source` where it is absent. */
  readonly earlierSource?: Source | undefined;
}

/** A settlement, as read and decided; `explained` where that was asked for and it is out of balance. */
export interface DecidedSettlement extends Pick<SettlementReading, 'rows' | 'outcome'> {
  readonly reconciled: ReconciledSettlement;
  readonly explained: Explained | undefined;
}

/**
 * Reconciles the settlements of a range: yields each as soon as it is decided, by date and id, and
 * returns the run. Throws ReconError where the run as a whole can't go on.
 */
export async function* reconcileRange(
  options: RangeOptions,
): AsyncGenerator<DecidedSettlement, ReconciledRun, void> {
  const { source, query, settings, explains, compare } = options;
  const comparison =
    compare && new FeeComparison(await earlierRun(compare.range, options), compare, settings.rules);
  const headers = options.headers ?? (await source.headers(query));
  const headerConflicts = conflictsById(headers.conflicts);
  const shared = new SharedTransactions();
  const settlements: ReconciledSettlement[] = [];
  const proposals = new Proposals(settings);
  const rowTotals = new RowTotals(settings.rules);
  for await (const { settlement, rows, outcome } of readSettlements(headers.settlements, options)) {
    const judged = reconcileSettlement({
      settlement,
      rows,
      outcome,
      headerConflicts: headerConflicts.get(settlement.id),
      range: query.range,
      settings,
    });
    const settled = asReported(judged, options.whenReported);
    if (!('notRead' in outcome)) shared.add(settlement.id, rows);
    rowTotals.add(settled, rows);
    comparison?.add(settled, rows);
    settlements.push(settled);
    const isExplained = explains && settled.verdict === 'out_of_balance';
    const how = { ...settings, effort: quick };
    const explained = isExplained ? explainDifference(settled, rows, { outcome }, how) : undefined;
    if (explains) proposals.add(settled, rows, explained);
    yield { rows, outcome, reconciled: settled, explained };
  }
  const oddAnswers = source.oddAnswers?.();
  return reconcileRun({
    ...{ settlements, headers, oddAnswers, shared, settings },
    proposedRules: proposals.found(),
    rowTotals: rowTotals.all(),
    ...comparison?.compared(rowTotals.all()),
  });
}

/** Another range, read in the same way, for its totals alone. */
function earlierRun(range: DateRange, options: RangeOptions): Promise<ReconciledRun> {
  const { headers: _, compare: __, source, earlierSource = source, ...others } = options;
  const query = { ...options.query, range };
  return drained(reconcileRange({ ...others, source: earlierSource, query, explains: false }));
}
