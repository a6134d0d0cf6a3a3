import { checklistOf } from '../../app/close-checklist.ts';
import type { CloseLadder, LadderCode, LadderLine } from '../../app/close-ladder.ts';
import type { CloseReport } from '../../app/close-report.ts';
import { netAndAbsoluteSums } from '../../money/money.ts';
import { raisesAlarm } from '../../reconcile/acceptance.ts';
import { isOverdue } from '../../reconcile/as-reported.ts';
import type { ReconciledSettlement } from '../../reconcile/reconcile-settlement.ts';
import {
  accountColumn,
  column,
  listed,
  maxScreenRows,
  plain,
  remark,
  section,
  sectionIfAny,
} from '../common/blocks.ts';
import { amountOf } from '../common/columns.ts';
import { cutTo, grouped, present } from '../common/phrase.ts';
import type { Chart, Section, SummaryTable, TableSheet, TextBlock, Tone } from '../common/view.ts';
import { tableSheet, textBlocks, withFormulas, withRunningTotals } from '../common/workbook.ts';
import { orderStateWords } from '../orders/summary.ts';
import { answerOf, ladderText, leftIn, shownBy } from './month.ts';

const blank = '_'.repeat(30);
/** Name and day stand on one line, so that no page ends between them. */
const unsigned = `${blank} on ${'_'.repeat(12)}`;

/** Who prepared and who reviewed the close, and a digest of each thing that was read. */
export function signOff({ recorded, digests }: CloseReport): readonly TextBlock[] {
  const read = digests.map((one) => `${one.of}: ${one.digest}`);
  const more = (count: number) => `${grouped(count)} more; --format json lists all`;
  return [
    {
      kind: 'facts',
      facts: [
        ['Prepared by', recorded ? `${recorded.by} on ${recorded.at.slice(0, 10)}` : unsigned],
        ['Reviewed by', unsigned],
        ['Note', recorded?.note || blank],
      ],
    },
    ...textBlocks(listed('What was read, by its digest', cutTo(maxScreenRows, read, more))),
  ];
}

/** Lines of a ladder that should not be there, and those that wait for an answer. */
function toneOf({ code, state, isTotal }: LadderLine): Tone {
  if (isTotal) return 'plain';
  if (state) return orderStateWords[state][1];
  return offCodes.includes(code) ? 'bad' : 'plain';
}

const offCodes: readonly LadderCode[] = [
  ...(['rows_in_other_currency', 'positive_refunds', 'not_in_gross'] as const),
  ...(['pay_in_difference', 'changed', 'over', 'short', 'not_booked'] as const),
];

/** The ladder of each currency as a picture. */
export function ladderCharts(ladders: readonly CloseLadder[], end = 'books'): readonly Chart[] {
  return ladders.map(({ currency, scale, lines }): Chart => {
    const nameOf = (one: LadderLine) =>
      one.count ? `${ladderText(one)} (${grouped(one.count)})` : ladderText(one);
    const table = section<LadderLine>(
      `From the sale to the ${end}, ${currency}`,
      lines,
      [
        column.text('Step', nameOf),
        column.amount('Amount', ({ minor }) => amountOf(minor, scale)),
        ...shownBy(end),
      ],
      { toneOf, limit: lines.length },
    );
    const rows = table.rows.map((row, at) => ({ ...row, isTotal: lines[at]?.isTotal ?? false }));
    return {
      kind: 'chart',
      type: 'ladder',
      text: 'Totals and what is expected are on the left. Differences are on the right, at a scale of their own.',
      unit: currency,
      table: { ...table, rows },
    };
  });
}

/** The settlements that are out of balance or overdue, with what was found and why. */
export function exceptionSections(report: CloseReport, limit: number): readonly Section[] {
  const { names, causes, run } = report;
  const [off = [], overdue = []] = [raisesAlarm, isOverdue].map((is) => run.settlements.filter(is));
  return sectionIfAny<ReconciledSettlement>(
    present(
      off.length > 0 && `Out of balance: ${grouped(off.length)}`,
      overdue.length > 0 && `Overdue: ${grouped(overdue.length)}`,
    ).join('; '),
    [...off, ...overdue],
    [
      column.day('Date', ({ settlement }) => settlement.date),
      column.id('Settlement', ({ settlement }) => settlement.id),
      accountColumn(names, ({ settlement }) => settlement.accountingToken),
      column.text('Currency', ({ settlement }) => settlement.currency),
      column.amount('Net pay-out', ({ reported }) => reported.payIn),
      column.difference('Net pay-out difference', ({ difference }) => difference?.payIn),
    ],
    {
      remarks: ({ discrepancies, notices, settlement: { id } }) => {
        const cause = causes.get(id);
        const found = [...discrepancies, ...notices.filter(({ code }) => code === 'overdue')];
        return [...found.map(remark), ...(cause ? [plain(cause, '=')] : [])];
      },
      limit,
    },
  );
}

