import {
  allMatches,
  chargeStatus,
  countInState,
  decidingStates,
  matchesIn,
  type NumberedMatch,
  type OrdersReport,
  ordersVerdict,
} from '../../app/orders-report.ts';
import { type OrderLadder, stepsOf } from '../../match/orders/match-orders.ts';
import { asideStates, type OrderState, orderKeys } from '../../match/orders/order-match.ts';
import { reconciliationTones } from '../bank/words.ts';
import {
  accountColumn,
  answerBlock,
  column,
  facts,
  listed,
  maxPageRows,
  maxScreenRows,
  minorColumns,
  plain,
  remark,
  remarks,
  section,
  sectionIfAny,
} from '../common/blocks.ts';
import { amountOf, records } from '../common/columns.ts';
import { jsonViews } from '../common/json.ts';
import {
  enumerate,
  filtersText,
  grouped,
  present,
  rangeText,
  wholeRangeText,
} from '../common/phrase.ts';
import type { Chart, Remark, ReportPage, Section, View, Views, Workbook } from '../common/view.ts';
import { maxSheetRows, sectionSheet, textBlocks } from '../common/workbook.ts';
import { accountOf, orderColumns, ordersJson } from './records.ts';
import {
  fileDaysText,
  orderKeyWords,
  orderReasonWords,
  orderStateWords,
  ordersAdvice,
  ordersCompleteness,
  ordersHeadline,
  ordersLabel,
  ordersNotes,
} from './words.ts';

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

function ordersHead(report: OrdersReport): View {
  const { range, filters, profile, mapping, files, read } = report;
  return [
    answerBlock(
      ordersLabel(report),
      reconciliationTones[ordersVerdict(report)],
      ordersHeadline(report),
    ),
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
    ...report.matching.ladders.map(ladderSection),
    ...rowSections(report),
    ...stateSections(report),
    ...listed('Notes', ordersNotes(report)),
  ];
}

function ordersPage(report: OrdersReport): ReportPage {
  return [
    ...ordersHead(report),
    ...report.matching.ladders.map(ladderChart),
    ...decisions(report, maxPageRows),
    ...rowSections(report),
    ...stateSections(report),
    ...listed('Notes', ordersNotes(report)),
  ];
}

function ordersWorkbook(report: OrdersReport): Workbook {
  const { size, match, ladders } = report.matching;
  const all = Array.from({ length: Math.min(size, maxSheetRows) }, (_, number) => {
    return { number, match: match(number) };
  });
  const [decided] = decisions(report, maxSheetRows);
  const list = matchSection('Orders', all, size, report);
  const cut = list.note ? [`Orders: ${list.note}`] : [];
  return {
    title: `Orders ${rangeText(report.range)}`,
    summary: textBlocks([...ordersView(report), ...listed('About the sheets', cut)]),
    tables: [
      ...ladders.map((one) => sectionSheet(`Ladder ${one.currency}`, ladderSection(one))),
      ...(decided ? [sectionSheet('Decisions', decided)] : []),
      sectionSheet('Orders', list),
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

const figures = minorColumns<NumberedMatch>(({ match }) => match.scale);

function matchSection(
  title: string,
  found: readonly NumberedMatch[],
  count: number,
  report: OrdersReport,
): Section {
  const shown = section<NumberedMatch>(
    title,
    found,
    [
      column.text('State', ({ match }) => orderStateWords[match.state][0], { filters: true }),
      column.text('Order', ({ match }) => match.reference),
      column.day('Date', ({ match }) => match.documents[0]?.day ?? match.rows[0]?.settlement.date),
      accountColumn(report.names, ({ match }) => accountOf(match), { priority: 5 }),
      column.id('Charge', ({ match }) => match.rows[0]?.chargeId, { priority: 3 }),
      column.text('Currency', ({ match }) => match.currency),
      figures.amount('Expected', ({ match }) => match.expected, { priority: 2 }),
      figures.amount('Settled', ({ match }) => match.settled, { priority: 2 }),
      figures.amount('Refunded by shop', ({ match }) => match.refundedByShop, { priority: 3 }),
      figures.amount('Refunded', ({ match }) => match.refunded, { priority: 3 }),
      figures.difference('Difference', ({ match }) => match.difference),
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

/** From what the shop expects to what is settled, exactly. */
function ladderSection(ladder: OrderLadder): Section {
  const { due, settled, currency, scale } = ladder;
  const what = { orders: '', rows: ', rows without an order', foreign: ', rows of other orders' };
  const steps = stepsOf(ladder).map(
    ({ of, state, minor }) => [orderStateWords[state][0] + what[of], minor] as const,
  );
  type Step = (typeof steps)[number];
  return section<Step>(
    `From the shop to the settlements, ${currency}`,
    [['Expected by the shop', due], ...steps],
    [
      column.text('Step', ([name]) => name, { unbroken: 40 }),
      column.amount('Amount', ([, minor]) => amountOf(minor, scale)),
    ],
    { totals: [['Settled', settled]], limit: steps.length + 1 },
  );
}

function ladderChart(ladder: OrderLadder): Chart {
  return {
    kind: 'chart',
    type: 'waterfall',
    text: 'Starts at what the shop expects, adds what each state changes, and ends at what is settled.',
    unit: ladder.currency,
    table: ladderSection(ladder),
  };
}

function rowSections({ matching: { ladders } }: OrdersReport): readonly Section[] {
  const { amount } = minorColumns<OrderLadder>(({ scale }) => scale);
  return sectionIfAny('Rows of the range', ladders, [
    column.text('Currency', ({ currency }) => currency),
    column.integer('Rows', ({ rows }) => rows.range.count),
    amount('Of orders', ({ rows }) => rows.ofOrders.minor),
    amount('Without an order', ({ rows }) => rows.withoutOrder.minor),
    amount('Several possible', ({ rows }) => rows.ambiguous.minor),
    amount('Not counted', ({ rows }) => rows.notCounted.minor),
    amount('All rows', ({ rows }) => rows.range.minor),
  ]);
}

function stateSections({ matching: { ladders } }: OrdersReport): readonly Section[] {
  const lines = ladders.flatMap(({ currency, scale, states }) =>
    states.map((one) => ({ ...one, currency, scale })),
  );
  const { amount, difference } = minorColumns<(typeof lines)[number]>(({ scale }) => scale);
  return sectionIfAny(
    'Orders and rows by state',
    lines,
    [
      column.text('Currency', ({ currency }) => currency),
      column.text('State', ({ state }) => orderStateWords[state][0]),
      column.integer('Orders', ({ isOfRows, count }) => (isOfRows ? undefined : count)),
      column.integer('Rows', ({ isOfRows, count }) => (isOfRows ? count : undefined)),
      amount('Expected', ({ due }) => due, { priority: 2 }),
      amount('Settled', ({ settled }) => settled, { priority: 2 }),
      difference('Difference', ({ due, settled }) => settled - due),
    ],
    { limit: lines.length },
  );
}
