import type { SettlementExplanation } from '../../app/explain-settlement.ts';
import { contenders, type Explanation, explanationsOf } from '../../explain/explained.ts';
import { rowsRead } from '../../reconcile/computed.ts';
import { answerBlock, facts, listed, remark, remarks, unsure } from '../common/blocks.ts';
import { jsonViews } from '../common/json.ts';
import { incompleteSentences } from '../common/partial-words.ts';
import {
  accountName,
  enumerate,
  expectedScalesText,
  filtersText,
  many,
  present,
  toleranceText,
  wholeRangeText,
} from '../common/phrase.ts';
import { effectTexts, rulesText } from '../common/rule-words.ts';
import type { Block, View, Views, Workbook } from '../common/view.ts';
import {
  entryClause,
  opinionWords,
  payInMeaning,
  verdictTones,
  verdictWords,
} from '../common/words.ts';
import { recordsSheet, textBlocks } from '../common/workbook.ts';
import { answerLabel, completenessText, headline, openPendings } from '../settlements/summary.ts';
import { settlementsSheet } from '../settlements/workbook.ts';
import { causeQuestions } from './cause-words.ts';
import { hypothesisRecords, jsonExplanations } from './records.ts';
import {
  causeBlocks,
  chargeRemarks,
  chargeSentence,
  explainCharts,
  residualText,
  rowSections,
  rowsSection,
  waterfallSection,
} from './sections.ts';
import {
  answerText,
  aroundText,
  bestText,
  daysNotSearched,
  type ExplainReport,
  explainNext,
  explanationSentence,
  explanationText,
  finalVerdict,
  formOf,
  openEntries,
  otherEntries,
  rivalsText,
  verdictLabel,
  wholeAnswer,
} from './words.ts';

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
    records: () => hypothesisRecords(report),
    workbook: () => explainWorkbook(report),
    ...jsonViews(() => jsonExplanations(report)),
  };
}

/** The report for a screen: of a range first, then a settlement after the other. */
export function explainView(report: ExplainReport): View {
  return [...rangeBlocks(report), ...settlementBlocks(report, () => [])];
}

type PicturesOf<Picture> = (one: SettlementExplanation) => readonly Picture[];

function settlementBlocks<Picture>(report: ExplainReport, picturesOf: PicturesOf<Picture>) {
  const { settlements, range, settings, names, flags, listsAll = false } = report;
  return settlements.flatMap((one): readonly (Block | Picture)[] => {
    const { reconciled, charges, findings } = one;
    const { settlement, serviceSays, sumsSay, complete } = reconciled;
    const { tolerance, ignored, expectedScales, rules } = settings;
    const tone = verdictTones[finalVerdict(one)];
    const read = complete ? `yes: ${many(rowsRead(reconciled), 'row')}` : 'NO';
    return [
      answerBlock(verdictLabel(one), tone, wholeAnswer(one), settlements.length > 1),
      ...remarks('Not fully read', openEntries(one).map(remark)),
      facts([
        ['Settlement', `${settlement.id} (${settlement.date})`],
        ['Account', accountName(names, settlement.accountingToken)],
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
    tables: [settlementsSheet(told), recordsSheet('Explanations', hypothesisRecords(report))],
  };
}

const most = 3;

/** A case for the provider's tickets: no notes, no accounting tokens or their names, nothing personal. */
function explainForProvider(report: ExplainReport): View {
  const { settlements, settings } = report;
  return settlements.flatMap((one): readonly Block[] => {
    const { reconciled, explained, charges } = one;
    const { settlement } = reconciled;
    const verdict = finalVerdict(one);
    const form = formOf(one);
    const { best } = explained;
    // The best explanation and its rivals; where there is none, those of a part.
    const all = best ? contenders(explained) : explanationsOf(explained, 'partly');
    const shown = all.slice(0, most);
    const others = shown.filter((one) => one !== best);
    const telling = (charges?.weighed ?? []).filter(({ findings }) => findings.length > 0);
    const label = `Settlement of ${settlement.date}: ${verdictWords[verdict]}`;
    return [
      answerBlock(label, verdictTones[verdict], answerText(one)),
      facts([
        ['settlementId', settlement.id],
        ['merchantId', settlement.merchantId],
        ['paymentService', settlement.paymentService],
        ['settlementStatus', settlement.status],
        ['paymentReferences', settlement.paymentReferences.join(', ')],
        ['All rows read', reconciled.complete ? 'yes' : 'NO'],
        ['Neighbouring days not searched', daysNotSearched(one)],
      ]),
      waterfallSection(reconciled, settings.identity),
      ...listed('By our rules', effectTexts(reconciled)),
      ...listed('Other findings', found(one)),
      ...listed(
        'Explanation',
        present(
          bestText(explained, form),
          rivalsText(explained),
          ...others.map((one) => explanationText(one, form)),
        ),
      ),
      ...shown.flatMap(rowBlocks),
      ...listed('Charges of the rows above', telling.map(chargeSentence)),
      ...listed('Residual', shown.length > 0 ? [residualText(explained, form)] : []),
      ...listed('Our request', verdict === 'out_of_balance' ? questions(shown) : []),
    ];
  });
}

/** Values of unknown form may hold personal data, so they are left out. */
function found(one: SettlementExplanation): readonly string[] {
  return [...openEntries(one), ...otherEntries(one.reconciled)]
    .filter(({ code }) => code !== 'unknown_value' && code !== 'not_read')
    .map(entryClause);
}

function rowBlocks(one: Explanation, index: number): readonly Block[] {
  const single = one.causes.flatMap(({ rows }) => (rows.count === 1 ? rows.examples : []));
  const name = `explanation ${index + 1}`;
  return [
    ...(single.length > 0 ? [rowsSection(`Row of ${name}`, single, single.length)] : []),
    ...rowSections(one, `${name}: `),
  ];
}

function questions(told: readonly Explanation[]): readonly string[] {
  const asked = told.flatMap(({ codes }) => codes.map((code) => causeQuestions[code]));
  return asked.length > 0
    ? [...new Set(asked)]
    : ['Please tell us which rows make up the amounts in the header, or correct the header.'];
}
