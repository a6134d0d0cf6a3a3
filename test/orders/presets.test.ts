import { parse } from 'smol-toml';
import { expect, test } from 'vitest';
import { settingTable } from '../../src/config/table.ts';
import { orderPresets, presetIn } from '../../src/orders/presets.ts';
import { proposedOrders } from '../../src/orders/proposal.ts';
import { readOrders } from '../../src/orders/read-orders.ts';
import { fileMapping } from '../../src/report/mapping/template.ts';

/**
 * The same eight orders in the form of each shop: by card; with two items; refunded in part; refunded; failed; by
 * bank transfer; of 100.00 with a gift card of 30.00; by card, of which no payment will be found.
 */
interface Layout {
  readonly keys: Readonly<Record<string, unknown>>;
  readonly lines: readonly string[];
  /** What the service owes for each, if the file says so; in cents. */
  readonly due?: Readonly<Record<string, bigint>>;
  /** Orders whose other methods the file does not tell apart. */
  readonly unclear?: readonly string[];
}

const right: Readonly<Record<string, bigint>> = {
  ...{ A1: 2300n, A2: 4500n, A3: 3000n, A4: 0n, A5: 0n, A6: 0n, A7: 7000n, A8: 1500n },
};
const withoutRefunds = { A3: 5000n, A4: 2500n };
const wholeGift = { A7: 10_000n };

