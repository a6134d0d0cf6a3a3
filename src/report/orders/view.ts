import { type CloseLadder, salesLadders } from '../../app/close-ladder.ts';
import {
  allMatches,
  chargeStatus,
  countInState,
  decidingStates,
  matchesIn,
  type NumberedMatch,
  numbered,
  type OrdersReport,
  ordersVerdict,
} from '../../app/orders-report.ts';
import { keysOf, tableOf } from '../../base/lists.ts';
import { type OrderLadder, stepsOf } from '../../match/orders/match-orders.ts';
import {
  asideStates,
  type OrderMatch,
  type OrderRow,
  type OrderState,
  openOrderStates,
} from '../../match/orders/order-match.ts';
import { ladderCharts } from '../close/lead.ts';
import { jsonLadderLine, ladderSections, ladderWords } from '../close/month.ts';
import { acceptanceRemarks } from '../common/acceptance.ts';
import {
  accountColumn,
  type CellColumn,
  column,
  listed,
  maxPageRows,
  maxScreenRows,
  plain,
  section,
  sectionIfAny,
} from '../common/blocks.ts';
import { amountOf, type Column, field, records } from '../common/columns.ts';
import { jsonEntry, jsonObject, jsonSettlementKey, jsonSum, jsonViews } from '../common/json.ts';
import { grouped, rangeText } from '../common/phrase.ts';
import type {
  Chart,
  Remark,
  ReportPage,
  Section,
  TableSheet,
  Tone,
  View,
  Views,
  Workbook,
} from '../common/view.ts';
import {
  maxSheetRows,
  sectionSheet,
  textBlocks,
  withRunningTotals,
  withTotals,
} from '../common/workbook.ts';
import { orderTexts } from './order-words.ts';
import { orderStateWords, ordersSummary, unreadableLineText } from './summary.ts';

/** The report of `recon orders`. A record is an order, or a row without an order. */
export function ordersViews(report: OrdersReport): Views {
  return {
    view: () => [...ordersView(report), ...listed('Next', ordersSummary(report).advice, '>')],
    page: () => ordersPage(report),
    records: () => records(orderColumns(report), allMatches(report)),
    workbook: () => ordersWorkbook(report),
    ...jsonViews(() => ordersJson(report)),
  };
}

function ordersView(report: OrdersReport): View {
  const { head, notes } = ordersSummary(report);
  return [
    ...head,
    ...decisions(report, maxScreenRows),
    ...ladders(report),
    ...rowSections(report),
    ...monthSections(report),
    ...stateSections(report),
    ...listed('Notes', notes),
  ];
}

function ordersPage(report: OrdersReport): ReportPage {
  const { head, notes } = ordersSummary(report);
  return [
    ...head,
    ...decisions(report, maxPageRows),
    ...(report.matching.months
      ? ladderCharts(salesOf(report), settlementsEnd)
      : report.matching.ladders.map(ladderChart)),
    ...rowSections(report),
    ...monthSections(report),
    ...stateSections(report),
    ...listed('Notes', notes),
  ];
}

function ordersWorkbook(report: OrdersReport): Workbook {
  const { counted, match } = report.matching;
  const all = counted.slice(0, maxSheetRows).map((number) => numbered(number, match(number)));
  const [decided] = decisions(report, maxSheetRows);
  const list = matchSection('Orders', all, counted.length, report);
  const cut = list.note ? [`Orders: ${list.note}`] : [];
  return {
    title: `Orders ${rangeText(report.range)}`,
    summary: textBlocks([...ordersView(report), ...listed('About the sheets', cut)]),
    tables: [
      ...ladderSheets(report),
      ...(decided ? [withTotals(sectionSheet('Decisions', decided))] : []),
      { ...withTotals(sectionSheet('Orders', list)), isUnprinted: true },
    ],
  };
}

/** The orders of a month that need a decision, if it has any. */
export function openOrders(report: OrdersReport, limit: number): readonly Section[] {
  return decided('Orders to decide', openOrderStates, limit, report);
}

/** Orders that need a decision, and rows that the shop does not know. */
function decisions(report: OrdersReport, limit: number): readonly Section[] {
  const open = decidingStates(report);
  const aside = asideStates.filter(
    (state) => state !== 'not_covered' && !open.some((one) => one === state),
  );
  const parts = [
    ['Orders that need a decision', open],
    ['Unknown to the shop', aside],
  ] as const;
  return parts.flatMap(([title, states]) => decided(title, states, limit, report));
}

