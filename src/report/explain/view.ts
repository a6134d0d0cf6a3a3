import type { SettlementExplanation } from '../../app/explain-settlement.ts';
import {
  contenders,
  type Explained,
  type Explanation,
  explanationsOf,
} from '../../explain/explained.ts';
import { isNothing } from '../../explain/tally.ts';
import { isAccepted } from '../../reconcile/acceptance.ts';
import { rowsRead } from '../../reconcile/computed.ts';
import type { Code, Entry } from '../../reconcile/entry.ts';
import type { ReconciledSettlement } from '../../reconcile/reconcile-settlement.ts';
import { verdictReason } from '../../reconcile/verdict.ts';
import { acceptanceSentence } from '../common/acceptance.ts';
import {
  answerBlock,
  facts,
  listed,
  onlyByService,
  remark,
  remarks,
  unsure,
} from '../common/blocks.ts';
import { jsonViews } from '../common/json.ts';
import { incompleteSentences } from '../common/partial-words.ts';
import {
  accountName,
  capitalised,
  daysText,
  filtersText,
  many,
  present,
  wholeRangeText,
} from '../common/phrase.ts';
import { effectTexts, settingFacts } from '../common/rule-words.ts';
import type { Block, View, Views, Workbook } from '../common/view.ts';
import {
  doubtsOf,
  entryClause,
  entrySentence,
  opinionWords,
  payOutWords,
  restsOnText,
  verdictTones,
  verdictWords,
} from '../common/words.ts';
import { recordsSheet, textBlocks } from '../common/workbook.ts';
import {
  answerLabel,
  completenessText,
  headline,
  openPendings,
  settlementsConclusion,
} from '../settlements/summary.ts';
import { settlementsSheet } from '../settlements/workbook.ts';
import { causeQuestions } from './cause-words.ts';
import { patternBlocks } from './pattern-words.ts';
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
  bestText,
  causeTitle,
  deltaText,
  type ExplainReport,
  explainNext,
  explanationSentence,
  explanationText,
  finalVerdict,
  formOf,
  rivalsText,
} from './words.ts';

/** The report of `recon explain`. A record is a hypothesis; `ticket` is the case to hand to the provider. */
export function explainViews(report: ExplainReport): Views {
  return {
    view: () => explainView(report),
    page: () => [
      ...rangeBlocks(report),
      ...settlementBlocks(report, (one) => explainCharts(one, report.settings.identity)),
    ],
    ticket: () =>
      report.settlements.length === 0 ? rangeBlocks(report) : explainForProvider(report),
    records: () => hypothesisRecords(report),
    workbook: () => explainWorkbook(report),
    ...jsonViews(() => jsonExplanations(report)),
  };
}

/** The report for a screen: first the range, then each settlement. */
export function explainView(report: ExplainReport): View {
  return [...rangeBlocks(report), ...settlementBlocks(report, () => [])];
}

export function explainConclusion({ range, ...report }: ExplainReport): readonly string[] {
  const { settlements, flags } = report;
  const ofRange = range ? settlementsConclusion({ ...report, run: range.run, range }) : [];
  const ofEach = settlements.flatMap((one) => {
    const verdict = finalVerdict(one);
    const { id } = one.reconciled.settlement;
    const next = verdict === 'incomplete' ? explainNext(one, flags) : [];
    return [
      `${verdictLabel(one)}, ${id}. ${wholeAnswer(one)}`,
      ...openEntries(one).map(entrySentence),
      ...next.map((text) => `Next: ${text}`),
    ];
  });
  return [...ofRange, ...ofEach];
}

type PicturesOf<Picture> = (one: SettlementExplanation) => readonly Picture[];

