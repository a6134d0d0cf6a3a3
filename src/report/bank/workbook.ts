import { rangeText } from '../common/phrase.ts';
import { sectionSheet } from '../common/record-sheets.ts';
import type { View } from '../common/view.ts';
import { mostSheetRows, textBlocks, type Workbook } from '../common/workbook.ts';
import { entryList, payoutList } from './lists.ts';
import type { BankReport } from './report.ts';
import { statementSections, totalSections } from './totals.ts';

/** The workbook of `recon bank`; `view` is what a page says. */
export function bankWorkbook(report: BankReport, view: View): Workbook {
  const sheets = {
    'Pay-outs': payoutList,
    'Bank entries': entryList,
    Statements: statementSections,
    Accounts: totalSections,
  };
  return {
    title: `Bank ${rangeText(report.range)}`,
    summary: textBlocks(view),
    tables: Object.entries(sheets).flatMap(([name, sections]) =>
      sections(report, mostSheetRows).map((one) => sectionSheet(name, one)),
    ),
  };
}
