import { expect, test } from 'vitest';
import {
  checkOrders,
  countInState,
  daysToRead,
  ordersVerdict,
} from '../../src/app/orders-report.ts';
import { settingTable } from '../../src/config/table.ts';
import type { RowTypes } from '../../src/match/orders/order-rows.ts';
import type { OrdersCsv } from '../../src/model/orders.ts';
import type { Row } from '../../src/model/row.ts';
import { readOrders } from '../../src/orders/read-orders.ts';
import type { AcceptedDifferences } from '../../src/reconcile/acceptance.ts';
import { ordersSummary } from '../../src/report/orders/summary.ts';
import { uuid } from '../support/build.ts';
import { FakeSource, rowOf } from './fake-source.ts';
import { euros, march, yen } from './month.ts';

const columns = { order: 'order', date: 'day', total: 'total', currency: 'currency', methods: [] };

function mappingOf(): OrdersCsv {
  const text = JSON.stringify(columns);
  const read = settingTable.orders_csv.parse({ key: 'orders_csv', text, origin: 'default' });
  if (!read) throw new Error('No mapping');
  return read;
}

const mapping = mappingOf();

const noted = (reference: string) => [{ key: 'merchant_order_ref', value: reference }];

function shop(...lines: readonly string[]) {
  const text = `order,day,total,currency\n${lines.join('\n')}\n`;
  const file = {
    name: 'march.csv',
    async *blocks() {
      yield Buffer.from(text);
    },
  };
  return readOrders([file], { mapping, timeZone: undefined, tokens: new Map() });
}

async function check(
  lines: readonly string[],
  rows: readonly Partial<Row>[] = [{}],
  types: RowTypes = { purchases: [], refunds: [], chargebacks: [] },
  accepted?: AcceptedDifferences,
) {
  const source = new FakeSource([euros, yen], {
    [euros.id]: {
      batches: [
        rows.map((one, at) =>
          rowOf(euros.id, {
            id: uuid(at + 1),
            chargeId: uuid(at + 11),
            notes: noted('A1'),
            ...one,
          }),
        ),
      ],
    },
    [yen.id]: {
      batches: [[rowOf(yen.id, { currency: 'JPY', scale: 0, amount: 1_000n, notes: noted('B1') })]],
    },
  });
  return checkOrders({
    ...march,
    source,
    ahead: 2,
    rules: {},
    orders: await shop(...lines),
    mapping,
    types,
    settleDays: 7,
    tolerances: new Map([['EUR', 1]]),
    accepted,
    timeZone: 'UTC',
    lastDay: '2026-04-30',
    live: undefined,
    columnsWith: async () => new Map(),
    files: ['march.csv'],
    sales: march.range,
    onLaterDays: () => undefined,
    decidesBy: [],
    profile: undefined,
    names: new Map(),
    flags: '',
  });
}

test('orders of two currencies that were settled in full are reconciled', async () => {
  const report = await check(['A1,2026-03-04,10.00,EUR', 'B1,2026-03-04,1000,JPY']);
  expect(ordersVerdict(report)).toBe('reconciled');
  expect(countInState(report, 'settled')).toBe(2);
});

test('an order that was never settled is missing', async () => {
  const report = await check(['A1,2026-03-04,10.00,EUR', 'A2,2026-03-04,20.00,EUR']);
  expect(ordersVerdict(report)).toBe('not_reconciled');
  expect(countInState(report, 'missing_in_settlements')).toBe(1);
});

const yenOrder = 'B1,2026-03-04,1000,JPY';

test.each<readonly [what: string, total: string, rows: readonly Partial<Row>[], reason: string]>([
  ['lowered', '9.50', [{}, { amount: -50n }], 'lowered'],
  [
    'paid twice, and refunded in parts',
    '10.00',
    [{}, {}, { amount: -400n }, { amount: -600n }],
    'surplus_refunded',
  ],
])('an order is settled where the net agrees: %s', async (_, total, rows, reason) => {
  const report = await check([`A1,2026-03-04,${total},EUR`, yenOrder], rows);
  expect(ordersVerdict(report)).toBe('reconciled');
  expect(report.matching.match(0)).toMatchObject({ payment: 'settled', refund: 'none', reason });
  expect(ordersSummary(report).advice).toEqual([]);
});

test('what differs within the tolerance of its currency is counted and summed apart', async () => {
  const report = await check(['A1,2026-03-04,10.01,EUR', 'B1,2026-03-04,1001,JPY']);
  expect(report.matching.match(0)).toMatchObject({ payment: 'small_difference', difference: -1n });
  expect(report.matching.match(1)).toMatchObject({ payment: 'amount_differs', difference: -1n });
  expect(ordersSummary(report).conclusion[0]).toContain('1 is within the tolerance: -0.01 EUR.');
  const small = await check(
    ['A1,2026-03-04,0.01,EUR', yenOrder],
    [{ amount: 2n }, { amount: -1n }],
  );
  expect(small.matching.match(0)).toMatchObject({ payment: 'settled', difference: 0n });
  const missing = await check(['A2,2026-03-04,0.01,EUR', yenOrder]);
  expect(missing.matching.match(0).payment).toBe('missing_in_settlements');
});

test('only an order without any refund is one to refund, and the days that were searched are said', async () => {
  const order = 'A1,2026-03-04,10.00,EUR';
  const twice = await check([order, yenOrder], [{}, {}]);
  expect(twice.matching.match(0)).toMatchObject({ payment: 'settled_twice', difference: 1_000n });
  const [advice] = ordersSummary(twice).advice;
  expect(advice).toContain('no refund of A1 was found up to 2026-04-30');
  const partly = await check([order, yenOrder], [{}, {}, { amount: -300n }]);
  expect(partly.matching.match(0)).toMatchObject({ payment: 'settled_twice', difference: 700n });
  const rest = ordersSummary(partly).advice.join();
  expect(rest).toContain('no other refund of A1 was found up to 2026-04-30');
  expect(rest).not.toMatch(/refund the customer|wrong payment/);
});

test('full payments that are days apart are no double payment', async () => {
  const rows = ['2026-03-02', '2026-03-09'].map((day) => ({ timestamp: `${day}T10:00:00Z` }));
  const report = await check(['A1,2026-03-01,10.00,EUR', yenOrder], rows);
  const found = { payment: 'amount_differs', reason: 'several_payments', difference: 1_000n };
  expect(report.matching.match(0)).toMatchObject(found);
});

test('types that no setting names are named with their sums, and so are orders settled without them', async () => {
  const rows = [{}, { type: 'dispute', amount: -1_000n }];
  const types = { purchases: ['purchase'], refunds: ['refund'], chargebacks: [] };
  const report = await check(['A1,2026-03-04,10.00,EUR', yenOrder], rows, types);
  expect(report.matching.match(0)).toMatchObject({ payment: 'settled', reason: 'row_left_out' });
  const { conclusion } = ordersSummary(report);
  expect(conclusion[0]).toContain(
    '1 of them only without a transaction whose type does not count.',
  );
  expect(conclusion).toContain('Types that do not count: dispute (1 transaction, -10.00 EUR).');
});

test('the days to read are those of the files and the days of settling, as far as data go', async () => {
  const orders = await shop('A1,2026-03-04,10.00,EUR', 'A2,2026-03-20,10.00,EUR');
  const known = { from: '', to: '2026-03-25' };
  expect(daysToRead(orders, 3, known)).toEqual({ from: '2026-03-04', to: '2026-03-23' });
  expect(daysToRead(orders, 30, known)).toEqual({ from: '2026-03-04', to: '2026-03-25' });
});
