import type { Mapping, Row } from './shop.ts';
import { lines, purchase, refund } from './shop.ts';

/** A shop's export of the same March, in made-up data: what the file is like, and what can be known from it. */
export interface Layout {
  readonly file: string;
  readonly mapping: Mapping;
  /** What the profile says instead, with a preset. */
  readonly preset?: Mapping;
  /** A reference as the file has it; as the rows have it by default. */
  readonly ref?: (number: string) => string;
  /** A reference as the rows have it. */
  readonly noted?: (number: string) => string;
  readonly currency?: string;
  /** The file says what was given back. */
  readonly hasRefunds: boolean;
  /** What cannot be known is said in these words. */
  readonly lacks?: RegExp;
  /** The order that a gift card paid in part is short of it, for these reasons. */
  readonly giftIsUnknown?: boolean;
  readonly settings?: readonly string[];
}

/**
 * The truth of each file: 1001 by card; 1002 of two items; 1003 given back in part; 1004 given back
 * in full; 1005 failed; 1006 by bank transfer; 1007 of 100.00, of which a gift card paid 30.00; 1008
 * by card, and not in the settlements; 1009 by bank transfer on the last day.
 */
export function rowsOf({ noted = (number) => number, currency = 'EUR' }: Layout): readonly Row[] {
  const rest = { currency };
  return [
    purchase(noted('1001'), 5000, rest),
    purchase(noted('1002'), 8000, rest),
    purchase(noted('1003'), 6000, { ...rest, charge: '3' }),
    refund(noted('1003'), 2000, { ...rest, charge: '3' }),
    purchase(noted('1004'), 2500, { ...rest, charge: '4' }),
    refund(noted('1004'), 2500, { ...rest, charge: '4' }),
    purchase(noted('1007'), 7000, rest),
  ];
}

