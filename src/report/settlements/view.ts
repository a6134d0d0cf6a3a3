import { acceptanceColumns } from '../common/acceptance.ts';
import {
  answerBlock,
  facts,
  listed,
  mostListed,
  mostShownRows,
  remark,
  remarks,
} from '../common/blocks.ts';
import { records } from '../common/columns.ts';
import { enumerate, filtersText, present, wholeRangeText } from '../common/phrase.ts';
import { proposalRemarks, rulesText } from '../common/rule-words.ts';
import type { ReportPage, View, Views } from '../common/view.ts';
import { expectedScalesText, identityWords, payInMeaning, toleranceText } from '../common/words.ts';
import { exceptionCharts, rangeCharts } from './charts.ts';
import { lineRecords, settlementColumns } from './columns.ts';
import { closingLines, settlementsDocument } from './document.ts';
import { feeRateSections } from './fee-rates.ts';
import { settlementList } from './list.ts';
import { settlementsNotes } from './notes.ts';
import { onBankColumns, statementRemarks, statementsText } from './on-bank.ts';
import { isByAccount, type SettlementsReport, shownSettlements, splitsOf } from './report.ts';
import { ruleSections, settlementSections } from './sections.ts';
import { answerLabel, answerTone, completenessText, headline, whatNext } from './summary.ts';
import { groupSections } from './totals.ts';
import { settlementsWorkbook } from './workbook.ts';

/**
 * The report of `recon settlements`. The lines are those that follow the settlements, which have theirs
 * as soon as they are decided.
 */
export function settlementsViews(report: SettlementsReport): Views {
  return {
    view: () => settlementsView(report),
    page: () => settlementsPage(report),
    records: () =>
      report.splits
        ? lineRecords(report)
        : records(
            [
              ...settlementColumns(report),
              ...(report.hasRegister ? acceptanceColumns : []),
              ...(report.bank ? onBankColumns(report.bank) : []),
            ],
            shownSettlements(report),
          ),
    workbook: () => settlementsWorkbook([{ report }], settlementsView(report)),
    document: () => settlementsDocument(report),
    lines: () => closingLines(report),
  };
}

/** The report for a screen: the answer, what it is about, the totals, what is off, what next. */
export function settlementsView(report: SettlementsReport): View {
  const { commandForAll, splits } = report;
  const most = commandForAll ? mostShownRows : Number.POSITIVE_INFINITY;
  const sections = splits ? [] : settlementSections(report, most);
  const isCut = sections.some(({ note }) => note !== undefined);
  return [
    ...openingBlocks(report, most),
    ...sections,
    ...closingBlocks(report),
    ...listed('Next', present(...whatNext(report), isCut && commandForAll), '>'),
  ];
}

/**
 * The report as a page: beside what a screen has, the charts and all settlements. Totals that are split
 * otherwise stand below those by account: whoever gets a page has nothing else to look at.
 */
export function settlementsPage(report: SettlementsReport): ReportPage {
  return [
    ...openingBlocks({ ...report, splits: ['account'] }, mostListed),
    ...(isByAccount(splitsOf(report)) ? [] : groupSections(report, mostListed)),
    ...rangeCharts(report),
    ...settlementSections(report, mostListed, 0),
    ...exceptionCharts(report),
    ...closingBlocks(report),
    ...settlementList(report),
  ];
}

/** The answer, what it is about, and the totals. */
function openingBlocks(report: SettlementsReport, mostLines: number): View {
  const { run, range, settings } = report;
  const { profile, identity, tolerance, ignored, expectedScales, rules } = settings;
  const isEmpty = run.settlements.length === 0 && run.verdict === 'balanced';
  return [
    answerBlock(answerLabel(report), isEmpty ? 'plain' : answerTone(report), headline(report)),
    // How it was judged stands beside what was asked for: a figure without it can't be checked.
    facts([
      ['Range', range && wholeRangeText(range)],
      ['Compared with', run.feeRates && wholeRangeText(run.feeRates.range)],
      ['Filters', filtersText(settings.filters)],
      ['Profile', profile],
      ['Pay-in', payInMeaning],
      ['Identity', identity === 'off' ? 'off' : `pay-in = ${identityWords(identity)}`],
      ['Tolerance', toleranceText(tolerance) || 'none'],
      ['Ignored checks', enumerate(ignored) || 'none'],
      ['Decimal places', expectedScalesText(expectedScales)],
      ['Rules', rulesText(rules)],
      ['Everything read', completenessText(report)],
      ['Bank statements', report.bank && statementsText(report.bank)],
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
    ...remarks('Bank statements', statementRemarks(report.bank)),
    ...remarks('Proposed rules', proposalRemarks(run.proposedRules, settings)),
    ...listed('Notes', settlementsNotes(report)),
  ];
}