function decided(
  title: string,
  states: readonly OrderState[],
  limit: number,
  report: OrdersReport,
): readonly Section[] {
  // A transaction of several orders is decided with these.
  const isTold = ({ match: { state, payment } }: NumberedMatch) => state !== 'ambiguous' || payment;
  const count = states.reduce(
    (sum, state) => sum + countInState(report, state, state === 'ambiguous' ? false : undefined),
    0,
  );
  const found = matchesIn(report, states, limit).filter(isTold);
  return count === 0 ? [] : [matchSection(`${title}: ${grouped(count)}`, found, count, report)];
}

function matchSection(
  title: string,
  found: readonly NumberedMatch[],
  count: number,
  report: OrdersReport,
): Section {
  const given = ({ match }: NumberedMatch) =>
    [match.refundedByShop, match.refunded, match.chargedBack].some(Boolean);
  // Without refunds, these are what is expected and settled.
  const ifGiven = (...columns: readonly CellColumn<NumberedMatch>[]) =>
    found.some(given) ? columns : [];
  const shown = section<NumberedMatch>(
    title,
    found,
    [
      column.text('State', ({ match }) => orderStateWords[match.state][0], { filters: true }),
      column.text('Order', ({ match }) => match.reference || (match.rows[0]?.reference ?? '')),
      column.day('Date', ({ match }) => match.documents[0]?.day ?? match.rows[0]?.settlement.date),
      accountColumn(report.names, ({ match }) => accountOf(match), { priority: 5 }),
      column.id('Charge', ({ match }) => match.rows[0]?.chargeId, { priority: 3 }),
      column.text('Currency', ({ match }) => match.currency),
      ...ifGiven(
        column.amount('Ordered', ({ match }) => match.expected, { priority: 3 }),
        column.amount('Refunded by shop', ({ match }) => match.refundedByShop, { priority: 3 }),
      ),
      column.amount('Expected', ({ match }) => (match.payment ? match.due : undefined)),
      ...ifGiven(
        column.amount('Paid', ({ match }) => match.settled, { priority: 3 }),
        column.amount('Refunded', ({ match }) => match.refunded, { priority: 3 }),
        column.amount('Charged back', ({ match }) => match.chargedBack, { priority: 3 }),
      ),
      column.amount('Settled', ({ match }) => match.net),
      column.difference('Difference', ({ match }) => match.difference),
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

function matchRemarks(one: NumberedMatch, report: OrdersReport): readonly Remark[] {
  const texts = orderTexts(one, report);
  return [...texts.map((text) => plain(text)), ...acceptanceRemarks(one.match.acceptance)];
}

/** Of a range of sales, the ladders of its close as far as the gross; none if not everything was read. */
function salesOf({ matching: { months = [] }, read }: OrdersReport): readonly CloseLadder[] {
  const isShown = ({ lines }: CloseLadder) => lines.some(({ minor }) => minor !== 0n);
  return read.complete ? salesLadders(months).filter(isShown) : [];
}

const settlementsEnd = 'settlements';

function ladders(report: OrdersReport): readonly Section[] {
  const { months, ladders } = report.matching;
  return months
    ? ladderSections(salesOf(report), settlementsEnd)
    : ladders.map((one) => ladderSection(one));
}

/** The steps from the expected amount of the orders to the settled amount, and from there to the settlements. */
function ladderSection(ladder: OrderLadder, totals: readonly Step[] = tiesOf(ladder)): Section {
  const { due, currency, scale } = ladder;
  const what = {
    orders: '',
    rows: ', transactions without an order',
    foreign: ', transactions of other orders',
  };
  const steps = stepsOf(ladder).map(({ of, state, minor }): Step => {
    const [words, tone] = orderStateWords[state];
    return [words + what[of], minor, tone];
  });
  return section<Step>(
    `From the shop to the settlements, ${currency}`,
    [['Expected by the shop', due], ...steps],
    [
      column.text('Step', ([name]) => name, { unbroken: 40 }),
      column.amount('Amount', ([, minor]) => amountOf(minor, scale)),
    ],
    { totals, toneOf: ([, , tone = 'plain']) => tone },
  );
}

type Step = readonly [name: string, minor: bigint, tone?: Tone];

/** From what counts to the gross of the settlements, as far as these are settled. */
function tiesOf({ settled, rows, pending, gross }: OrderLadder) {
  const ofSettled = rows.range.minor - pending;
  const lines = [
    [settledWords, settled, true],
    ['transactions that do not count', rows.notCounted.minor, rows.notCounted.count > 0],
    ['less pending settlements', -pending, pending !== 0n],
    [ofItSettled, ofSettled, ofSettled !== settled],
    ['Gross of the settlements', gross ?? 0n, gross !== undefined],
    [
      'Difference: see recon settlements',
      ofSettled - (gross ?? 0n),
      gross !== undefined && ofSettled !== gross,
    ],
  ] as const;
  return lines.flatMap(([name, minor, isThere]) => (isThere ? [[name, minor] as const] : []));
}

/** The ladders, whose totals are formulas over what stands above them. */
function ladderSheets(report: OrdersReport): readonly TableSheet[] {
  const all = report.matching.months ? salesOf(report) : report.matching.ladders;
  return ladders(report).map((one, at) => {
    const sheet = sectionSheet(`Ladder ${all[at]?.currency}`, one);
    const isTotal = (row: number) =>
      [settledWords, ofItSettled, `= ${ladderWords.gross[0]}`].some(
        (name) => name === sheet.rows[row]?.[0],
      );
    return withRunningTotals(sheet, 'Amount', isTotal);
  });
}

const settledWords = 'Settled';
const ofItSettled = 'Of it settled in the range';

function ladderChart(ladder: OrderLadder): Chart {
  return {
    kind: 'chart',
    type: 'ladder',
    text:
      'From what the shop expects to what is settled. Differences are on the right, at a scale of ' +
      'their own; what is waiting is not one.',
    unit: ladder.currency,
    table: ladderSection(ladder, [[settledWords, ladder.settled]]),
  };
}

function rowSections({ matching: { ladders } }: OrdersReport): readonly Section[] {
  return sectionIfAny('Transactions of the range', ladders, [
    column.text('Currency', ({ currency }) => currency),
    column.integer('Transactions', ({ rows }) => rows.range.count),
    column.amount('Of orders', ({ rows }) => rows.ofOrders.minor),
    column.amount('Without an order', ({ rows }) => rows.withoutOrder.minor),
    column.amount('Several matches', ({ rows }) => rows.ambiguous.minor),
    column.amount('Not counted', ({ rows }) => rows.notCounted.minor),
    column.amount('All transactions', ({ rows }) => rows.range.minor),
  ]);
}

function monthSections({ matching: { ladders } }: OrdersReport): readonly Section[] {
  const lines = ladders.flatMap(({ currency, scale, months }) =>
    months.map((one) => ({ ...one, currency, scale })),
  );
  return sectionIfAny('Orders by month of sale', lines, [
    column.text('Month', ({ month }) => month),
    column.text('Currency', ({ currency }) => currency),
    column.integer('Orders', ({ count }) => count),
    column.amount('Expected', ({ due }) => due),
    column.amount('Settled', ({ settled }) => settled),
    column.difference('Difference', ({ due, settled }) => settled - due),
  ]);
}

function stateSections({ matching: { ladders } }: OrdersReport): readonly Section[] {
  const lines = ladders.flatMap(({ currency, scale, states }) =>
    states.map((one) => ({ ...one, currency, scale })),
  );
  return sectionIfAny(
    'Orders and transactions by state',
    lines,
    [
      column.text('Currency', ({ currency }) => currency),
      column.text('State', ({ state }) => orderStateWords[state][0]),
      column.integer('Orders', ({ isOfRows, count }) => (isOfRows ? undefined : count)),
      column.integer('Transactions', ({ isOfRows, count }) => (isOfRows ? count : undefined)),
      column.amount('Expected', ({ due }) => due, { priority: 2 }),
      column.amount('Settled', ({ settled }) => settled, { priority: 2 }),
      column.difference('Difference', ({ due, settled }) => settled - due),
    ],
    { limit: lines.length },
  );
}

/** A row an order, or a row without an order. New columns go to the end. */
function orderColumns(report: OrdersReport): readonly Column<OrderMatch>[] {
  const ofRows = (key: string, value: (row: OrderRow) => string) =>
    field.list<OrderMatch>(key, ({ rows }) => [...new Set(rows.map(value))]);
  return [
    field.text('order_ref', ({ reference }) => reference),
    field.day('order_date', ({ documents }) => documents[0]?.day),
    field.text('state', ({ state, payment }) => payment ?? state),
    field.text('refund_state', ({ refund, payment }) => payment && refund),
    field.text('reason', ({ reason }) => reason),
    field.text('matched_by', ({ by }) => by),
    field.text('currency', ({ currency }) => currency),
    field.integer('decimal_places', ({ scale }) => scale),
    ...amounts.flatMap(([key, minor]) => [
      field.amount<OrderMatch>(key, minor),
      field.integer<OrderMatch>(`${key}_minor`, minor),
    ]),
    field.integer('age_days', ({ ageDays }) => ageDays),
    ofRows('settlement_dates', ({ settlement }) => settlement.date),
    ofRows('settlement_ids', ({ settlement }) => settlement.id),
    ofRows('charge_ids', ({ chargeId }) => chargeId),
    ofRows('transaction_ids', ({ id }) => id),
    ...field.account<OrderMatch>(report.names, accountOf),
    field.text('charge_status', (one) => chargeStatus(one, report)),
    field.list('order_place', ({ documents }) =>
      documents.map(({ place }) => `${place.file}:${place.line}`),
    ),
    field.list('row_references', ({ rows }) => [
      ...new Set(rows.flatMap(({ reference }) => reference || [])),
    ]),
    field.text('acceptance', ({ acceptance }) => acceptance?.state),
  ];
}

const amounts: readonly (readonly [key: string, minor: (one: OrderMatch) => bigint | undefined])[] =
  [
    ['expected', ({ expected }) => expected],
    ['settled', ({ settled }) => settled],
    ['refunded_by_shop', ({ refundedByShop }) => refundedByShop],
    ['refunded', ({ refunded }) => refunded],
    ['charged_back', ({ chargedBack }) => chargedBack],
    ['difference', ({ difference }) => difference],
  ];

/** The accounting token of an order, or else of its rows. */
function accountOf({ account, rows }: OrderMatch): string {
  return account || (rows[0]?.settlement.accountingToken ?? '');
}

/** The report in JSON: facts about it, and its lists by name. */
function ordersJson(report: OrdersReport) {
  const { orders, matching, mapping, read } = report;
  const sales = matching.months && salesOf(report);
  return {
    about: {
      range: report.range,
      profile: report.profile,
      filters: report.filters,
      verdict: ordersVerdict(report),
      files: report.files,
      fileDays: orders.days,
      daysWithoutSales: orders.gaps,
      methods: mapping.methods,
      note: mapping.note,
      types: report.types,
      timeZone: report.timeZone,
      settleDays: report.settleDays,
      orderTolerance: [...report.tolerances].map(([currency, minorUnits]) => {
        return { currency, minorUnits };
      }),
      completeness: {
        complete: read.complete && orders.unreadableLines === 0,
        settlements: read.settlements,
        transactions: read.transactions,
        orders: matching.orders,
        unreadableLines: orders.unreadableLines,
      },
      leftOut: {
        lines: orders.leftOut.lines,
        unreadableLines: orders.leftOut.unreadable,
        sums: orders.leftOut.sums.map(jsonSum),
        sheets: orders.leftOut.sheets,
      },
      findings: read.findings.map((entry) => jsonEntry(entry, 0)),
      notes: ordersSummary(report).notes,
    },
    lists: {
      ladders: ['ladder', matching.ladders.map((one) => jsonOrderLadder(one, sales))],
      orders: ['order', jsonMatches(report, 'orders')],
      rowsWithoutOrder: ['rowWithoutOrder', jsonMatches(report, 'rows')],
      unreadableLines: [
        'unreadableLine',
        orders.unreadable.map((one) => {
          return { ...one.place, column: one.column, message: `${unreadableLineText(one)}.` };
        }),
      ],
    },
  } as const;
}

/** The cells of the records, except those that are part of an amount or a settlement. */
function* jsonMatches(report: OrdersReport, part: 'orders' | 'rows') {
  const isOwn = ({ key }: { readonly key: string }) => !/_minor$|^settlement_/.test(key);
  const cells = jsonObject(orderColumns(report).filter(isOwn));
  for (const match of allMatches(report, part)) {
    const settlements = new Map(match.rows.map(({ settlement }) => [settlement.id, settlement]));
    const list = [...settlements.values()].map((one) => jsonSettlementKey(one, report.names));
    yield { ...cells(match), settlements: list };
  }
}

function jsonOrderLadder(ladder: OrderLadder, sales: readonly CloseLadder[] | undefined) {
  const { currency, scale, payable, paid, due, settled, pending, gross } = ladder;
  return {
    currency,
    scale,
    payableOrders: payable,
    settledOrders: paid,
    rows: tableOf(keysOf(ladder.rows), (part) => {
      const { minor, count } = ladder.rows[part];
      return { minor, scale, count };
    }),
    shop: due,
    steps: stepsOf(ladder).map(({ minor: amount, ...step }) => ({ ...step, amount })),
    settled,
    pending,
    gross,
    states: ladder.states.map(({ isOfRows, due, settled, ...one }) => {
      const of = isOfRows ? 'rows' : 'orders';
      return { ...one, of, due, settled };
    }),
    months: ladder.months,
    lines: sales?.find((one) => one.currency === currency)?.lines.map(jsonLadderLine) ?? [],
  };
}