/** The checklist and the ladders, as formulas over the sheets with points and the roll-forward. */
export function leadTables(
  report: CloseReport,
  points: TableSheet,
  rollForward: TableSheet,
): readonly SummaryTable[] {
  const checklist = checklistTable(report, points);
  return [
    ...(checklist.rows.length > 0
      ? [{ kind: 'table', table: checklist, isTotal: () => false } as const]
      : []),
    ...report.ladders.map((one): SummaryTable => {
      const isTotal = (row: number) => one.lines[row]?.isTotal ?? false;
      return { kind: 'table', table: ladderTable(one, rollForward), isTotal };
    }),
  ];
}

/** A row for each step and currency of its points. */
function checklistTable(report: CloseReport, points: TableSheet): TableSheet {
  const lines = checklistOf(report).flatMap((step) => {
    const sums = netAndAbsoluteSums(step.points.flatMap(({ amounts }) => amounts));
    const [first, ...others] = sums;
    const rest = others.map((sum) => ({ step, sum, isFirst: false }));
    return [{ step, sum: first, isFirst: true }, ...rest];
  });
  type Line = (typeof lines)[number];
  const sheet = tableSheet<Line>('Checklist', lines, [
    { title: 'Step', cell: ({ step }) => step.step },
    { title: 'Currency', cell: ({ sum }) => sum?.currency },
    { title: 'Net', cell: ({ sum }) => sum && amountOf(sum.net, sum.scale) },
    { title: 'To decide', cell: ({ step, isFirst }) => (isFirst ? leftIn(step) : '') },
    {
      title: 'Answer',
      isProse: true,
      cell: ({ step, isFirst }) => (isFirst ? answerOf(step)[0] : ''),
    },
  ]);
  return withFormulas(sheet, { Net: { of: points, by: ['Step', 'Currency'] } });
}

/** The columns of the roll-forward that have a line of the ladder, and whether it is subtracted there. */
const inRollForward: Readonly<
  Partial<Record<LadderCode, readonly [title: string, isLess: boolean]>>
> = {
  gross: ['Gross', false],
  fees: ['Fees', true],
  tax: ['Tax', true],
  pay_in_difference: ['Net pay-out difference', false],
  pay_in: ['Settled', false],
  opening: ['Opening', false],
  changed: ['Changed', false],
  received: ['Received', true],
  bank_charges: ['Bank charges', true],
  over: ['Overpaid', false],
  short: ['Underpaid', true],
  in_transit: ['Closing', false],
};

/** A ladder whose steps come from the roll-forward, and whose totals are both added up and looked up there. */
function ladderTable({ currency, scale, lines }: CloseLadder, rollForward: TableSheet): TableSheet {
  const seen = ({ code, isTotal, minor }: LadderLine) =>
    isTotal && inRollForward[code] ? amountOf(minor, scale) : undefined;
  const sheet = tableSheet<LadderLine>(`From the sale to the books, ${currency}`, lines, [
    { title: 'Step', cell: ladderText },
    { title: 'Currency', cell: () => currency },
    { title: 'Amount', cell: ({ minor }) => amountOf(minor, scale) },
    { title: 'Count', cell: ({ count }) => count },
    { title: 'On the sheet Roll-forward', cell: seen },
  ]);
  const origin = (row: number) => {
    const [title, isLess] = inRollForward[lines[row]?.code ?? 'sold'] ?? [];
    return title
      ? { of: rollForward, title, by: ['Currency'], isLess: isLess ?? false }
      : undefined;
  };
  const isTotal = (row: number) => lines[row]?.isTotal ?? false;
  const withSteps = withFormulas(sheet, {
    Amount: (row) => (isTotal(row) && row > 0 ? undefined : origin(row)),
    'On the sheet Roll-forward': origin,
  });
  return withRunningTotals(withSteps, 'Amount', (row) => isTotal(row) && row > 0);
}
