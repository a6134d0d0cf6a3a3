import type { CloseRecord } from '../model/close.ts';
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

export interface RunReport {
  readonly settings: ReportSettings;
  readonly names: Names;
  /** What a suggested command needs to ask the same service again, for example `--profile es`. */
  readonly flags?: string | undefined;
}

/** How settlements were chosen and judged. */
export interface ReportSettings extends ReconcileSettings {
  readonly profile: string | undefined;
  readonly filters: SettlementFilters;
}

/** Everything that the report of `recon settlements` is made of. */
export interface SettlementsReport extends RunReport {
  readonly run: ReconciledRun;
  readonly range?: DateRange | undefined;
  /** Only settlements with these verdicts are shown; totals stay whole. */
  readonly only?: readonly Verdict[] | undefined;
  /** What totals are split by, in a report about totals alone; else they are by account, beside settlements. */
  readonly splitBy?: readonly SplitName[] | undefined;
  readonly closes?: readonly CloseRecord[] | undefined;
  /** Whether a register of accepted differences counts: then records say what is accepted. */
  readonly hasRegister?: boolean;
  /** What the bank statements have of them; absent where none are read. */
  readonly bank?: BankCheck | undefined;
  /** The best explanation of each settlement that has one, by its id; absent where none is sought. */
  readonly explanations?: ReadonlyMap<string, string> | undefined;
  /** How certain these are, and the facts of their causes, for JSON. */
  readonly facts?: ReadonlyMap<string, object> | undefined;
  /** What the cause of each is called, whatever its amounts and ids, by settlement id. */
  readonly causes?: ReadonlyMap<string, string> | undefined;
  /** The command that lists all, where a terminal shows less: there, exceptions that are alike share a block. */
  readonly commandForAll?: string | undefined;
  /** The rows of each settlement that is shown, by its id; absent where a workbook lists none. */
  readonly rows?: ReadonlyMap<string, readonly Row[]> | undefined;
}

/** The amount whose differences the totals tell: without an identity nothing gives a pay-in. */
export function measureOfTotals({ settings }: Pick<SettlementsReport, 'settings'>) {
  return settings.identity === 'off' ? 'gross' : 'pay-in';
}

/** Whether `--only` lets a settlement through. */
export function isShown({ verdict }: ReconciledSettlement, only?: readonly Verdict[]): boolean {
  return only === undefined || only.includes(verdict);
}

/** The settlements to show, in the order of the report. */
export function shownSettlements(report: SettlementsReport): readonly ReconciledSettlement[] {
  return report.run.settlements.filter((settlement) => isShown(settlement, report.only));
}

/** What settlements with the same parts come to: headers and rows side by side. */
export type Line = Parts & Totals;

/** What rows with the same parts come to. */
export type RowLine = Parts & RowFigures;

/** What the totals of a report are split by. */
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
