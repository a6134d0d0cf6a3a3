import { records } from '../common/columns.ts';
import { many } from '../common/phrase.ts';
import { recordsSheet } from '../common/record-sheets.ts';
import type { View } from '../common/view.ts';
import { textBlocks, type Workbook } from '../common/workbook.ts';
import { settlementsSheet } from '../settlements/settlement-sheets.ts';
import { hypothesisColumns, hypothesisRecords } from './columns.ts';
import { type ExplainReport, finalVerdict } from './report.ts';
import { answerText } from './summary.ts';
import { explanationSentence } from './words.ts';

/**
 * The workbook of `recon explain`: what `view` says in words, the amounts of each settlement, and every
 * hypothesis.
 */
export function explainWorkbook(report: ExplainReport, view: View): Workbook {
  const { settlements, names } = report;
  const explanations = new Map(
    settlements.map((one) => {
      const { id, currency } = one.reconciled.settlement;
      return [id, explanationSentence(one.explained, currency) || answerText(one)];
    }),
  );
  const told = settlements.map((one) => ({
    report: { names, explanations },
    one: { ...one.reconciled, verdict: finalVerdict(one) },
  }));
  return {
    title: `Explanations of ${many(settlements.length, 'settlement')}`,
    summary: textBlocks(view),
    tables: [
      settlementsSheet(told),
      recordsSheet('Explanations', records(hypothesisColumns(report), hypothesisRecords(report))),
    ],
  };
}
