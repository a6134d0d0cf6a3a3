import { expect, test } from 'vitest';
import {
  checkOrders,
  countInState,
  daysToRead,
  ordersVerdict,
} from '../../src/app/orders-report.ts';
import { settingTable } from '../../src/config/table.ts';
import type { OrdersCsv } from '../../src/model/orders.ts';
import { readOrders } from '../../src/orders/read-orders.ts';
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

async function check(lines: readonly string[]) {
  const source = new FakeSource([euros, yen], {
    [euros.id]: { batches: [[rowOf(euros.id, { notes: noted('A1') })]] },
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
    types: { purchases: [], refunds: [], chargebacks: [] },
    settleDays: 7,
    timeZone: 'UTC',
    lastDay: '2026-04-30',
    live: undefined,
    columnsWith: async () => new Map(),
    files: ['march.csv'],
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

test('the days to read are those of the files and the days of settling, as far as data go', async () => {
  const orders = await shop('A1,2026-03-04,10.00,EUR', 'A2,2026-03-20,10.00,EUR');
  const known = { from: '', to: '2026-03-25' };
  expect(daysToRead(orders, 3, known)).toEqual({ from: '2026-03-04', to: '2026-03-23' });
  expect(daysToRead(orders, 30, known)).toEqual({ from: '2026-03-04', to: '2026-03-25' });
});
