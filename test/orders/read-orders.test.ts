import { describe, expect, test } from 'vitest';
import type { OrdersCsv } from '../../src/model/orders.ts';
import { readOrders } from '../../src/orders/read-orders.ts';

const mapping: OrdersCsv = {
  delimiter: ',',
  skip_lines: 0,
  header: true,
  decimal: '.',
  date_format: 'YYYY-MM-DD',
  date: 'Date',
  methods: [],
  order: 'Order',
  note: 'order',
  strip_zeros: false,
  total: 'Total',
  currency: 'Currency',
  only: {},
  not_due: [],
  unpaid_words: [],
  cancelled_words: [],
  refund_words: [],
};

const header = 'Order,Date,Total,Currency';

async function ordersOf(...files: readonly (readonly string[])[]) {
  const named = files.map((lines, index) => ({
    name: `${index + 1}.csv`,
    blocks: async function* () {
      yield Buffer.from([...lines, ''].join('\r\n'));
    },
  }));
  const orders = await readOrders(named, { mapping, timeZone: undefined, tokens: new Map() });
  const sales = Array.from({ length: orders.size }, (_, order) =>
    orders.documents(order).map((one) => `${orders.reference(order)} ${one.total} ${one.currency}`),
  );
  return { orders, sales: sales.flat() };
}

const sales = ['1001 1200 EUR', '1002 900 EUR'];
const [one, two] = ['1001,2026-02-27,12.00,EUR', '1002,2026-03-02,9.00,EUR'];

describe('two order files', () => {
  test('give the same orders as one file that joins them, with both headers', async () => {
    const apart = await ordersOf([header, one], [header, two]);
    const joined = await ordersOf([header, one, header, two]);
    expect([apart.sales, joined.sales]).toEqual([sales, sales]);
    expect(joined.orders.unreadable).toEqual([]);
    expect(joined.orders.unreadableLines).toBe(0);
  });

  test('may both have an order, which counts once, and is a conflict if they disagree', async () => {
    const { orders, sales: found } = await ordersOf([header, one], [header, one, two]);
    expect(found).toEqual(sales);
    expect(orders.isConflicting(0)).toBe(false);
    const other = await ordersOf([header, one], [header, one.replace('12.00', '12.01')]);
    expect([other.orders.size, other.orders.isConflicting(0)]).toEqual([1, true]);
  });

  test('may have other currencies and decimals, which are never mixed', async () => {
    const yen = '1003,2026-03-02,1200,JPY';
    const dinar = '1004,2026-03-02,1.200,KWD';
    const { sales: found, orders } = await ordersOf([header, one], [header, yen, dinar]);
    expect(found).toEqual(['1001 1200 EUR', '1003 1200 JPY', '1004 1200 KWD']);
    expect([...orders.currencies].sort()).toEqual(['EUR', 'JPY', 'KWD']);
  });
});

test('a line break in an order number does not make its first line an account', async () => {
  const broken = '"1001\n1002",2026-02-27,12.00,EUR';
  const { orders, sales: found } = await ordersOf([header, broken, two]);
  expect(found).toEqual(['1001 1002 1200 EUR', '1002 900 EUR']);
  expect([orders.account(0), orders.account(1)]).toEqual(['', '']);
});