const layouts: Readonly<Record<string, Layout>> = {
  shopify: {
    keys: { methods: ['Card Payments'], strip_prefix: '#' },
    lines: [
      'Name,Email,Financial Status,Paid at,Currency,Total,Created at,Lineitem name,Cancelled at,Payment Method,Refunded Amount,Id,Outstanding Balance',
      '#A1,a@shop.example,paid,2026-03-02 10:00:00 +0100,EUR,23.00,2026-03-02 10:00:00 +0100,Pen,,Card Payments,0.00,1,0.00',
      '#A2,a@shop.example,paid,2026-03-02 10:00:00 +0100,EUR,45.00,2026-03-02 10:00:00 +0100,Pen,,Card Payments,0.00,2,0.00',
      '#A2,a@shop.example,,,,,2026-03-02 10:00:00 +0100,Ink,,,,,',
      '#A3,a@shop.example,partially_refunded,2026-03-02 10:00:00 +0100,EUR,50.00,2026-03-02 10:00:00 +0100,Pen,,Card Payments,20.00,3,0.00',
      '#A4,a@shop.example,refunded,2026-03-02 10:00:00 +0100,EUR,25.00,2026-03-02 10:00:00 +0100,Pen,,Card Payments,25.00,4,0.00',
      '#A5,a@shop.example,voided,,EUR,31.00,2026-03-02 10:00:00 +0100,Pen,,Card Payments,0.00,5,31.00',
      '#A6,a@shop.example,paid,2026-03-02 10:00:00 +0100,EUR,61.00,2026-03-02 10:00:00 +0100,Pen,,Bank Deposit,0.00,6,0.00',
      '#A7,a@shop.example,paid,2026-03-02 10:00:00 +0100,EUR,100.00,2026-03-02 10:00:00 +0100,Pen,,Card Payments + Gift Card,0.00,7,0.00',
      '#A8,a@shop.example,paid,2026-03-02 10:00:00 +0100,EUR,15.00,2026-03-02 10:00:00 +0100,Pen,,Card Payments,0.00,8,0.00',
    ],
    due: wholeGift,
    unclear: ['A7'],
  },
  magento: {
    keys: { currency: 'EUR', methods: ['cards'] },
    lines: [
      '"ID","Purchase Point","Purchase Date","Grand Total (Base)","Grand Total (Purchased)","Status","Payment Method","Total Refunded"',
      '"A1","Shop","Mar 2, 2026 10:00:00 AM","23.0000","23.0000","Complete","cards","0.0000"',
      '"A2","Shop","Mar 2, 2026 10:00:00 AM","45.0000","45.0000","Processing","cards",""',
      '"A3","Shop","Mar 2, 2026 10:00:00 AM","50.0000","50.0000","Complete","cards","20.0000"',
      '"A4","Shop","Mar 2, 2026 10:00:00 AM","25.0000","25.0000","Closed","cards","25.0000"',
      '"A5","Shop","Mar 2, 2026 10:00:00 AM","31.0000","31.0000","Pending Payment","cards",""',
      '"A6","Shop","Mar 2, 2026 10:00:00 AM","61.0000","61.0000","Processing","banktransfer",""',
      '"A7","Shop","Mar 2, 2026 10:00:00 AM","70.0000","70.0000","Processing","cards",""',
      '"A8","Shop","Mar 2, 2026 10:00:00 AM","15.0000","15.0000","payment_accepted","cards",""',
    ],
  },
  bigcommerce: {
    keys: { methods: ['Cards'] },
    lines: [
      'Order ID,Order Date,Order Status,Order Total (inc tax),Order Currency Code,Payment Method,Store Credit Redeemed,Gift Certificate Amount Redeemed,Refund Amount',
      'A1,03/02/2026,Completed,23.00,EUR,Cards,0.00,0.00,0.00',
      'A2,03/02/2026,Shipped,45.00,EUR,Cards,0.00,0.00,0.00',
      'A3,03/02/2026,Partially Refunded,50.00,EUR,Cards,0.00,0.00,20.00',
      'A4,03/02/2026,Refunded,25.00,EUR,Cards,0.00,0.00,25.00',
      'A5,03/02/2026,Declined,31.00,EUR,Cards,0.00,0.00,0.00',
      'A6,03/02/2026,Completed,61.00,EUR,Bank Deposit,0.00,0.00,0.00',
      'A7,03/02/2026,Completed,100.00,EUR,Cards,0.00,30.00,0.00',
      'A8,03/02/2026,Completed,15.00,EUR,Cards,0.00,0.00,0.00',
    ],
  },
  woocommerce: {
    keys: { methods: ['cards'], not_due: ['meta:_gift_cards'] },
    lines: [
      'order_id,order_number,order_date,paid_date,status,order_total,order_currency,payment_method,payment_method_title,transaction_id,refund_items,meta:_gift_cards,line_item_1,line_item_2',
      '1,A1,2026-03-02 10:00:00,2026-03-02 10:01:00,completed,23.00,EUR,cards,Card,x1,,,name:Pen,',
      '2,A2,2026-03-02 10:00:00,2026-03-02 10:01:00,processing,45.00,EUR,cards,Card,x2,,,name:Pen,name:Ink',
      '3,A3,2026-03-02 10:00:00,2026-03-02 10:01:00,completed,50.00,EUR,cards,Card,x3,"amount:20.00|reason:",,name:Pen,',
      '4,A4,2026-03-02 10:00:00,2026-03-02 10:01:00,refunded,25.00,EUR,cards,Card,x4,"amount:25.00|reason:",,name:Pen,',
      '5,A5,2026-03-02 10:00:00,,failed,31.00,EUR,cards,Card,,,,name:Pen,',
      '6,A6,2026-03-02 10:00:00,2026-03-02 10:01:00,completed,61.00,EUR,bacs,Bank transfer,,,,name:Pen,',
      '7,A7,2026-03-02 10:00:00,2026-03-02 10:01:00,completed,100.00,EUR,cards,Card,x7,,30.00,name:Pen,',
      '8,A8,2026-03-02 10:00:00,2026-03-02 10:01:00,processing,15.00,EUR,cards,Card,x8,,,name:Pen,',
    ],
    due: withoutRefunds,
  },
  woocommerce_advanced: {
    keys: { currency: 'EUR', methods: ['Credit card'] },
    lines: [
      'Order Number,Order Status,Order Date,Email (Billing),Payment Method Title,Cart Discount Amount,Order Subtotal Amount,Order Refund Amount,Order Total Amount,SKU,Item #,Item Name',
      'A1,Completed,2026-03-02 10:00,a@shop.example,Credit card,0,23,,23.00,P,1,Pen',
      'A2,Processing,2026-03-02 10:00,a@shop.example,Credit card,0,45,,45.00,P,1,Pen',
      ',,,,,,,,,I,2,Ink',
      'A3,Completed,2026-03-02 10:00,a@shop.example,Credit card,0,50,20.00,50.00,P,1,Pen',
      'A4,Refunded,2026-03-02 10:00,a@shop.example,Credit card,0,25,25.00,25.00,P,1,Pen',
      'A5,Failed,2026-03-02 10:00,a@shop.example,Credit card,0,31,,31.00,P,1,Pen',
      'A6,Completed,2026-03-02 10:00,a@shop.example,Direct bank transfer,0,61,,61.00,P,1,Pen',
      'A7,Completed,2026-03-02 10:00,a@shop.example,Credit card,0,100,,70.00,P,1,Pen',
      'A8,Processing,2026-03-02 10:00,a@shop.example,Credit card,0,15,,15.00,P,1,Pen',
    ],
  },
  shopware: {
    keys: { currency: 'EUR', methods: [] },
    lines: [
      'id;order_number;sales_channel_id;customer_email;amount_total;order_state_id;line_items;order_date_time',
      ...['A1;s;a@shop.example;23', 'A2;s;a@shop.example;45.0', 'A3;s;a@shop.example;50'].map(
        (line, at) => `${at}x;${line};f;"1x Pen";2026-03-02T10:00:00.000+00:00`,
      ),
      ...['A4;s;b@shop.example;25', 'A5;s;b@shop.example;31', 'A6;s;b@shop.example;61'].map(
        (line, at) => `${at}y;${line};f;"1x Pen|2x Ink";2026-03-02T10:00:00.000+00:00`,
      ),
      '7z;A7;s;c@shop.example;100;f;"1x Pen";2026-03-02T10:00:00.000+00:00',
      '8z;A8;s;c@shop.example;15;f;"1x Pen";2026-03-02T10:00:00.000+00:00',
    ],
    // The default profile has no method, no status and no refund.
    due: { ...withoutRefunds, ...wholeGift, A5: 3100n, A6: 6100n },
  },
  prestashop: {
    keys: { currency: 'EUR', methods: ['Payment by card'] },
    lines: [
      'ID;Reference;"New client";Delivery;Customer;Total;Payment;Status;Date',
      '1;A1;1;Spain;"A. Name";€23.00;"Payment by card";"Payment accepted";"2026-03-02 10:00:00"',
      '2;A2;0;Spain;"A. Name";€45.00;"Payment by card";Shipped;"2026-03-02 10:00:00"',
      '3;A3;0;Spain;"A. Name";€50.00;"Payment by card";"Partial refund";"2026-03-02 10:00:00"',
      '4;A4;0;Spain;"A. Name";25.00 €;"Payment by card";Refunded;"2026-03-02 10:00:00"',
      '5;A5;0;Spain;"A. Name";€31.00;"Payment by card";"Payment error";"2026-03-02 10:00:00"',
      '6;A6;0;Spain;"A. Name";€1,061.00;"Bank transfer";"Payment accepted";"2026-03-02 10:00:00"',
      '7;A7;0;Spain;"A. Name";€70.00;"Payment by card";Delivered;"2026-03-02 10:00:00"',
      '8;A8;0;Spain;"A. Name";15.00;"Payment by card";"Payment accepted";"2026-03-02 10:00:00"',
    ],
    due: withoutRefunds,
  },
  pretix_orders: {
    keys: { currency: 'EUR', methods: ['cards'] },
    lines: [
      'Event slug,Order code,Order total,Status,Email,Order date,Order time,Date of last payment,Fees,Payment providers',
      'conf,A1,23.00,paid,a@shop.example,2026-03-02,10:00:00,2026-03-02,0.00,cards',
      'conf,A2,45.00,paid,a@shop.example,2026-03-02,10:00:00,2026-03-02,0.00,cards',
      // The total is what is left after the refund.
      'conf,A3,30.00,paid,a@shop.example,2026-03-02,10:00:00,2026-03-02,0.00,cards',
      'conf,A4,25.00,canceled,a@shop.example,2026-03-02,10:00:00,2026-03-02,0.00,cards',
      'conf,A5,31.00,expired,a@shop.example,2026-03-02,10:00:00,,0.00,cards',
      'conf,A6,61.00,paid,a@shop.example,2026-03-02,10:00:00,2026-03-02,0.00,banktransfer',
      'conf,A7,100.00,paid,a@shop.example,2026-03-02,10:00:00,2026-03-02,0.00,"cards,giftcard"',
      'conf,A8,15.00,paid,a@shop.example,2026-03-02,10:00:00,2026-03-02,0.00,cards',
    ],
    due: wholeGift,
    unclear: ['A7'],
  },
  pretix_payments: {
    keys: { currency: 'EUR', methods: ['Cards'] },
    lines: [
      'Event slug,Order,Payment ID,Creation date,Completion date,Status,Status code,Amount,Payment method,Comment',
      'conf,A1,A1-P-1,2026-03-02,2026-03-02,confirmed,confirmed,23.00,Cards,',
      'conf,A2,A2-P-1,2026-03-02,2026-03-02,confirmed,confirmed,45.00,Cards,',
      'conf,A3,A3-P-1,2026-03-02,2026-03-02,confirmed,confirmed,50.00,Cards,',
      'conf,A3,A3-R-1,2026-03-03,,in transit,transit,-20.00,Cards,',
      'conf,A3,A3-R-2,2026-03-03,,failed,failed,-20.00,Cards,',
      'conf,A4,A4-P-1,2026-03-02,2026-03-02,refunded,refunded,25.00,Cards,',
      'conf,A4,A4-R-1,2026-03-03,2026-03-03,done,done,-25.00,Cards,',
      'conf,A5,A5-P-1,2026-03-02,,failed,failed,31.00,Cards,',
      'conf,A6,A6-P-1,2026-03-02,2026-03-02,confirmed,confirmed,61.00,Bank transfer,',
      'conf,A7,A7-P-1,2026-03-02,2026-03-02,confirmed,confirmed,30.00,Gift card,',
      'conf,A7,A7-P-2,2026-03-02,2026-03-02,confirmed,confirmed,70.00,Cards,',
      'conf,A8,A8-P-1,2026-03-02,2026-03-02,confirmed,confirmed,15.00,Cards,',
    ],
  },
  square: {
    keys: { currency: 'USD', methods: [] },
    lines: [
      'Date,Time,Time Zone,Gross Sales,Gift Card Sales,Tax,Tip,Partial Refunds,Total Collected,Card,Card Entry Methods,Cash,Square Gift Card,Fees,Net Total,Transaction ID,Payment ID,Event Type,Refund Reason,Transaction Status',
      '03/02/2026,10:00:00,Eastern Time (US & Canada),$23.00,$0.00,$0.00,$0.00,$0.00,$23.00,$23.00,Tapped,$0.00,$0.00,-$0.60,$22.40,A1,p1,Payment,,Complete',
      '03/02/2026,10:00:00,Eastern Time (US & Canada),$45.00,$0.00,$0.00,$0.00,$0.00,$45.00,$45.00,Tapped,$0.00,$0.00,-$1.20,$43.80,A2,p2,Payment,,Complete',
      '03/02/2026,10:00:00,Eastern Time (US & Canada),$50.00,$0.00,$0.00,$0.00,$0.00,$50.00,$50.00,Tapped,$0.00,$0.00,-$1.30,$48.70,A3,p3,Payment,,Complete',
      '03/03/2026,10:00:00,Eastern Time (US & Canada),-$20.00,$0.00,$0.00,$0.00,$0.00,-$20.00,-$20.00,N/A,$0.00,$0.00,$0.50,-$19.50,A3,p3r,Refund,Returned,Complete',
      '03/02/2026,10:00:00,Eastern Time (US & Canada),$25.00,$0.00,$0.00,$0.00,$0.00,$25.00,$25.00,Tapped,$0.00,$0.00,-$0.70,$24.30,A4,p4,Payment,,Complete',
      '03/03/2026,10:00:00,Eastern Time (US & Canada),-$25.00,$0.00,$0.00,$0.00,$0.00,-$25.00,-$25.00,N/A,$0.00,$0.00,$0.00,-$25.00,A4,p4r,Refund,Returned,Complete',
      '03/02/2026,10:00:00,Eastern Time (US & Canada),$61.00,$0.00,$0.00,$0.00,$0.00,$61.00,$0.00,N/A,$61.00,$0.00,$0.00,$61.00,A6,p6,Payment,,Complete',
      '03/02/2026,10:00:00,Eastern Time (US & Canada),$100.00,$0.00,$0.00,$0.00,$0.00,$100.00,$70.00,Tapped,$0.00,$30.00,-$1.90,$98.10,A7,p7,Payment,,Complete',
      '03/02/2026,10:00:00,Eastern Time (US & Canada),$15.00,$0.00,$0.00,$0.00,$0.00,$15.00,$15.00,Tapped,$0.00,$0.00,-$0.40,$14.60,A8,p8,Payment,,Complete',
    ],
  },
  stripe: {
    keys: {
      order: 'order_id (metadata)',
      methods: [],
    },
    lines: [
      'id,Created date (UTC),Amount,Amount Refunded,Currency,Captured,Description,Fee,Refunded date (UTC),Mode,Status,order_id (metadata)',
      'c1,2026-03-02 10:00:00,23.00,0.00,eur,true,Order A1,0.60,,Live,Paid,A1',
      'c2,2026-03-02 10:00:00,45.00,0.00,eur,true,Order A2,1.20,,Live,Paid,A2',
      'c3,2026-03-02 10:00:00,50.00,20.00,eur,true,Order A3,1.30,2026-03-03 10:00:00,Live,Paid,A3',
      'c4,2026-03-02 10:00:00,25.00,25.00,eur,true,Order A4,0.70,2026-03-03 10:00:00,Live,Refunded,A4',
      'c5,2026-03-02 10:00:00,31.00,0.00,eur,false,Order A5,0.00,,Live,Failed,A5',
      'c7,2026-03-02 10:00:00,70.00,0.00,eur,true,Order A7,1.90,,Live,Paid,A7',
      'c8,2026-03-02 10:00:00,15.00,0.00,eur,true,Order A8,0.40,,Live,Paid,A8',
      'c9,2026-03-02 10:00:00,99.00,0.00,eur,true,Order T1,2.00,,Test,Paid,T1',
    ],
  },
};

