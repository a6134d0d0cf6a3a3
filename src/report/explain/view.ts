import type { SettlementExplanation } from '../../app/explain-settlement.ts';
import { rowsRead } from '../../reconcile/computed.ts';
import { acceptanceSentence } from '../common/acceptance.ts';
import { answerBlock, facts, listed, remark, remarks, unsure } from '../common/blocks.ts';
import { records } from '../common/columns.ts';
import { jsonViews } from '../common/json.ts';
import { incompleteSentences } from '../common/partial-words.ts';
import { enumerate, filtersText, many, present, wholeRangeText } from '../common/phrase.ts';
import { effectTexts, rulesText } from '../common/rule-words.ts';
import type { Block, View, Views } from '../common/view.ts';
import {
  expectedScalesText,
  opinionWords,
  payInMeaning,
  toleranceText,
  verdictTones,
} from '../common/words.ts';
import { recordsSheet, textBlocks, type Workbook } from '../common/workbook.ts';
import { openPendings } from '../settlements/notes.ts';
import { settlementsSheet } from '../settlements/settlement-sheets.ts';
import { answerLabel, completenessText, headline } from '../settlements/summary.ts';
import { causeBlocks } from './causes.ts';
import { chargeRemarks } from './charge-evidence-words.ts';
import { explainCharts } from './charts.ts';
import { hypothesisColumns, hypothesisRecords } from './columns.ts';
import { jsonExplanations } from './document.ts';
import { explainForProvider } from './provider-case.ts';
import { type ExplainReport, finalVerdict, openEntries, otherEntries } from './report.ts';
import { answerText, explainNext, verdictLabel } from './summary.ts';
import { waterfallSection } from './waterfall.ts';
import { aroundText, daysNotSearched, explanationSentence } from './words.ts';

/** The report of `recon explain`. A record is a hypothesis; `forProvider` is the case to hand to the provider. */
export function explainViews(report: ExplainReport): Views {
  return {
    view: () => explainView(report),
    page: () => [
      ...rangeBlocks(report),
      ...settlementBlocks(report, (one) => explainCharts(one, report.settings.identity)),
    ],
    forProvider: () =>
      report.settlements.length === 0 ? rangeBlocks(report) : explainForProvider(report),
    records: () => records(hypothesisColumns(report), hypothesisRecords(report)),
    workbook: () => explainWorkbook(report),
    ...jsonViews(() => jsonExplanations(report)),
  };
}

/** The report for a screen: of a range first, then a settlement after the other. */
export function explainView(report: ExplainReport): View {
  return [...rangeBlocks(report), ...settlementBlocks(report, () => [])];
}

/** Each settlement: the answer, the arithmetic and what pictures it, the causes. */
function settlementBlocks<Picture>(
  report: ExplainReport,
  picturesOf: (one: SettlementExplanation) => readonly Picture[],
): readonly (Block | Picture)[] {
  const { settlements, range, settings, names, flags, listsAll = false } = report;
  return settlements.flatMap((one): readonly (Block | Picture)[] => {
    const { reconciled, charges, findings } = one;
    const { settlement, serviceSays, sumsSay, complete } = reconciled;
    const { tolerance, ignored, expectedScales, rules } = settings;
    const verdict = finalVerdict(one);
    const read = complete ? `yes: ${many(rowsRead(reconciled), 'row')}` : 'NO';
    return [
      answerBlock(
        verdictLabel(one),
        verdictTones[verdict],
        present(acceptanceSentence(reconciled), answerText(one)).join(' '),
        settlements.length > 1,
      ),
      ...remarks('Not fully read', openEntries(one).map(remark)),
      facts([
        ['Settlement', `${settlement.id} (${settlement.date})`],
        ['Account', names.get(settlement.accountingToken) ?? settlement.accountingToken],
        ['Pay-in', settlements[0] === one && !range ? payInMeaning : undefined],
        ['The service says', `${opinionWords[serviceSays]} (${settlement.status})`],
        ['The checks say', opinionWords[sumsSay]],
        ['Tolerance', toleranceText(tolerance)],
        ['Ignored checks', enumerate(ignored)],
        ['Decimal places', expectedScalesText(expectedScales)],
        ['Rules', rulesText(rules)],
        ['Everything read', findings.length > 0 ? 'NO: its header is uncertain' : read],
        ['Neighbours', aroundText(one)],
        ['Not searched', daysNotSearched(one)],
      ]),
      waterfallSection(reconciled, settings.identity),
      ...picturesOf(one),
      ...listed('By rule', effectTexts(reconciled)),
      ...causeBlocks(one, listsAll),
      ...remarks('Charges of the rows above', charges ? chargeRemarks(charges) : []),
      ...remarks('Other findings', otherEntries(reconciled).map(remark)),
      ...listed('Next', explainNext(one, flags), '>'),
    ];
  });
}

/** What was read of a range; nothing where settlements were asked for by their ids. */
function rangeBlocks({ range, ...report }: ExplainReport): readonly Block[] {
  if (range === undefined) return [];
  const whole = { ...report, run: range.run };
  const { settlements, counts, verdict, findings } = range.run;
  const isBalanced = settlements.length > 0 && counts.out_of_balance === 0;
  const answer = present(headline(whole), isBalanced && nothingToExplain).join(' ');
  return [
    answerBlock(answerLabel(whole), verdictTones[verdict], answer),
    facts([
      ['Range', wholeRangeText(range)],
      ['Pay-in', payInMeaning],
      ['Filters', filtersText(report.settings.filters)],
      ['Everything read', completenessText(whole)],
    ]),
    ...remarks('Not fully read', incompleteSentences(settlements).map(unsure)),
    ...remarks('Findings across settlements', findings.map(remark)),
    ...listed('Pending', openPendings(whole)),
  ];
}

const nothingToExplain = 'No settlement is out of balance, so there is nothing to explain.';

/**
 * The workbook of `recon explain`: what a screen says in words, the amounts of each settlement, and every
 * hypothesis.
 */
function explainWorkbook(report: ExplainReport): Workbook {
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
    summary: textBlocks(explainView(report)),
    tables: [
      settlementsSheet(told),
      recordsSheet('Explanations', records(hypothesisColumns(report), hypothesisRecords(report))),
    ],
  };
}
