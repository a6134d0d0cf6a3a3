import { type BankCheck, isOffOnBank } from '../../app/bank-check.ts';
import { bankVerdict } from '../../app/bank-report.ts';
import {
  isByAccount,
  type SettlementsReport,
  shownSettlements,
  splitNamesOf,
} from '../../app/settlements-report.ts';
import { runVerdict, type Verdict } from '../../reconcile/verdict.ts';
import { bankHeadline } from '../bank/summary.ts';
import { statementDays } from '../bank/words.ts';
import {
  answerBlock,
  column,
  facts,
  listed,
  maxPageRows,
  maxScreenRows,
  plain,
  remark,
  remarks,
  section,
} from '../common/blocks.ts';
import { filtersText, present, wholeRangeText } from '../common/phrase.ts';
import { proposalText, proposedLines, settingFacts } from '../common/rule-words.ts';
import {
  countsByState,
  failedBlocks,
  outcomeOf,
  type ProfileResult,
  recordsOfProfiles,
} from '../common/several.ts';
import {
  type Block,
  type ReportPage,
  schema,
  type Tone,
  type View,
  type Views,
} from '../common/view.ts';
import { payOutWords, restsOnText, verdicts, verdictTones, verdictWords } from '../common/words.ts';
import { patternBlocks } from '../explain/pattern-words.ts';
import { exceptionCharts, rangeCharts } from './charts.ts';
import { bankSentence, statementRemarks } from './on-bank.ts';
import { settlementsJson, settlementsRecords } from './records.ts';
import { ruleSections, settlementList, settlementSections } from './sections.ts';
import { answerLabel, completenessText, headline, nextSteps, settlementsNotes } from './summary.ts';
import { feeRateSections, groupSections } from './totals.ts';
import { settlementsWorkbook } from './workbook.ts';

/** The report of `recon settlements`. `lines` yields what follows the settlements, which are written earlier. */
export function settlementsViews(report: SettlementsReport): Views {
  return {
    view: () => settlementsView(report),
    page: () => settlementsPage(report),
    records: () => settlementsRecords(report),
    workbook: () => settlementsWorkbook([{ report }], settlementsView(report)),
    document: settlementsJson(report, shownSettlements(report)).document,
    lines: settlementsJson(report, []).lines,
  };
}

/** The report for a screen: the answer, its facts, the totals, what is wrong, what to do next. */
export function settlementsView(report: SettlementsReport): View {
  const { commandForAll, splitBy } = report;
  const most = commandForAll ? maxScreenRows : Number.POSITIVE_INFINITY;
  const sections = splitBy ? [] : settlementSections(report, most);
  const isCut = sections.some(({ note }) => note !== undefined);
  return [
    ...openingBlocks(report, most),
    ...sections,
    ...closingBlocks(report),
    ...listed('Next', present(...nextSteps(report), isCut && commandForAll), '>'),
  ];
}

/** The report as a page, with charts and all settlements. Other totals are below those by account. */
export function settlementsPage(report: SettlementsReport): ReportPage {
  return [
    ...openingBlocks({ ...report, splitBy: ['account'] }, maxPageRows),
    ...(isByAccount(splitNamesOf(report)) ? [] : groupSections(report, maxPageRows)),
    ...settlementSections(report, maxPageRows, 0),
    ...exceptionCharts(report),
    ...rangeCharts(report),
    ...closingBlocks(report),
    ...settlementList(report),
  ];
}

/** `2 statements, 2026-03-01 to 2026-03-31`, and how many pay-outs are on them if nothing is wrong. */
function statementsText(bank: BankCheck): string {
  const days = statementDays(bank.report);
  return bankSentence(bank) ? days : `${days}. ${bankHeadline(bank.report)}`;
}

/** The tone of the answer: not good if pay-outs are not on the bank statements. */
function answerTone({ run, bank }: SettlementsReport): Tone {
  const tone = verdictTones[run.verdict];
  if (tone === 'bad' || !isOffOnBank(bank)) return tone;
  return bankVerdict(bank.report) === 'incomplete' ? 'unsure' : 'bad';
}

function openingBlocks(report: SettlementsReport, mostLines: number): View {
  const { run, range, settings } = report;
  const { profile, identity } = settings;
  const isEmpty = run.settlements.length === 0 && run.verdict === 'balanced';
  return [
    answerBlock(answerLabel(report), isEmpty ? 'plain' : answerTone(report), headline(report)),
    // The settings of the checks are here because figures cannot be checked without them.
    facts([
      ['Range', range && wholeRangeText(range)],
      ['Compared with', run.feeRates && wholeRangeText(run.feeRates.range)],
      ['Filters', filtersText(settings.filters)],
      ['Profile', profile],
      ['Net pay-out', payOutWords(identity)],
      ...settingFacts(settings, 'none'),
      ['Everything read', completenessText(report)],
      ['Verdicts rest on', restsOnText(run.settlements)],
      ['Bank statements', report.bank && statementsText(report.bank)],
    ]),
    ...patternBlocks(report),
    ...groupSections(report, mostLines),
    ...ruleSections(report),
  ];
}

