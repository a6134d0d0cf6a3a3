import { ReconError } from '../base/errors.ts';
import { drained } from '../base/ordered.ts';
import { explainDifference } from '../explain/explain.ts';
import type { Explained } from '../explain/explained.ts';
import { quick } from '../explain/limits.ts';
import { type PatternsOfRange, Proposals } from '../explain/proposals.ts';
import type { DateRange, HeaderList, SettlementQuery, Source } from '../model/source.ts';
import type { FeeCheck } from '../reconcile/agreed/check-fees.ts';
import { type AgeingAndAccepted, asReported, withNotices } from '../reconcile/as-reported.ts';
import { FeeComparison, type RateComparison } from '../reconcile/fee-rates.ts';
import type { IdentityName } from '../reconcile/identity.ts';
import { type ReconciledRun, reconcileRun } from '../reconcile/reconcile-run.ts';
import {
  type ReconciledSettlement,
  reconcileSettlement,
} from '../reconcile/reconcile-settlement.ts';
import { RowTotals } from '../reconcile/row-totals.ts';
import { SharedTransactions } from '../reconcile/shared-transactions.ts';
import type { ReconcileSettings } from '../reconcile/subject.ts';
import {
  conflictsById,
  type ReadingOptions,
  readSettlements,
  type SettlementReading,
} from './read-settlements.ts';

export interface RangeOptions extends ReadingOptions {
  readonly source: Source;
  readonly query: SettlementQuery;
  readonly headers?: HeaderList;
  readonly settings: ReconcileSettings;
  readonly ageingAndAccepted?: AgeingAndAccepted | undefined;
  /** Whether to explain settlements that are out of balance, without more requests. */
  readonly explains: boolean;
  /** Whether only verdicts are wanted: no totals of rows, and no rules to propose. */
  readonly isForVerdicts?: boolean;
  /** An earlier range, read first, to compare fee rates with. */
  readonly compare?: RateComparison | undefined;
  /** Where the earlier range is read, if not from `source`. */
  readonly earlierSource?: Source | undefined;
  readonly fees?: FeeCheck | undefined;
}

/** A settlement with its verdict; `explained` if that was wanted and it is out of balance. */
export interface DecidedSettlement extends Pick<SettlementReading, 'rows' | 'outcome'> {
  readonly reconciled: ReconciledSettlement;
  readonly explained: Explained | undefined;
}

/** The conclusion of a range, with what holds in all its settlements. */
export type RangeRun = ReconciledRun & PatternsOfRange;

/** The identity of the settings. ReconError `usage` if it is off: without it, something is impossible. */
export function requireIdentity({ identity }: ReconcileSettings, impossible: string): IdentityName {
  if (identity !== 'off') return identity;
  const message = `Net pay-outs are not calculated (identity = off), so ${impossible}.`;
  throw new ReconError('usage', message, { hint: 'Say how they are calculated, with --identity.' });
}

/** Reconciles a range: yields settlements by date and id. Throws ReconError if the run cannot go on. */
export async function* reconcileRange(
  options: RangeOptions,
): AsyncGenerator<DecidedSettlement, RangeRun, void> {
  const { source, query, settings, explains, isForVerdicts, compare, fees } = options;
  const comparison =
    compare && new FeeComparison(await earlierRun(compare.range, options), compare, settings.rules);
  const headers = options.headers ?? (await source.headers(query));
  const headerConflicts = conflictsById(headers.conflicts);
  const shared = new SharedTransactions();
  const settlements: ReconciledSettlement[] = [];
  const proposals = new Proposals(settings);
  const rowTotals = new RowTotals(settings.rules);
  const reading = { ...options, keepsDetails: options.keepsDetails || fees !== undefined };
  for await (const { settlement, rows, outcome } of readSettlements(headers.settlements, reading)) {
    const judged = reconcileSettlement({
      settlement,
      rows,
      outcome,
      headerConflicts: headerConflicts.get(settlement.id),
      range: query.range,
      settings,
    });
    const reported = asReported(judged, options.ageingAndAccepted);
    const settled = withNotices(reported, fees?.add(reported, rows));
    if (!('notRead' in outcome)) shared.add(settlement.id, rows);
    if (!isForVerdicts) rowTotals.add(settled, rows);
    comparison?.add(settled, rows);
    settlements.push(settled);
    const isExplained = explains && settled.verdict === 'out_of_balance';
    const how = { ...settings, effort: quick };
    const explained = isExplained ? explainDifference(settled, rows, { outcome }, how) : undefined;
    if (explains) proposals.add(settled, rows, explained, outcome);
    yield { rows, outcome, reconciled: settled, explained };
  }
  const oddAnswers = source.oddAnswers?.();
  const proposedRules = proposals.found();
  const { patterns, partsOf, explained } = proposals.patterns(proposedRules);
  const run = reconcileRun({
    settlements,
    headers,
    oddAnswers,
    shared,
    settings,
    proposedRules: isForVerdicts ? [] : proposedRules,
    rowTotals: rowTotals.all(),
    ...comparison?.compared(rowTotals.all()),
  });
  return { ...run, patterns, partsOf, explained };
}

function earlierRun(range: DateRange, options: RangeOptions): Promise<ReconciledRun> {
  const { headers: _, compare: __, fees: ___, source, earlierSource = source, ...others } = options;
  const query = { ...options.query, range };
  return drained(reconcileRange({ ...others, source: earlierSource, query, explains: false }));
}
