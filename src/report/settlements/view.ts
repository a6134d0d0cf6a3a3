import { acceptanceColumns } from '../common/acceptance.ts';
import { answerBlock, facts, listed, remark, remarks } from '../common/blocks.ts';
import { records } from '../common/columns.ts';
import type { ReportPage } from '../common/page.ts';
import { enumerate, wholeRangeText } from '../common/phrase.ts';
import { proposalRemarks, rulesText } from '../common/rule-words.ts';
import type { View, Views } from '../common/view.ts';
import { expectedScalesText, identityWords, toleranceText, verdictTones } from '../common/words.ts';
import { exceptionCharts, rangeCharts } from './charts.ts';
import { lineRecords, settlementColumns } from './columns.ts';
import { closingLines, settlementsDocument } from './document.ts';
import { feeRateSections } from './fee-rates.ts';
import { mostListed, settlementList } from './list.ts';
import { settlementsNotes } from './notes.ts';
import { type SettlementsReport, shownSettlements } from './report.ts';
import { ruleSections, settlementSections } from './sections.ts';
import { answerLabel, completenessText, headline, whatNext } from './summary.ts';
import { groupSections } from './totals.ts';
import { settlementsWorkbook } from './workbook.ts';

/** `group`: totals only, without the single settlements. */
export type By = 'settlement' | 'group';

/**
 * The report of `recon settlements`. `by` decides what is a record, and how much a screen shows. The
 * lines are those that follow the settlements, which have theirs as soon as they are decided.
 */
export function settlementsViews(report: SettlementsReport, by: By): Views {
  return {
    view: () => settlementsView(report, by),
    page: () => settlementsPage(report, by),
    records: () =>
      by === 'group'
        ? lineRecords(report)
        : records(
            [...settlementColumns(report), ...(report.hasRegister ? acceptanceColumns : [])],
            shownSettlements(report),
          ),
    workbook: () => settlementsWorkbook([{ report }], settlementsView(report, 'group')),
    document: () => settlementsDocument(report),
    lines: () => closingLines(report),
  };
}

/** The report for a screen: the answer, what it is about, the totals, what is off, what next. */
export function settlementsView(report: SettlementsReport, by: By): View {
  return [
    ...openingBlocks(report),
    ...(by === 'settlement' ? settlementSections(report) : []),
    ...closingBlocks(report),
    ...listed('Next', whatNext(report), '>'),
  ];
}

/** The report as a page: beside what a screen has, the charts and all settlements. */
export function settlementsPage(report: SettlementsReport, by: By): ReportPage {
  const single = by === 'settlement';
  return [
    ...openingBlocks(report, mostListed),
    ...rangeCharts(report),
    ...(single ? [...settlementSections(report), ...exceptionCharts(report)] : []),
    ...closingBlocks(report),
    ...(single ? settlementList(report) : []),
  ];
}

/** The answer, what it is about, and the totals. */
function openingBlocks(report: SettlementsReport, mostLines?: number): View {
  const { run, range, settings } = report;
  const { profile, identity, tolerance, ignored, expectedScales, rules } = settings;
  const isEmpty = run.settlements.length === 0 && run.verdict === 'balanced';
  const filters = Object.entries(settings.filters).map(([name, value]) => `${name} ${value}`);
  return [
    answerBlock(
      answerLabel(report),
      isEmpty ? 'plain' : verdictTones[run.verdict],
      headline(report),
    ),
    // How it was judged stands beside what was asked for: a figure without it can't be checked.
    facts([
      ['Range', range && wholeRangeText(range)],
      ['Compared with', run.feeRates && wholeRangeText(run.feeRates.range)],
      ['Filters', enumerate(filters)],
      ['Profile', profile],
      ['Identity', identity === 'off' ? 'off' : `pay-in = ${identityWords(identity)}`],
      ['Tolerance', toleranceText(tolerance) || 'none'],
      ['Ignored checks', enumerate(ignored) || 'none'],
      ['Decimal places', expectedScalesText(expectedScales)],
      ['Rules', rulesText(rules)],
      ['Everything read', completenessText(report)],
    ]),
    ...groupSections(report, mostLines),
    ...ruleSections(report),
  ];
}

/** What is to be said beside the settlements. */
function closingBlocks(report: SettlementsReport): View {
  const { run, settings } = report;
  return [
    ...feeRateSections(report),
    ...remarks(
      'Findings across settlements',
      // A fee drift stands beside its rates.
      run.findings.filter(({ code }) => code !== 'fee_drift').map(remark),
    ),
    ...remarks('Proposed rules', proposalRemarks(run.proposedRules, settings)),
    ...listed('Notes', settlementsNotes(report)),
  ];
}
