import {
  allMatches,
  chargeStatus,
  type OrdersReport,
  ordersVerdict,
} from '../../app/orders-report.ts';
import { keysOf, tableOf } from '../../base/lists.ts';
import { type OrderLadder, stepsOf } from '../../match/orders/match-orders.ts';
import type { OrderMatch, OrderRow } from '../../match/orders/order-match.ts';
import { amountOf, type Column, field } from '../common/columns.ts';
import { jsonAmount, jsonEntry, jsonObject, jsonSettlementKey } from '../common/json.ts';
import { ordersNotes, unreadableLineText } from './words.ts';

/** A row an order, or a row without an order. New columns go to the end. */
export function orderColumns(report: OrdersReport): readonly Column<OrderMatch>[] {
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
      field.amount<OrderMatch>(key, (one) => amountOf(minor(one), one.scale)),
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
export function accountOf({ account, rows }: OrderMatch): string {
  return account || (rows[0]?.settlement.accountingToken ?? '');
}

/** What the report says of itself in JSON, and its lists by name. */
export function ordersJson(report: OrdersReport) {
  const { orders, matching, mapping, read } = report;
  return {
    about: {
      range: report.range,
      profile: report.profile ?? null,
      filters: report.filters,
      verdict: ordersVerdict(report),
      files: report.files,
      fileDays: orders.days ?? null,
      daysWithoutSales: orders.gaps,
      methods: mapping.methods,
      note: mapping.note,
      types: report.types,
      timeZone: report.timeZone,
      settleDays: report.settleDays,
      completeness: {
        complete: read.complete && orders.unreadableLines === 0,
        settlements: read.settlements,
        transactions: read.transactions,
        orders: matching.orders,
        unreadableLines: orders.unreadableLines,
      },
      findings: read.findings.map((entry) => jsonEntry(entry, 0)),
      notes: ordersNotes(report),
    },
    lists: {
      ladders: ['ladder', matching.ladders.map(jsonLadder)],
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

/** The cells of their records, without what an amount or a settlement has within. */
function* jsonMatches(report: OrdersReport, part: 'orders' | 'rows') {
  const isOwn = ({ key }: { readonly key: string }) => !/_minor$|^settlement_/.test(key);
  const cells = jsonObject(orderColumns(report).filter(isOwn));
  for (const match of allMatches(report, part)) {
    const settlements = new Map(match.rows.map(({ settlement }) => [settlement.id, settlement]));
    const list = [...settlements.values()].map((one) => jsonSettlementKey(one, report.names));
    yield { ...cells(match), settlements: list };
  }
}

function jsonLadder(ladder: OrderLadder) {
  const { currency, scale, states, rows } = ladder;
  const amount = (minor: bigint) => jsonAmount(minor, scale);
  return {
    ...{ currency, decimalPlaces: scale },
    ...{ payableOrders: ladder.payable, settledOrders: ladder.paid },
    rows: tableOf(keysOf(rows), (part) => {
      return { ...amount(rows[part].minor), count: rows[part].count };
    }),
    shop: amount(ladder.due),
    steps: stepsOf(ladder).map(({ minor, ...step }) => ({ ...step, amount: amount(minor) })),
    settled: amount(ladder.settled),
    states: states.map(({ isOfRows, due, settled, ...one }) => ({
      ...one,
      ...{ of: isOfRows ? 'rows' : 'orders', due: amount(due), settled: amount(settled) },
    })),
  };
}
