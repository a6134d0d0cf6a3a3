import { type OrderLadder, stepsOf } from '../../match/orders/ladder.ts';
import { asideStates, type OrderState, orderKeys } from '../../match/orders/order-match.ts';
import {
  accountColumn,
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
  uuid,
} from '../common/blocks.ts';
import { amountOf, records } from '../common/columns.ts';
import { jsonViews } from '../common/json.ts';
import { enumerate, grouped, present, rangeText, wholeRangeText } from '../common/phrase.ts';
import { filtersText } from '../common/report.ts';
import type {
  Chart,
  Remark,
  ReportPage,
  Section,
  Tone,
  View,
  Views,
  Workbook,
} from '../common/view.ts';
import { maxSheetRows, sectionSheet, textBlocks } from '../common/workbook.ts';
import { accountOf, orderColumns, ordersJson } from './records.ts';
import {
  allMatches,
  chargeStatus,
  countInState,
  decidingStates,
  matchesIn,
  type NumberedMatch,
  type OrdersReport,
  type OrdersVerdict,
  ordersVerdict,
} from './report.ts';
import {
  fileDaysText,
  ordersAdvice,
  ordersCompleteness,
  ordersHeadline,
  ordersLabel,
  ordersNotes,
} from './summary.ts';
import { orderKeyWords, orderReasonWords, orderStateWords } from './words.ts';

/** The report of `recon orders`. A record is an order, or a row without an order. */
export function ordersViews(report: OrdersReport): Views {
  return {
    view: () => [...ordersView(report), ...listed('Next', ordersAdvice(report), '>')],
    page: () => ordersPage(report),
    records: () => records(orderColumns(report), allMatches(report)),
    workbook: () => ordersWorkbook(report),
    ...jsonViews(() => ordersJson(report)),
  };
}

const verdictTones: Readonly<Record<OrdersVerdict, Tone>> = {
  reconciled: 'good',
  not_reconciled: 'bad',
  incomplete: 'unsure',
};

function ordersHead(report: OrdersReport): View {
  const { range, filters, profile, mapping, files, read } = report;
  return [
    answerBlock(ordersLabel(report), verdictTones[ordersVerdict(report)], ordersHeadline(report)),
    facts([
      ['Range', wholeRangeText(range)],
      ['Order files', enumerate(files)],
      ['Days of sales', fileDaysText(report)],
      ['Methods', enumerate(mapping.methods)],
      ['Matched by', enumerate(orderKeys.map((key) => orderKeyWords[key]))],
      ['Difference', 'settled - refunded - charged back - what the shop expects'],
      ['Filters', filtersText(filters)],
      ['Profile', profile],
      ['Everything read', ordersCompleteness(report)],
    ]),
    ...remarks('Findings', read.findings.map(remark)),
  ];
}

function ordersView(report: OrdersReport): View {
  return [
    ...ordersHead(report),
    ...decisions(report, maxScreenRows),
    ...report.matching.ladders.flatMap((ladder) => [shopLadder(ladder), rowLadder(ladder)]),
    ...states(report),
    ...listed('Notes', ordersNotes(report)),
  ];
}

function ordersPage(report: OrdersReport): ReportPage {
  return [
    ...ordersHead(report),
    ...report.matching.ladders.map(ladderChart),
    ...decisions(report, maxPageRows),
    ...report.matching.ladders.map(rowLadder),
    ...states(report),
    ...listed('Notes', ordersNotes(report)),
  ];
}

function ordersWorkbook(report: OrdersReport): Workbook {
  const { ladders } = report.matching;
  const lines = ladders.flatMap((ladder) => linesOf(ladder).map((step) => ({ ladder, step })));
  const ladder = section(
    'Ladder',
    lines,
    [
      column(1, 'Currency', 'text', (line) => line.ladder.currency),
      column(1, 'Step', 'text', ({ step }) => step.name),
      column(1, 'Count', 'integer', ({ step }) => step.count),
      column(1, 'Amount', 'change', (line) => amountOf(line.step.minor, line.ladder.scale)),
    ],
    { limit: lines.length },
  );
  const [numbers, cut] = [report.matching.size, report.matching.size > maxSheetRows];
  const all = Array.from({ length: Math.min(numbers, maxSheetRows) }, (_, number) => {
    return { number, match: report.matching.match(number) };
  });
  const note = `Orders: the first ${grouped(maxSheetRows)} of ${grouped(numbers)}; --format csv lists all.`;
  return {
    title: `Orders ${rangeText(report.range)}`,
    summary: textBlocks([...ordersView(report), ...listed('About the sheets', cut ? [note] : [])]),
    tables: [
      sectionSheet('Ladder', ladder),
      ...decisions(report, maxSheetRows)
        .slice(0, 1)
        .map((one) => sectionSheet('Decisions', one)),
      sectionSheet('Orders', matchSection('Orders', all, all.length, report)),
    ],
  };
}