const written = (amount: bigint) => amount.toString();

test.each(Object.entries(layouts))('the export of %s says what is due', async (preset, layout) => {
  const { keys, lines, due = {}, unclear = [] } = layout;
  const [header = ''] = lines;
  expect(presetIn(header.split(/[,;]/).map((name) => name.replaceAll('"', '')))).toBe(preset);
  const text = JSON.stringify({ preset, ...keys });
  const mapping = settingTable.orders_csv.parse({ key: 'orders_csv', text, origin: 'default' });
  if (!mapping) throw new Error('No mapping');
  const blocks = async function* () {
    yield Buffer.from(`${lines.join('\r\n')}\r\n`);
  };
  const reading = { mapping, timeZone: 'Europe/Madrid', tokens: new Map<string, string>() };
  const orders = await readOrders([{ name: 'orders.csv', blocks }], reading);
  expect(orders.unreadable).toEqual([]);
  const numbers = Array.from({ length: orders.size }, (_, number) => number);
  const found = numbers.map((number) => {
    const counted = orders
      .documents(number)
      .filter((one) => one.isInScope && !one.isUnpaid && !one.isCancelled);
    const sum = counted.reduce((all, one) => all + one.total - one.notDue - one.refunded, 0n);
    return [orders.reference(number).replace('#', ''), written(sum)];
  });
  const expected = Object.entries({ ...right, ...due }).map(([name, sum]) => [name, written(sum)]);
  const isThere = ([name = '']: readonly string[]) => found.some(([one]) => one === name);
  expect(found).toEqual(expected.filter(isThere));
  // What the service never paid need not be in a file of payments.
  expect(expected.filter((one) => !isThere(one)).every(([, sum]) => sum === '0')).toBe(true);
  const others = numbers.filter((number) =>
    orders.documents(number).some((one) => one.hasOtherMethods),
  );
  expect(others.map((number) => orders.reference(number).replace('#', ''))).toEqual(unclear);
  expect(orders.days).toEqual({ from: '2026-03-02', to: '2026-03-02' });
  expect(orders.leftOut.lines).toBe(preset === 'stripe' ? 1 : 0);
});