function settlementBlocks<Picture>(report: ExplainReport, picturesOf: PicturesOf<Picture>) {
  const { settlements, range, settings, names, flags, listsAll = false } = report;
  return settlements.flatMap((one): readonly (Block | Picture)[] => {
    const { reconciled, charges, findings } = one;
    const { settlement, serviceSays, sumsSay, complete } = reconciled;
    const tone = verdictTones[finalVerdict(one)];
    const read = complete ? `yes: ${many(rowsRead(reconciled), 'transaction')}` : 'NO';
    return [
      answerBlock(verdictLabel(one), tone, wholeAnswer(one), settlements.length > 1),
      ...remarks('Not fully read', openEntries(one).map(remark)),
      facts([
        ['Settlement', `${settlement.id} (${settlement.date})`],
        ['Account', accountName(names, settlement.accountingToken)],
        serviceSays === 'nothing'
          ? ['Rests on', restsOnText([reconciled])]
          : ['The service says', `${opinionWords[serviceSays]} (${settlement.status})`],
        ['The checks say', opinionWords[sumsSay]],
        ...settingFacts(settings),
        ['Everything read', findings.length > 0 ? 'NO: its totals are uncertain' : read],
        ['Neighbours', neighboursText(one)],
        ['Not searched', daysNotSearched(one)],
      ]),
      waterfallSection(reconciled, settings.identity),
      ...picturesOf(one),
      ...listed('By rule', effectTexts(reconciled)),
      ...causeBlocks(one, listsAll),
      ...remarks('Charges of the transactions above', charges ? chargeRemarks(charges) : []),
      ...remarks('Other findings', otherEntries(reconciled).map(remark)),
      ...listed('Next', explainNext(one, flags, range === undefined), '>'),
    ];
  });
}

/** `9 settlements within 14 days (rows of 7 read)`; empty if they were not searched for. */
function neighboursText({ around }: SettlementExplanation): string {
  const { days, neighbours, rowsRead } = around;
  if (neighbours === undefined) return '';
  const where = days === 0 ? ' in the range' : ` within ${many(days, 'day')}`;
  const rows = rowsRead === neighbours ? 'all transactions' : `transactions of ${rowsRead}`;
  return `${many(neighbours, 'settlement')}${where}${rowsRead > 0 ? ` (${rows} read)` : ''}`;
}

/** The days around it that could not be searched, in words; empty if there are none. */
function daysNotSearched({ around: { missingDays } }: SettlementExplanation): string {
  return missingDays.length === 0 ? '' : `${daysText(missingDays)} (not in the export)`;
}

const waterfallCodes: readonly Code[] = ['gross', 'fees', 'tax', 'count'];
const answerCodes: readonly Code[] = ['reported_by_service', 'unusual_scale', 'overdue'];

/** Findings that neither the waterfall nor the answer shows. */
function otherEntries({ discrepancies, notices }: ReconciledSettlement): readonly Entry[] {
  const said = [...waterfallCodes, ...answerCodes];
  return [...discrepancies, ...notices].filter(
    ({ code, weight }) => weight !== 'incomplete' && !said.includes(code),
  );
}

/** Findings that do not allow a conclusion. */
function openEntries(one: SettlementExplanation): readonly Entry[] {
  return [...one.findings, ...one.reconciled.discrepancies].filter(
    ({ weight }) => weight === 'incomplete',
  );
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
      ['Net pay-out', payOutWords(report.settings.identity)],
      ['Filters', filtersText(report.settings.filters)],
      ['Everything read', completenessText(whole)],
    ]),
    ...remarks('Not fully read', incompleteSentences(settlements).map(unsure)),
    ...remarks('Findings across settlements', findings.map(remark)),
    ...listed('Pending', openPendings(whole)),
    ...patternBlocks({ ...report, patterns: range.run.patterns }),
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
  const rows = settlements.map((one) => ({
    report: { names, explanations },
    one: { ...one.reconciled, verdict: finalVerdict(one) },
  }));
  return {
    title: `Explanations of ${many(settlements.length, 'settlement')}`,
    summary: textBlocks(explainView(report)),
    tables: [settlementsSheet(rows), recordsSheet('Explanations', hypothesisRecords(report))],
  };
}

/** The verdict in capitals, and whether it is accepted. */
function verdictLabel(one: SettlementExplanation): string {
  const words = verdictWords[finalVerdict(one)].toUpperCase();
  return isAccepted(one.reconciled) ? `${words} (ACCEPTED)` : words;
}