/** Orders that need a decision, and what the shop does not know. */
function decisions(report: OrdersReport, limit: number): readonly Section[] {
  const open = decidingStates(report);
  const aside = asideStates.filter((state) => state !== 'not_covered' && !isAmong(open, state));
  const parts = [
    ['Orders that need a decision', open],
    ['Unknown to the shop', aside],
  ] as const;
  return parts.flatMap(([title, states]) => {
    const count = states.reduce((sum, state) => sum + countInState(report, state), 0);
    const whole = `${title}: ${grouped(count)}`;
    const found = matchesIn(report, states, limit);
    return count === 0 ? [] : [matchSection(whole, found, count, report)];
  });
}

const isAmong = (states: readonly OrderState[], state: OrderState) => states.includes(state);

function matchSection(
  title: string,
  found: readonly NumberedMatch[],
  count: number,
  report: OrdersReport,
): Section {
  const amount = (of: 'expected' | 'settled', name: string) =>
    column<NumberedMatch>(2, name, 'amount', ({ match }) => amountOf(match[of], match.scale));
  const shown = section<NumberedMatch>(
    title,
    found,
    [
      {
        ...column(1, 'State', 'text', ({ match }) => orderStateWords[match.state][0]),
        filters: true,
      },
      column(1, 'Order', 'text', ({ match }) => match.reference),
      column(
        1,
        'Date',
        'day',
        ({ match }) => match.documents[0]?.day ?? match.rows[0]?.settlement.date,
      ),
      accountColumn(report.names, 5, ({ match }) => accountOf(match)),
      column(3, 'Charge', 'text', ({ match }) => match.rows[0]?.chargeId ?? '', uuid),
      column(1, 'Currency', 'text', ({ match }) => match.currency),
      amount('expected', 'Expected'),
      amount('settled', 'Settled'),
      column(3, 'Refunded by shop', 'amount', ({ match }) =>
        amountOf(match.refundedByShop, match.scale),
      ),
      column(3, 'Refunded', 'amount', ({ match }) => amountOf(match.refunded, match.scale)),
      column(1, 'Difference', 'difference', ({ match }) => amountOf(match.difference, match.scale)),
    ],
    {
      limit: found.length,
      remarks: (one) => matchRemarks(one, report),
      toneOf: ({ match }) => orderStateWords[match.state][1],
    },
  );
  if (found.length === count) return shown;
  const note = `Showing ${grouped(found.length)} of ${grouped(count)}; --format csv lists all.`;
  return { ...shown, note };
}

function matchRemarks({ number, match }: NumberedMatch, report: OrdersReport): readonly Remark[] {
  const { reason, payment, state, refund } = match;
  const other = report.matching.counterpart(number);
  const status = chargeStatus(match, report);
  const texts = present(
    payment !== undefined && state !== payment && `payment: ${orderStateWords[payment][0]}`,
    state === payment && refund !== 'none' && `refund: ${orderStateWords[refund][0]}`,
    reason && orderReasonWords[reason],
    other !== undefined &&
      `suggested: ${report.matching.match(other).reference} differs by the same amount the other way; one payment may be for both`,
    status && `its charge is ${status}: ${owedText(status)}`,
  );
  return texts.map((text) => plain(text));
}

/** What the status of a charge says of a missing order (doc 3.1). */
function owedText(status: string): string {
  if (status === 'completed' || status === 'settled') return 'the service owes it';
  return status.startsWith('not_') ? 'the shop is wrong' : 'ask the service';
}

/** A step of a ladder. */
interface Step {
  readonly name: string;
  readonly count: number;
  readonly minor: bigint;
  readonly isTotal?: true;
}

