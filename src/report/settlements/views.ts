import { type Records, records } from '../common/columns.ts';
import type { View } from '../common/view.ts';
import { groupColumns, settlementColumns } from './columns.ts';
import { closingLines, settlementReportLine, settlementsDocument } from './document.ts';
import { type SettlementsReport, shownSettlements } from './report.ts';
import { type By, settlementsView } from './view.ts';

/** A result in each of the shapes that formats are made from. Made only when asked for. */
export interface Views {
  readonly view: () => View;
  /** What others should be shown instead, who don't see our screen; absent where it is the same. */
  readonly letter?: () => View;
  readonly records: () => Records;
  readonly document: () => object;
  readonly lines: () => Iterable<object>;
}

/** The report of `recon settlements`. `by` decides what is a record, and how much a screen shows. */
export function settlementsViews(report: SettlementsReport, by: By): Views {
  return {
    view: () => settlementsView(report, by),
    records: () =>
      by === 'group'
        ? records(groupColumns(report.names), report.run.groups)
        : records(settlementColumns(report), shownSettlements(report)),
    document: () => settlementsDocument(report),
    lines: () => (by === 'group' ? closingLines(report) : allLines(report)),
  };
}

function* allLines(report: SettlementsReport): Generator<object> {
  const { names, explanations } = report;
  for (const one of shownSettlements(report)) {
    yield settlementReportLine(one, names, explanations?.get(one.settlement.id));
  }
  yield* closingLines(report);
}
