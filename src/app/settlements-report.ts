import type { Pattern } from '../explain/pattern.ts';
import type { Row } from '../model/row.ts';
import type { Names } from '../model/settlement.ts';
import type { DateRange, SettlementFilters } from '../model/source.ts';
import { type Totals, totalsBy } from '../reconcile/groups.ts';
import type { ReconciledRun } from '../reconcile/reconcile-run.ts';
import type { ReconciledSettlement } from '../reconcile/reconcile-settlement.ts';
import { type RowFigures, rowTotalsBy } from '../reconcile/row-totals.ts';
import { type Parts, partsBy, type SplitName } from '../reconcile/split.ts';
import type { ReconcileSettings } from '../reconcile/subject.ts';
import type { Verdict } from '../reconcile/verdict.ts';
import type { BankCheck } from './bank-check.ts';
import type { ClosedRange } from './closed-range.ts';

export interface RunReport {
  readonly settings: ReportSettings;
  readonly names: Names;
  /** The flags with which a suggested command asks the same service, for example `--profile es`. */
  readonly flags?: string | undefined;
}

/** How settlements were chosen and judged. */
export interface ReportSettings extends ReconcileSettings {
  readonly profile: string | undefined;
  readonly filters: SettlementFilters;
}

export interface SettlementsReport extends RunReport {
  readonly run: ReconciledRun;
  readonly range?: DateRange | undefined;
  /** Only settlements with these verdicts are shown; totals stay whole. */
  readonly only?: readonly Verdict[] | undefined;
  /** How totals are split, if the report has only totals; if absent, by account, with the settlements. */
  readonly splitBy?: readonly SplitName[] | undefined;
  /** The closes over days of the range, with the changes since. */
  readonly closed?: readonly ClosedRange[] | undefined;
  /** Whether there is a register of accepted differences, so records have columns for it. */
  readonly hasRegister?: boolean;
  /** The matches on the bank statements; absent without statements. */
  readonly bank?: BankCheck | undefined;
  /** What holds in all its settlements; absent if that was not searched for. */
  readonly patterns?: readonly Pattern[] | undefined;
  /** The best explanation of each settlement that has one, by its id; absent if none was searched for. */
  readonly explanations?: ReadonlyMap<string, string> | undefined;
  /** Their certainty and the facts of their causes, for JSON. */
  readonly facts?: ReadonlyMap<string, object> | undefined;
  /** The name of the cause, without amounts and ids, by settlement id. */
  readonly causes?: ReadonlyMap<string, string> | undefined;
  /** The command that lists all, if a terminal shows less: exceptions that are alike then share a block. */
  readonly commandForAll?: string | undefined;
  /** The rows of each settlement that is shown, by its id; absent unless a workbook lists rows. */
  readonly rows?: ReadonlyMap<string, readonly Row[]> | undefined;
}

/** The amount whose differences the totals show: the pay-in or, without an identity, the gross. */
export function measureOfTotals({ settings }: Pick<SettlementsReport, 'settings'>) {
  return settings.identity === 'off' ? 'gross' : 'net pay-out';
}

/** Whether `--only` lets a settlement through. */
export function isShown({ verdict }: ReconciledSettlement, only?: readonly Verdict[]): boolean {
  return only === undefined || only.includes(verdict);
}

/** The settlements to show, in the order of the report. */
export function shownSettlements(report: SettlementsReport): readonly ReconciledSettlement[] {
  return report.run.settlements.filter((settlement) => isShown(settlement, report.only));
}

/** The totals of settlements with the same parts: headers and rows side by side. */
export type Line = Parts & Totals;

/** The totals of rows with the same parts. */
export type RowLine = Parts & RowFigures;

export function splitNamesOf({ splitBy = ['account'] }: SettlementsReport): readonly SplitName[] {
  return splitBy;
}

/** The totals of headers and rows, split, in order. */
export function linesOf(report: SettlementsReport): readonly Line[] {
  const { run, settings } = report;
  return totalsBy(run.settlements, partsBy(splitNamesOf(report)), settings.identity !== 'off');
}

/** The totals of rows alone, split, in order: headers have none by type and payment type. */
export function rowLinesOf(
  report: SettlementsReport,
  splitBy = splitNamesOf(report),
): readonly RowLine[] {
  const { run, settings } = report;
  return rowTotalsBy(run.rowTotals, partsBy(splitBy), settings.identity);
}

/** Whether these are the totals by account that every report has. They show no rates. */
export function isByAccount([first, second = 'currency']: readonly SplitName[]): boolean {
  return first === 'account' && second === 'currency';
}