/** From what the shop expects to what is settled, exactly. */
function linesOf(ladder: OrderLadder): readonly Step[] {
  const { states, due, settled, ofOrders, withoutOrder } = ladder;
  const orders = states.filter(({ isOfRows }) => !isOfRows);
  const what = { orders: '', rows: ', rows without an order', foreign: ', rows of other orders' };
  return [
    {
      name: 'Expected by the shop',
      count: orders.reduce((sum, one) => sum + one.count, 0),
      minor: due,
    },
    ...stepsOf(ladder).map(({ of, state, count, minor }) => {
      return { name: orderStateWords[state][0] + what[of], count, minor };
    }),
    { name: 'Settled', count: ofOrders.rows + withoutOrder.rows, minor: settled, isTotal: true },
  ];
}

const stepColumns = (scale: number) => [
  column<Step>(1, 'Step', 'text', ({ name }) => name, 40),
  column<Step>(1, 'Count', 'integer', ({ count }) => count),
  column<Step>(1, 'Amount', 'amount', ({ minor }) => amountOf(minor, scale)),
];

function ladderOf(title: string, steps: readonly Step[], scale: number): Section {
  const isTotal = (one: Step) => one.isTotal === true;
  return section(
    title,
    steps.filter((one) => !isTotal(one)),
    stepColumns(scale),
    {
      totals: steps.filter(isTotal),
      limit: steps.length,
    },
  );
}

function shopLadder(ladder: OrderLadder): Section {
  return ladderOf(
    `From the shop to the settlements, ${ladder.currency}`,
    linesOf(ladder),
    ladder.scale,
  );
}

/** Which rows of the range have an order. */
function rowLadder({
  currency,
  scale,
  states,
  ofOrders,
  notCounted,
  settled,
}: OrderLadder): Section {
  const single = states.filter(({ isOfRows }) => isOfRows);
  const rows = [ofOrders, notCounted, ...single.map((one) => ({ rows: one.count }))];
  const steps: readonly Step[] = [
    { name: 'Rows of orders', count: ofOrders.rows, minor: ofOrders.minor },
    ...single.map((one) => ({
      name: orderStateWords[one.state][0],
      count: one.count,
      minor: one.settled,
    })),
    ...(notCounted.rows > 0
      ? [{ name: 'not counted', count: notCounted.rows, minor: notCounted.minor }]
      : []),
    {
      name: 'Rows of the range',
      count: rows.reduce((sum, one) => sum + one.rows, 0),
      minor: settled + notCounted.minor,
      isTotal: true,
    },
  ];
  return ladderOf(`Rows of the range, ${currency}`, steps, scale);
}

function ladderChart(ladder: OrderLadder): Chart {
  const { currency, scale } = ladder;
  const steps = linesOf(ladder);
  const isTotal = (one: Step) => one.isTotal === true;
  return {
    kind: 'chart',
    type: 'waterfall',
    text: 'Starts at what the shop expects, adds what each state changes, and ends at what is settled.',
    unit: currency,
    table: section(
      `From the shop to the settlements, ${currency}`,
      steps.filter((one) => !isTotal(one)),
      [
        column(1, 'Step', 'text', ({ name }) => name),
        column(1, 'Amount', 'amount', ({ minor }) => amountOf(minor, scale)),
      ],
      { totals: steps.filter(isTotal), limit: steps.length },
    ),
  };
}

function states({ matching: { ladders } }: OrdersReport): readonly Section[] {
  const lines = ladders.flatMap(({ currency, scale, states }) =>
    states.map((one) => ({ ...one, currency, scale })),
  );
  if (lines.length === 0) return [];
  return [
    section('Orders and rows by state', lines, [
      column(1, 'Currency', 'text', ({ currency }) => currency),
      column(1, 'State', 'text', ({ state }) => orderStateWords[state][0]),
      column(1, 'Orders', 'integer', ({ isOfRows, count }) => (isOfRows ? undefined : count)),
      column(2, 'Rows without order', 'integer', (one) => (one.isOfRows ? one.count : undefined)),
      column(2, 'Expected', 'amount', ({ due, scale }) => amountOf(due, scale)),
      column(2, 'Settled', 'amount', ({ settled, scale }) => amountOf(settled, scale)),
      column(1, 'Difference', 'difference', ({ due, settled, scale }) =>
        amountOf(settled - due, scale),
      ),
    ]),
  ];
}