/** Columns of a preset without which a file can still be read. */
function optionalColumns(preset: string): readonly string[] {
  const [, keys = {}] = Object.entries(orderPresets).find(([name]) => name === preset) ?? [];
  return Object.entries<unknown>(keys).flatMap(([key, value]): readonly string[] => {
    if (key === 'only') return Object.keys(value ?? {});
    const isColumn =
      /^(currency|paid_at|not_due|method|status|cancelled_at|refunded|refund_date)$/.test(key);
    return isColumn ? [value].flat().map(String) : [];
  });
}

/** Lines without one of their columns. */
function without(column: string, lines: readonly string[], delimiter: string): string {
  const cells = new RegExp(`(?<=^|${delimiter})("[^"]*"|[^"${delimiter}]*)(?=${delimiter}|$)`, 'g');
  const [header = [], ...rows] = lines.map((line) => line.match(cells) ?? []);
  const at = header.findIndex((name) => name.replaceAll('"', '') === column);
  expect(at, column).toBeGreaterThanOrEqual(0);
  const kept = [header, ...rows].map((row) => row.filter((_, place) => place !== at));
  return kept.map((row) => `${row.join(delimiter)}\r\n`).join('');
}

const lacking = Object.entries(layouts).flatMap(([preset, layout]) =>
  optionalColumns(preset)
    .filter((column) => layout.lines[0]?.includes(column))
    .map((column) => [preset, column, layout] as const),
);

