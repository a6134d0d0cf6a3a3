import type { Row } from '../../model/row.ts';
import type { DateRange } from '../../model/source.ts';
import type { ReconciledRun, ReconciledSettlement, Verdict } from '../../reconcile/reconciled.ts';
import type { SplitName } from '../../reconcile/split.ts';
import type { RunReport } from '../common/report.ts';
import type { OnBank } from './on-bank.ts';

/** Everything that the report of `recon settlements` is made of. */
export interface SettlementsReport extends RunReport {
  readonly run: ReconciledRun;
  readonly range?: DateRange | undefined;
  /** Only settlements with these verdicts are shown; totals stay whole. */
  readonly only?: readonly Verdict[] | undefined;
  /**
   * What totals are split by, where the report is about totals alone: by account otherwise, and the single
   * settlements stand beside them.
   */
  readonly splits?: readonly SplitName[] | undefined;
  /** Whether a register of accepted differences counts: then records say what is accepted. */
  readonly hasRegister?: boolean;
  /** What the bank statements have of them; absent where none are read. */
  readonly bank?: OnBank | undefined;
  /** The best explanation of each settlement that has one, by its id; absent where none is sought. */
  readonly explanations?: ReadonlyMap<string, string> | undefined;
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