/** Why it was accepted, if it was, then the answer. */
function wholeAnswer(one: SettlementExplanation): string {
  return present(acceptanceSentence(one.reconciled), answerText(one)).join(' ');
}

/** Whether the settlement balances, by how much it does not, whether that is explained, and the doubts. */
function answerText(one: SettlementExplanation): string {
  const doubts = doubtsOf(one.reconciled).map((doubt) => `${capitalised(doubt)}.`);
  return [balanceText(one), ...doubts].join(' ');
}

function balanceText(one: SettlementExplanation): string {
  const { reconciled, explained, findings } = one;
  const { target } = explained;
  const off = target && !isNothing(target) ? deltaText(target, formOf(one)) : '';
  switch (finalVerdict(one)) {
    case 'incomplete':
      return findings.length > 0
        ? 'Cannot say whether it balances: its totals are uncertain.'
        : 'Cannot say whether it balances: its transactions were not fully read.';
    case 'pending':
      if (verdictReason(reconciled) !== undefined) {
        const { status } = reconciled.settlement;
        const within = `The sums agree within the tolerance and the checks in use (${off})`;
        const sums = off === '' ? 'All sums agree' : within;
        return `${sums}, but the status "${status}" is unknown, so it counts as pending.`;
      }
      if (target === undefined) return 'Not settled yet; its transactions were not fully read.';
      return off === ''
        ? 'Not settled yet. All sums agree so far.'
        : `Not settled yet. Does not balance so far: ${off}.`;
    case 'balanced':
      return off === ''
        ? balancedText(one)
        : `Balances within the tolerance and the checks in use: ${off}.`;
    case 'out_of_balance':
      if (off !== '') return `Does not balance: ${off}. ${explanationStatus(explained)}`;
      if (reconciled.discrepancies.some(({ code }) => waterfallCodes.includes(code))) {
        return 'The net pay-out agrees, but other amounts do not.';
      }
      return onlyByService(reconciled)
        ? 'All sums agree. Only the service reports it as out of balance.'
        : 'All sums agree, but other findings put it out of balance.';
  }
}

function balancedText({ reconciled }: SettlementExplanation): string {
  const rests = restsOnText([reconciled]);
  return rests === '' ? 'Balances: all sums agree.' : `Balances: ${rests}.`;
}

function explanationStatus(explained: Explained): string {
  const { best, certainty, hypotheses, rivals } = explained;
  if (best === undefined) {
    const isInPart = hypotheses.some(({ outcome }) => outcome === 'partly');
    return isInPart ? 'Partly explained.' : 'Not explained.';
  }
  const isOne = rivals.length === 0 && best.candidates === 1;
  const isUnsure = certainty === 'one_of_several' && !isOne;
  return isUnsure ? 'Several causes are possible.' : `${causeTitle(explained)} found.`;
}

const most = 3;

/** A case for the provider: no notes, no accounting tokens or their names, nothing personal. */
function explainForProvider(report: ExplainReport): View {
  const { settlements, settings } = report;
  return settlements.flatMap((one): readonly Block[] => {
    const { reconciled, explained, charges } = one;
    const { settlement } = reconciled;
    const verdict = finalVerdict(one);
    const form = formOf(one);
    const { best } = explained;
    // The best explanation and its rivals; if there is none, explanations of a part.
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
        ['All transactions read', reconciled.complete ? 'yes' : 'NO'],
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
      ...listed('Charges of the transactions above', telling.map(chargeSentence)),
      ...listed('Unexplained', shown.length > 0 ? [residualText(explained, form)] : []),
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
    ...(single.length > 0 ? [rowsSection(`Transaction of ${name}`, single, single.length)] : []),
    ...rowSections(one, `${name}: `),
  ];
}

function questions(explanations: readonly Explanation[]): readonly string[] {
  const asked = explanations.flatMap(({ codes }) => codes.map((code) => causeQuestions[code]));
  return asked.length > 0
    ? [...new Set(asked)]
    : ['Please tell us which transactions make up the amounts of the settlement, or correct it.'];
}