const quote = (cell: string) => (/[",;\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

/** A file of records by columns; whatever a record does not say is somebody's private data. */
function table(
  header: string,
  records: readonly Readonly<Record<string, string>>[],
  by = ',',
): string {
  const columns = header.split(by);
  const body = records.map((cells) => {
    for (const name of Object.keys(cells)) {
      if (!columns.includes(name)) throw new Error(`No column ${name}`);
    }
    const isItem = Object.keys(cells).length <= 3;
    return columns
      .map((column) => cells[column] ?? (isItem || by === ';' ? '' : filler(column)))
      .map(quote)
      .join(by);
  });
  return lines(columns.map(quote).join(by), ...body);
}

const filler = (column: string) =>
  /mail/i.test(column) ? 'ann@example.com' : /name|buyer/i.test(column) ? 'Ann Lee, "A"' : '';

interface Sale {
  readonly number: string;
  readonly day: string;
  readonly total: string;
  readonly status: 'paid' | 'part' | 'back' | 'failed' | 'waiting';
  readonly method: 'card' | 'bank' | 'both';
  readonly back: string;
}

const sale = (number: string, total: string, rest: Partial<Sale> = {}): Sale => ({
  number,
  day: '02',
  total,
  status: 'paid',
  method: 'card',
  back: '0.00',
  ...rest,
});

const sales: readonly Sale[] = [
  sale('1001', '50.00'),
  sale('1002', '80.00'),
  sale('1003', '60.00', { status: 'part', back: '20.00' }),
  sale('1004', '25.00', { status: 'back', back: '25.00' }),
  sale('1005', '45.00', { status: 'failed' }),
  sale('1006', '35.00', { method: 'bank' }),
  sale('1007', '100.00', { method: 'both' }),
  sale('1008', '15.00'),
  sale('1009', '1.00', { method: 'bank', day: '12' }),
];

/** The same, where a gift card is no part of the total. */
const withoutGift = sales.map((one) =>
  one.number === '1007' ? { ...one, total: '70.00', method: 'card' as const } : one,
);

type Words<Key extends string> = Readonly<Record<Key, string>>;
const pick = <Key extends string>(key: Key, words: Words<Key>): string => words[key];

const shopify: Layout = {
  file: table(
    'Name,Email,Financial Status,Paid at,Fulfillment Status,Fulfilled at,Accepts Marketing,Currency,Subtotal,Shipping,Taxes,Total,Discount Code,Discount Amount,Shipping Method,Created at,Lineitem quantity,Lineitem name,Lineitem price,Lineitem sku,Billing Name,Billing Street,Notes,Cancelled at,Payment Method,Payment Reference,Refunded Amount,Vendor,Outstanding Balance,Id,Tags,Source,Payment ID',
    sales.flatMap((one) => {
      const at = `2026-03-${one.day} 10:00:00 +0100`;
      const status = pick(one.status, {
        paid: 'paid',
        part: 'partially_refunded',
        back: 'refunded',
        failed: 'voided',
        waiting: 'pending',
      });
      const methods = { card: 'Shopify Payments', bank: 'Bank Deposit' };
      const first = {
        Name: `#${one.number}`,
        'Financial Status': status,
        'Paid at': one.status === 'failed' ? '' : at,
        Currency: 'EUR',
        Total: one.total,
        'Created at': at,
        'Cancelled at': one.status === 'failed' ? at : '',
        'Payment Method': pick(one.method, { ...methods, both: 'Gift Card + Shopify Payments' }),
        'Refunded Amount': one.back,
        'Outstanding Balance': '0.00',
        Id: `60000${one.number}`,
      };
      const item = { Name: `#${one.number}`, 'Lineitem quantity': '1', 'Lineitem price': '30.00' };
      return one.number === '1002' ? [first, item] : [first];
    }),
  ),
  mapping: { preset: 'shopify', methods: ['Shopify Payments'], currency: 'Currency' },
  ref: (number) => `#${number}`,
  hasRefunds: true,
  giftIsUnknown: true,
};

const wooStatus = {
  paid: 'completed',
  part: 'completed',
  back: 'refunded',
  failed: 'failed',
  waiting: 'on-hold',
};
const wooWords = {
  unpaid_words: ['failed', 'pending', 'checkout-draft'],
  cancelled_words: ['cancelled'],
};

const webToffee: Layout = {
  file: table(
    'order_id,order_number,order_date,paid_date,status,shipping_total,shipping_tax_total,fee_total,fee_tax_total,tax_total,cart_discount,order_discount,discount_total,order_total,order_subtotal,order_currency,payment_method,payment_method_title,transaction_id,customer_ip_address,shipping_method,customer_id,customer_email,billing_first_name,customer_note,refund_items,line_item_1',
    withoutGift.map((one) => ({
      order_id: `9${one.number}`,
      order_number: one.number,
      order_date: `2026-03-${one.day} 10:00:00`,
      paid_date: one.status === 'failed' ? '' : `2026-03-${one.day} 10:01:00`,
      status: pick(one.status, wooStatus),
      order_total: one.total,
      order_currency: 'EUR',
      payment_method: pick(one.method, { card: 'stripe', bank: 'bacs', both: 'stripe' }),
      refund_items:
        one.back === '0.00' ? '' : `amount:${one.back}|reason:|date:2026-03-03 09:00:00`,
      line_item_1: 'name:Cup|product_id:7|quantity:1|total:50.00',
    })),
  ),
  preset: { preset: 'woocommerce', methods: ['stripe'] },
  mapping: {
    order: 'order_number',
    date: 'order_date',
    paid_at: 'paid_date',
    total: 'order_total',
    currency: 'order_currency',
    method: 'payment_method',
    methods: ['stripe'],
    status: 'status',
    ...wooWords,
  },
  hasRefunds: false,
};

const advanced: Layout = {
  file: table(
    'Order Number,Order Status,Order Date,Customer Note,First Name (Billing),Last Name (Billing),Email (Billing),Payment Method Title,Cart Discount Amount,Order Subtotal Amount,Shipping Method Title,Order Shipping Amount,Order Refund Amount,Order Total Amount,Order Total Tax Amount,SKU,Item #,Item Name,Quantity (- Refund),Item Cost,Coupon Code,Discount Amount',
    withoutGift.flatMap((one) => {
      const line = {
        'Order Number': one.number,
        'Order Status': pick(one.status, {
          ...wooStatus,
          paid: 'Completed',
          part: 'Completed',
          back: 'Refunded',
          failed: 'Failed',
        }),
        'Order Date': `2026-03-${one.day} 10:00`,
        'Payment Method Title': pick(one.method, {
          card: 'Credit card (Stripe)',
          bank: 'Direct bank transfer',
          both: '',
        }),
        'Order Refund Amount': one.back === '0.00' ? '' : one.back,
        'Order Total Amount': one.total,
        'Item Cost': '50',
      };
      return one.number === '1002' ? [line, { ...line, 'Item #': '2', 'Item Cost': '30' }] : [line];
    }),
  ),
  preset: { preset: 'woocommerce_advanced', currency: 'EUR', methods: ['Credit card (Stripe)'] },
  mapping: {
    order: 'Order Number',
    date: 'Order Date',
    total: 'Order Total Amount',
    currency: 'EUR',
    method: 'Payment Method Title',
    methods: ['Credit card (Stripe)'],
    status: 'Order Status',
    unpaid_words: ['Failed'],
    refunded: 'Order Refund Amount',
  },
  hasRefunds: true,
};

const magento: Layout = {
  file: table(
    'ID,Purchase Point,Purchase Date,Bill-to Name,Ship-to Name,Grand Total (Base),Grand Total (Purchased),Status,Billing Address,Customer Email,Payment Method,Total Refunded',
    withoutGift.map((one) => ({
      ID: `00000${one.number}`,
      'Purchase Point': 'Main Website',
      'Purchase Date': `Mar ${Number(one.day)}, 2026 10:00:00 AM`,
      'Grand Total (Base)': `${one.total}00`,
      'Grand Total (Purchased)': `${one.total}00`,
      Status: pick(one.status, {
        paid: 'complete',
        part: 'complete',
        back: 'closed',
        failed: 'pending_payment',
        waiting: 'pending',
      }),
      'Payment Method': pick(one.method, { card: 'adyen_cc', bank: 'banktransfer', both: '' }),
      'Total Refunded': one.back === '0.00' ? '' : `${one.back}00`,
    })),
  ),
  mapping: { preset: 'magento', currency: 'EUR', methods: ['adyen_cc'] },
  ref: (number) => `00000${number}`,
  noted: (number) => `00000${number}`,
  hasRefunds: true,
};

/** Letters, as this shop makes references. */
const letters = (number: string) =>
  `XK${[...number].map((digit) => 'QRSTUVWXYZ'[Number(digit)]).join('')}AB`;

const prestaShop = (write: (total: string) => string): Layout => ({
  file: table(
    'ID;Reference;New client;Delivery;Customer;Total;Payment;Status;Date',
    withoutGift.map((one) => ({
      ID: one.number.slice(-1),
      Reference: letters(one.number),
      'New client': '0',
      Delivery: 'Spain',
      Total: write(one.total),
      Payment: pick(one.method, { card: 'Card payment', bank: 'Bank wire', both: '' }),
      Status: pick(one.status, {
        paid: 'Payment accepted',
        part: 'Partial refund',
        back: 'Refunded',
        failed: 'Payment error',
        waiting: 'Awaiting bank wire payment',
      }),
      Date: `2026-03-${one.day} 10:00:00`,
    })),
    ';',
  ),
  preset: { preset: 'prestashop', currency: 'EUR', methods: ['Card payment'] },
  mapping: {
    delimiter: ';',
    order: 'Reference',
    date: 'Date',
    total: 'Total',
    currency: 'EUR',
    method: 'Payment',
    methods: ['Card payment'],
    status: 'Status',
    unpaid_words: ['Payment error', 'Awaiting bank wire payment'],
    cancelled_words: ['Canceled'],
  },
  ref: letters,
  noted: letters,
  hasRefunds: false,
});

const shopware: Layout = {
  file: table(
    'id;order_number;order_date_time;amount_total;amount_net;order_state_id;order_customer_email;line_items',
    withoutGift.map((one) => ({
      id: `0189f0c2a7d0${one.number}`.padEnd(32, '0'),
      order_number: one.number,
      order_date_time: `2026-03-${one.day}T10:00:00.000+00:00`,
      amount_total: one.total,
      order_state_id: '0189f0c2a7d073a1b2c3d4e5f6a7b8c9',
      line_items: '1x Cup',
    })),
    ';',
  ),
  preset: { preset: 'shopware', currency: 'EUR', methods: [] },
  mapping: {
    delimiter: ';',
    order: 'order_number',
    date: 'order_date_time',
    total: 'amount_total',
    currency: 'EUR',
    methods: [],
  },
  hasRefunds: false,
  lacks: /method|status/i,
};

const pretixOrders: Layout = {
  file: table(
    'Event slug,Order code,Order total,Status,Email,Phone number,Order date,Order time,Company,Name,Address,ZIP code,City,Country,State,VAT ID,Date of last payment,Fees,Order locale,Invoice numbers,Sales channel,Requires special attention,Comment,Positions,Payment providers,Paid by Credit card,Paid by Gift card,Paid by Bank transfer',
    sales.map((one) => ({
      'Event slug': 'fair26',
      'Order code': letters(one.number),
      // The total of today: part of this order was cancelled.
      'Order total': one.status === 'part' ? '40.00' : one.total,
      Status: pick(one.status, {
        paid: 'paid',
        part: 'paid',
        back: 'canceled',
        failed: 'expired',
        waiting: 'pending',
      }),
      'Order date': `2026-03-${one.day}`,
      'Order time': '10:00:00',
      'Payment providers': pick(one.method, {
        card: 'Credit card',
        bank: 'Bank transfer',
        both: 'Credit card, Gift card',
      }),
      'Paid by Gift card': one.method === 'both' ? '30.00' : '0.00',
    })),
  ),
  preset: {
    preset: 'pretix_orders',
    currency: 'EUR',
    methods: ['Credit card'],
    not_due: ['Paid by Gift card'],
  },
  mapping: {
    order: 'Order code',
    date: 'Order date',
    total: 'Order total',
    currency: 'EUR',
    method: 'Payment providers',
    methods: ['Credit card'],
    not_due: ['Paid by Gift card'],
    status: 'Status',
    unpaid_words: ['expired', 'pending'],
    cancelled_words: ['canceled'],
  },
  ref: letters,
  noted: letters,
  hasRefunds: true,
};

const payment = (
  number: string,
  id: string,
  total: string,
  method: string,
  state: string,
  day = '02',
) => ({
  'Event slug': 'fair26',
  Order: letters(number),
  'Payment ID': `${letters(number)}-${id}`,
  'Creation date': `2026-03-${day}`,
  'Completion date': state === 'failed' ? '' : `2026-03-${day}`,
  Status: state,
  'Status code': state,
  Amount: total,
  'Payment method': method,
  Comment: '',
});

const pretixPayments: Layout = {
  file: table(
    'Event slug,Order,Payment ID,Creation date,Completion date,Status,Status code,Amount,Payment method,Comment',
    [
      payment('1001', 'P-1', '50.00', 'Credit card', 'confirmed'),
      payment('1002', 'P-1', '80.00', 'Credit card', 'failed'),
      payment('1002', 'P-2', '80.00', 'Credit card', 'confirmed'),
      payment('1003', 'P-1', '60.00', 'Credit card', 'confirmed'),
      payment('1003', 'R-1', '-20.00', 'Credit card', 'failed', '03'),
      payment('1003', 'R-2', '-20.00', 'Credit card', 'done', '03'),
      payment('1004', 'P-1', '25.00', 'Credit card', 'refunded'),
      payment('1004', 'R-1', '-25.00', 'Credit card', 'done', '03'),
      payment('1005', 'P-1', '45.00', 'Credit card', 'failed'),
      payment('1006', 'P-1', '35.00', 'Bank transfer', 'confirmed'),
      payment('1007', 'P-1', '30.00', 'Gift card', 'confirmed'),
      payment('1007', 'P-2', '70.00', 'Credit card', 'confirmed'),
      payment('1008', 'P-1', '15.00', 'Credit card', 'confirmed'),
      payment('1009', 'P-1', '1.00', 'Bank transfer', 'confirmed', '12'),
    ],
  ),
  preset: { preset: 'pretix_payments', currency: 'EUR', methods: ['Credit card'] },
  mapping: {
    order: 'Order',
    document: 'Payment ID',
    date: 'Creation date',
    total: 'Amount',
    currency: 'EUR',
    method: 'Payment method',
    methods: ['Credit card'],
    status: 'Status code',
    unpaid_words: ['created', 'pending', 'failed', 'canceled'],
  },
  ref: letters,
  noted: letters,
  hasRefunds: true,
};

/** Only what a card paid is in the file of the provider. */
const byCard = withoutGift.filter(({ method }) => method === 'card');

const stripe: Layout = {
  file: table(
    'id,Description,Seller Message,Created date (UTC),Amount,Amount Refunded,Currency,Converted Amount,Converted Amount Refunded,Fee,Taxes On Fee,Converted Currency,Mode,Status,Statement Descriptor,Customer ID,Customer Email,Captured,Card ID,Invoice ID,Transfer,Refunded date (UTC),Dispute Reason,order_id (metadata)',
    [
      ...byCard,
      sale('1009', '1.00', { day: '12', status: 'failed' }),
      // Somebody tried the shop out.
      sale('9999', '99.00'),
    ].map((one) => ({
      id: `ch_3P${one.number}`,
      'Created date (UTC)': `2026-03-${one.day} 09:00:00`,
      Amount: one.total,
      'Amount Refunded': one.back,
      Currency: 'eur',
      'Converted Amount': one.total,
      'Converted Currency': 'eur',
      Mode: one.number === '9999' ? 'Test' : 'Live',
      Status: pick(one.status, {
        paid: 'Paid',
        part: 'Partially refunded',
        back: 'Refunded',
        failed: 'Failed',
        waiting: 'Pending',
      }),
      'Refunded date (UTC)': one.back === '0.00' ? '' : '2026-03-03 09:00:00',
      'order_id (metadata)': one.number,
    })),
  ),
  preset: { preset: 'stripe', order: 'order_id (metadata)', methods: [] },
  mapping: {
    order: 'order_id (metadata)',
    document: 'id',
    date: 'Created date (UTC)',
    time_zone: 'UTC',
    total: 'Amount',
    currency: 'Currency',
    methods: [],
    status: 'Status',
    unpaid_words: ['Failed', 'Pending'],
    refunded: 'Amount Refunded',
    refund_date: 'Refunded date (UTC)',
    only: { Mode: ['Live'] },
  },
  hasRefunds: true,
};

const square: Layout = {
  file: table(
    'Date,Time,Time Zone,Gross Sales,Discounts,Service Charges,Net Sales,Gift Card Sales,Tax,Tip,Partial Refunds,Total Collected,Source,Card,Card Entry Methods,Cash,Square Gift Card,Other Tender,Other Tender Type,Tender Note,Fees,Net Total,Transaction ID,Payment ID,Card Brand,PAN Suffix,Device Name,Staff Name,Staff ID,Details,Description,Event Type,Location,Dining Option,Customer ID,Customer Name,Customer Reference ID,Refund Reason,Discount Name,Transaction Status,Cash App',
    sales
      .filter(({ status }) => status !== 'failed')
      .flatMap((one) => {
        const card = pick(one.method, { card: one.total, bank: '0.00', both: '70.00' });
        const line = {
          Date: `03/${one.day}/2026`,
          Time: '10:00:00 AM',
          'Total Collected': `$${one.total}`,
          Card: `$${card}`,
          Cash: one.method === 'bank' ? `$${one.total}` : '$0.00',
          'Square Gift Card': one.method === 'both' ? '$30.00' : '$0.00',
          'Transaction ID': one.number,
          'Payment ID': `P${one.number}`,
          'Event Type': 'Payment',
          'Refund Reason': '',
          'Transaction Status': 'Complete',
        };
        const back = {
          ...line,
          Date: '03/03/2026',
          'Total Collected': `-$${one.back}`,
          Card: `-$${one.back}`,
          'Payment ID': `R${one.number}`,
          'Event Type': 'Refund',
          'Refund Reason': 'Returned goods',
        };
        return one.back === '0.00' ? [line] : [line, back];
      }),
  ),
  preset: { preset: 'square', currency: 'USD', methods: [] },
  mapping: {
    order: 'Transaction ID',
    document: 'Payment ID',
    date: 'Date',
    date_format: 'MM/DD/YYYY',
    total: 'Card',
    currency: 'USD',
    methods: [],
  },
  currency: 'USD',
  hasRefunds: true,
};

const wix: Layout = {
  file: table(
    'Order number,Date created,Time,Total order quantity,Contact email,Note from customer,Item,Variant,SKU,Qty,Quantity refunded,Price,Delivery method,Recipient name,Delivery state,Billing name,Billing state,Payment status,Payment method,Coupon code,Gift card amount,Shipping rate,Total tax,Total,Currency,Refunded amount,Net amount,Additional fees,Fulfillment status,Tracking number',
    sales.flatMap((one) => {
      const line = {
        'Order number': `1${one.number}`,
        'Date created': `Mar ${Number(one.day)}, 2026`,
        Time: '10:00:00 AM',
        'Total order quantity': '1',
        Qty: '1',
        Price: '30.00',
        'Payment status': pick(one.status, {
          paid: 'Paid',
          part: 'Partially refunded',
          back: 'Fully refunded',
          failed: 'Unpaid',
          waiting: 'Unpaid',
        }),
        'Payment method': pick(one.method, {
          card: 'Credit/Debit Cards',
          bank: 'Manual',
          both: 'Credit/Debit Cards',
        }),
        'Gift card amount': one.method === 'both' ? '30.00' : '',
        Total: one.total,
        Currency: 'EUR',
        'Refunded amount': one.back,
      };
      return one.number === '1002' ? [line, { ...line, Item: 'Saucer', Price: '50.00' }] : [line];
    }),
  ),
  mapping: {
    order: 'Order number',
    date: 'Date created',
    date_format: 'MMM D, YYYY',
    total: 'Total',
    currency: 'Currency',
    method: 'Payment method',
    methods: ['Credit/Debit Cards'],
    not_due: ['Gift card amount'],
    status: 'Payment status',
    unpaid_words: ['Unpaid'],
    refunded: 'Refunded amount',
  },
  ref: (number) => `1${number}`,
  noted: (number) => `1${number}`,
  hasRefunds: true,
};

const squarespace: Layout = {
  file: table(
    'Order ID,Email,Financial Status,Paid at,Fulfillment Status,Fulfilled at,Currency,Subtotal,Shipping,Taxes,Amount Refunded,Total,Discount Code,Discount Amount,Shipping Method,Created at,Lineitem quantity,Lineitem name,Lineitem price,Lineitem sku,Lineitem variant,Billing Name,Billing Address1,Shipping Name,Cancelled at,Private Notes,Channel Type,Payment Method,Payment Reference',
    withoutGift.flatMap((one) => {
      const at = `2026-03-${one.day} 10:00:00 +0100`;
      const first = {
        'Order ID': `0${one.number}`,
        'Financial Status':
          one.status === 'failed' ? 'PENDING' : one.status === 'back' ? 'REFUNDED' : 'PAID',
        'Paid at': one.status === 'failed' ? '' : at,
        Currency: 'EUR',
        'Amount Refunded': one.back,
        Total: one.total,
        'Created at': at,
        'Cancelled at': '',
        'Payment Method': pick(one.method, { card: 'Stripe', bank: 'Manual', both: '' }),
      };
      const item = {
        'Order ID': `0${one.number}`,
        'Lineitem quantity': '1',
        'Lineitem price': '30.00',
      };
      return one.number === '1002' ? [first, item] : [first];
    }),
  ),
  mapping: {
    order: 'Order ID',
    strip_zeros: true,
    date: 'Created at',
    paid_at: 'Paid at',
    total: 'Total',
    currency: 'Currency',
    method: 'Payment Method',
    methods: ['Stripe'],
    status: 'Financial Status',
    unpaid_words: ['PENDING'],
    cancelled_at: 'Cancelled at',
    refunded: 'Amount Refunded',
  },
  ref: (number) => `0${number}`,
  hasRefunds: true,
};

const etsy: Layout = {
  file: table(
    'Sale Date,Order ID,Buyer User ID,Full Name,First Name,Last Name,Number of Items,Payment Method,Date Shipped,Street 1,Ship City,Ship Country,Currency,Order Value,Coupon Code,Discount Amount,Shipping Discount,Shipping,Sales Tax,Order Total,Status,Card Processing Fees,Order Net,Adjusted Order Total,Adjusted Card Processing Fees,Adjusted Net Order Amount,Buyer,Order Type,Payment Type,SKU',
    withoutGift
      .filter(({ status }) => status !== 'failed')
      .map((one) => ({
        'Sale Date': `03/${one.day}/26`,
        'Order ID': `35${one.number}`,
        'Number of Items': '1',
        'Payment Method': pick(one.method, { card: 'Credit Card', bank: 'Other', both: '' }),
        'Date Shipped': '03/20/26',
        Currency: 'EUR',
        'Order Value': one.total,
        'Order Total': one.total,
        Status: 'Completed',
        'Order Net': '1.00',
        'Adjusted Order Total': '0.00',
      })),
  ),
  mapping: {
    order: 'Order ID',
    date: 'Sale Date',
    date_format: 'MM/DD/YY',
    total: 'Order Total',
    currency: 'Currency',
    method: 'Payment Method',
    methods: ['Credit Card'],
  },
  ref: (number) => `35${number}`,
  noted: (number) => `35${number}`,
  hasRefunds: false,
};

const shopifyTransactions: Layout = {
  file: table(
    'Transaction Date,Type,Order,Card Brand,Card Source,Payout Status,Payout Date,Payout ID,Available On,Amount,Fee,Net,Checkout,Payment Method Name,Presentment Amount,Presentment Currency,Currency',
    byCard
      .concat(sale('1009', '0.00', { day: '12' }))
      .filter(({ status }) => status !== 'failed')
      .flatMap((one) => {
        const line = {
          'Transaction Date': `2026-03-${one.day} 10:00:00 +0100`,
          Type: 'charge',
          Order: `#${one.number}`,
          'Payout Status': 'paid',
          Amount: one.total,
          Fee: '1.00',
          Net: one.total,
          Checkout: `#68683${one.number}`,
          'Payment Method Name': 'card',
          'Presentment Amount': '1.00',
          'Presentment Currency': 'USD',
          Currency: 'EUR',
        };
        const back = {
          ...line,
          'Transaction Date': '2026-03-03 09:00:00 +0100',
          Type: 'refund',
          Amount: `-${one.back}`,
        };
        return one.back === '0.00' ? [line] : [line, back];
      }),
  ),
  mapping: {
    order: 'Order',
    strip_prefix: '#',
    date: 'Transaction Date',
    total: 'Amount',
    currency: 'Currency',
    kind: 'Type',
    refund_words: ['refund'],
    methods: [],
  },
  ref: (number) => `#${number}`,
  hasRefunds: true,
};

/** By the names that people know them by. */
export const layouts: Readonly<Record<string, Layout>> = {
  'Shopify orders': shopify,
  'WooCommerce by WebToffee': webToffee,
  'WooCommerce by Advanced Order Export': advanced,
  'Magento grid': magento,
  'PrestaShop grid with currency signs': prestaShop((total) => `€${total}`),
  'PrestaShop grid with signs behind': prestaShop((total) => `${total} €`),
  'PrestaShop grid, plain': prestaShop((total) => `${total}0000`),
  'Shopware default orders': shopware,
  'pretix order list': pretixOrders,
  'pretix payments and refunds': pretixPayments,
  'Stripe payments': stripe,
  'Square transactions': square,
  'Wix orders': wix,
  'Squarespace orders': squarespace,
  'Etsy sold orders': etsy,
  'Shopify payment transactions': shopifyTransactions,
};