test.each(lacking)(
  'what is proposed for an export of %s without %s reads it',
  async (preset, column, { keys, lines }) => {
    const text = without(column, lines, lines[0]?.includes(';') ? ';' : ',');
    const proposal = proposedOrders({ text, isWorkbook: false }, 'orders.csv');
    if (!proposal) throw new Error('No proposal');
    expect(proposal.settings[0]?.value).toBe(preset);
    const printed = parse(fileMapping(proposal, 'main')) as unknown as Printed;
    const { orders_csv: own } = printed.profiles.main;
    // What is left open is decided by the user.
    const isOpen = (key: string) => proposal.settings.some((one) => one.key === key && one.isOpen);
    const currency = isOpen('currency') ? { currency: 'EUR' } : {};
    const methods = own['method'] === '' ? { methods: [] } : {};
    const decided = { ...currency, ...keys, ...own, ...methods };
    const mapping = settingTable.orders_csv.parse({
      key: 'orders_csv',
      text: JSON.stringify(decided),
      origin: 'default',
    });
    if (!mapping) throw new Error('No mapping');
    const blocks = async function* () {
      yield Buffer.from(text);
    };
    const reading = { mapping, timeZone: 'Europe/Madrid', tokens: new Map<string, string>() };
    const orders = await readOrders([{ name: 'orders.csv', blocks }], reading);
    expect(orders.unreadable).toEqual([]);
    expect(orders.size).toBeGreaterThan(0);
  },
);

interface Printed {
  readonly profiles: { readonly main: { readonly orders_csv: Readonly<Record<string, unknown>> } };
}