function closingBlocks(report: SettlementsReport): View {
  const { run } = report;
  return [
    ...feeRateSections(report),
    ...remarks(
      'Findings across settlements',
      // A fee drift is shown with its rates.
      run.findings.filter(({ code }) => code !== 'fee_drift').map(remark),
    ),
    ...remarks('Bank statements', statementRemarks(report.bank)),
    ...remarks('Proposed rules', proposalRemarks(report)),
    ...listed('Notes', settlementsNotes(report)),
  ];
}

type ProfileSettlements = ProfileResult<SettlementsReport>;

/** The reports of several profiles, without sums over them. At least one must have a report. */
export function severalViews(profiles: readonly ProfileSettlements[]): Views {
  const reports = profiles.flatMap((one) => ('report' in one ? [one] : []));
  return {
    view: () => partsOfSeveral(profiles, settlementsView),
    page: () => partsOfSeveral(profiles, settlementsPage),
    records: () => {
      // All rows have the same columns.
      const hasRegister = reports.some(({ report }) => report.hasRegister);
      const parts = reports.map(({ profile, report }) => {
        return { profile, ...settlementsRecords({ ...report, hasRegister }) };
      });
      return recordsOfProfiles(parts);
    },
    workbook: () => settlementsWorkbook(reports, partsOfSeveral(profiles, settlementsView)),
    document: () => ({
      schema,
      verdict: verdictOfSeveral(profiles),
      profiles: profiles.map((one) => ({
        ...outcome(one),
        ...('report' in one && settlementsViews(one.report).document()),
      })),
    }),
    lines: () => severalLines(profiles),
  };
}

function verdictOf(one: ProfileSettlements): Verdict {
  return 'report' in one ? one.report.run.verdict : 'incomplete';
}

function verdictOfSeveral(profiles: readonly ProfileSettlements[]): Verdict {
  return runVerdict(profiles.map(verdictOf));
}

const outcome = (one: ProfileSettlements) => outcomeOf(one, verdictOf(one));

/** The lines of each profile, with its name, then a summary of all. */
function* severalLines(profiles: readonly ProfileSettlements[]): Generator<object> {
  for (const one of profiles) {
    if (!('report' in one)) continue;
    const { profile, report } = one;
    const settlements = report.splitBy ? [] : shownSettlements(report);
    for (const line of settlementsJson(report, settlements).lines()) yield { ...line, profile };
  }
  const verdict = verdictOfSeveral(profiles);
  yield { type: 'summary', schema, verdict, profiles: profiles.map(outcome) };
}

type Profiles = readonly ProfileSettlements[];
type PartsOf<Part> = (report: SettlementsReport) => readonly Part[];

function partsOfSeveral<Part>(profiles: Profiles, partsOf: PartsOf<Part>): (Block | Part)[] {
  const verdict = verdictOfSeveral(profiles);
  const isEmpty = profiles.every((one) => stateOf(one) === 'empty');
  const label = isEmpty ? 'nothing found' : verdictWords[verdict];
  const tone = isEmpty ? 'plain' : verdictTones[verdict];
  const resultOf = (one: ProfileSettlements) =>
    'report' in one ? headline(one.report) : one.failure.message;
  return [
    answerBlock(label.toUpperCase(), tone, countsByState(profiles.map(stateOf), states)),
    section('Profiles', profiles, [
      column.text('Profile', ({ profile }) => profile),
      column.text('Verdict', stateOf),
      column.text('Result', resultOf),
    ]),
    ...profiles.flatMap((one) => ofProfile(one, partsOf)),
  ];
}

const states = [...verdicts.map((verdict) => verdictWords[verdict]), 'empty', 'not read'];

function stateOf(one: ProfileSettlements): string {
  if ('failure' in one) return 'not read';
  const { verdict, settlements } = one.report.run;
  return verdict === 'balanced' && settlements.length === 0 ? 'empty' : verdictWords[verdict];
}

function ofProfile<Part>(one: ProfileSettlements, partsOf: PartsOf<Part>): (Block | Part)[] {
  const title = (label: string) => `${one.profile}: ${label}`;
  if ('report' in one) {
    const [, ...parts] = partsOf(one.report);
    const tone = answerTone(one.report);
    return [answerBlock(title(answerLabel(one.report)), tone, headline(one.report)), ...parts];
  }
  return [...failedBlocks(one.profile, one.failure)];
}

/** The evidence for the proposed rules, and the lines to paste. */
function proposalRemarks({ run: { proposedRules }, settings }: SettlementsReport) {
  if (proposedRules.length === 0) return [];
  return [
    ...proposedRules.map((one) => plain(proposalText(one))),
    plain('Add to the configuration file:', '>'),
    ...proposedLines(proposedRules, settings).map((text) => plain(text, ' ')),
  ];
}
