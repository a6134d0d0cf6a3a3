import { rateOf, rateText } from '../../money/rate.ts';
import { totalsBy } from '../../reconcile/groups.ts';
import type { Totals } from '../../reconcile/reconciled.ts';
import { type RowFigures, rowTotalsBy } from '../../reconcile/row-totals.ts';
import { type Parts, partsBy, type SplitName } from '../../reconcile/split.ts';
import type { SettlementsReport } from './report.ts';

/** What settlements with the same parts come to: headers and rows side by side. */
export type Line = Parts & Totals;

/** What rows with the same parts come to. */
export type RowLine = Parts & RowFigures;

/** What the totals of a report are split by. */
export function splitsOf({ splits = ['account'] }: SettlementsReport): readonly SplitName[] {
  return splits;
}

/** The totals of headers and rows, split, in order. */
export function linesOf(report: SettlementsReport): readonly Line[] {
  const { run, settings } = report;
  return totalsBy(run.settlements, partsBy(splitsOf(report)), settings.identity !== 'off');
}

/** The totals of rows alone, split, in order: headers have none by type and payment type. */
export function rowLinesOf(
  report: SettlementsReport,
  splits = splitsOf(report),
): readonly RowLine[] {
  const { run, settings } = report;
  return rowTotalsBy(run.rowTotals, partsBy(splits), settings.identity);
}

/** Whether these are the totals by account that every report has. They show no rates. */
export function isByAccount([first, second = 'currency']: readonly SplitName[]): boolean {
  return first === 'account' && second === 'currency';
}

/** Fees in per cent of gross, `1.4000`; empty where an amount is missing or a rate would say nothing. */
export function feesPercent(fees: bigint | undefined, gross: bigint | undefined): string {
  return fees === undefined || gross === undefined ? '' : rateText(rateOf(fees, gross));
}
