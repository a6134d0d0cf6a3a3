import type { ReconciledSettlement, Verdict } from '../../reconcile/reconciled.ts';
import {
  accountColumn,
  answerBlock,
  type CellColumn,
  column,
  facts,
  listed,
  remark,
  remarks,
  section,
  settlementRemarks,
  uuid,
} from '../common/blocks.ts';
import { records } from '../common/columns.ts';
import {
  amountText,
  capitalised,
  enumerate,
  many,
  signedText,
  wholeRangeText,
} from '../common/phrase.ts';
import type { Block, Section, View, Views } from '../common/view.ts';
import {
  expectedScalesText,
  identityWords,
  measures,
  measureWords,
  verdictTones,
  verdictWords,
} from '../common/words.ts';
import { groupColumns, settlementColumns } from './columns.ts';
import { closingLines, settlementReportLine, settlementsDocument } from './document.ts';
import { groupSections } from './groups.ts';
import { settlementsNotes } from './notes.ts';
import { type SettlementsReport, shownSettlements } from './report.ts';
import { answerLabel, completenessText, headline, pendingText, whatNext } from './summary.ts';

/** `group`: totals only, without the single settlements. */
export type By = 'settlement' | 'group';

/** The report of `recon settlements`. `by` decides what is a record, and how much a screen shows. */
export function settlementsViews(report: SettlementsReport, by: By): Views {
  const { names, run } = report;
  return {
    view: () => settlementsView(report, by),
    records: () =>
      by === 'group'
        ? records(groupColumns(names), run.groups)
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

/** The report for a screen: the answer, what it is about, the totals, what is off, what next. */
export function settlementsView(report: SettlementsReport, by: By): View {
  const { verdict, findings, settlements } = report.run;
  const isEmpty = settlements.length === 0 && verdict === 'balanced';
  const tone = isEmpty ? 'plain' : verdictTones[verdict];
  return [
    answerBlock(answerLabel(report), tone, headline(report)),
    about(report),
    ...groupSections(report),
    ...(by === 'settlement' ? settlementSections(report) : []),
    ...remarks('Findings across settlements', findings.map(remark)),
    ...listed('Notes', settlementsNotes(report)),
    ...listed('Next', whatNext(report), '>'),
  ];
}

/** What was asked for and how it was judged; a figure without it can't be checked. */
function about(report: SettlementsReport): Block {
  const { range, settings } = report;
  const { profile, identity, tolerance, ignored, expectedScales } = settings;
  const filters = Object.entries(settings.filters).map(([name, value]) => `${name} ${value}`);
  const units = tolerance === 1n ? 'minor unit' : 'minor units';
  return facts([
    ['Range', range && wholeRangeText(range)],
    ['Filters', enumerate(filters)],
    ['Profile', profile],
    ['Identity', identity === 'off' ? 'off' : `pay-in = ${identityWords(identity)}`],
    ['Tolerance', tolerance === 0n ? 'none' : `${tolerance} ${units} per amount`],
    ['Ignored checks', enumerate(ignored) || 'none'],
    ['Decimal places', expectedScalesText(expectedScales)],
    ['Everything read', completenessText(report)],
  ]);
}

const order: readonly Verdict[] = ['out_of_balance', 'incomplete', 'pending', 'balanced'];

/** A section a verdict. Balanced settlements are shown where they are asked for. */
function settlementSections(report: SettlementsReport): readonly Section[] {
  const shown = shownSettlements(report);
  return order
    .filter((verdict) => verdict !== 'balanced' || report.only?.includes(verdict))
    .map((verdict) => ({ verdict, rows: shown.filter((one) => one.verdict === verdict) }))
    .filter(({ rows }) => rows.length > 0)
    .map(({ verdict, rows }) => {
      const due = verdict === 'pending' ? `, pay-in ${pendingText(report)}` : '';
      const title = `${capitalised(verdictWords[verdict])}: ${many(rows.length, 'settlement')}${due}`;
      return section(title, rows, columnsOf(verdict, report), (one) =>
        settlementRemarks(one, report.explanations?.get(one.settlement.id)),
      );
    });
}

/** On a narrow screen what is waited for stays, and elsewhere what is off. */
function columnsOf(
  verdict: Verdict,
  { names, settings }: SettlementsReport,
): readonly CellColumn<ReconciledSettlement>[] {
  const [first, second] = verdict === 'pending' ? [5, 1] : [1, 5];
  const decisive = settings.identity === 'off' ? 'gross' : 'payIn';
  return [
    column(3, 'Date', 'text', ({ settlement }) => settlement.date),
    column(1, 'Settlement', 'text', ({ settlement }) => settlement.id, uuid),
    accountColumn(names, 4, ({ settlement }) => settlement.accountingToken),
    column(2, 'Currency', 'text', ({ settlement }) => settlement.currency),
    column(second, 'Pay-in', 'amount', (one) => amountText(one.reported.payIn, one.scale)),
    ...measures.map((one) => {
      const title = `${capitalised(measureWords[one])} difference`;
      return column<ReconciledSettlement>(
        one === decisive ? first : 6,
        title,
        'difference',
        ({ difference, scale }) => signedText(difference?.[one], scale),
      );
    }),
  ];
}
