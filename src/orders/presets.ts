import { keysOf } from '../base/lists.ts';
import type { OrdersCsv } from '../model/orders.ts';

/** The columns of shops whose exports are known, with English headers. */
export const orderPresets = {
  shopify: {
    order: 'Name',
    strip_prefix: '#',
    document: 'Id',
    date: 'Created at',
    paid_at: 'Paid at',
    date_format: 'YYYY-MM-DD',
    total: 'Total',
    currency: 'Currency',
    not_due: ['Outstanding Balance'],
    method: 'Payment Method',
    status: 'Financial Status',
    unpaid_words: ['pending', 'authorized', 'voided', 'expired'],
    cancelled_at: 'Cancelled at',
    refunded: 'Refunded Amount',
  },
  magento: {
    order: 'ID',
    date: 'Purchase Date',
    date_format: 'MMM D, YYYY',
    total: 'Grand Total (Purchased)',
    method: 'Payment Method',
    status: 'Status',
    unpaid_words: [
      ...['pending', 'pending_payment', 'payment_review', 'fraud'],
      ...['Pending', 'Pending Payment', 'Payment Review', 'Suspected Fraud'],
    ],
    cancelled_words: ['canceled', 'Canceled'],
    refunded: 'Total Refunded',
  },
  bigcommerce: {
    order: 'Order ID',
    date: 'Order Date',
    date_format: 'MM/DD/YYYY',
    total: 'Order Total (inc tax)',
    currency: 'Order Currency Code',
    not_due: ['Store Credit Redeemed', 'Gift Certificate Amount Redeemed'],
    method: 'Payment Method',
    status: 'Order Status',
    unpaid_words: ['Incomplete', 'Pending', 'Awaiting Payment', 'Declined'],
    cancelled_words: ['Cancelled'],
    refunded: 'Refund Amount',
  },
  /** By the plugin of WebToffee, with names of columns that are the same in every language. */
  woocommerce: {
    order: 'order_number',
    document: 'order_id',
    date: 'order_date',
    paid_at: 'paid_date',
    total: 'order_total',
    currency: 'order_currency',
    method: 'payment_method',
    status: 'status',
    unpaid_words: ['pending', 'on-hold', 'failed', 'checkout-draft'],
    cancelled_words: ['cancelled'],
  },
  /** By the plugin Advanced Order Export. */
  woocommerce_advanced: {
    order: 'Order Number',
    date: 'Order Date',
    total: 'Order Total Amount',
    method: 'Payment Method Title',
    status: 'Order Status',
    unpaid_words: ['Pending payment', 'On hold', 'Failed', 'Draft'],
    cancelled_words: ['Cancelled'],
    refunded: 'Order Refund Amount',
  },
  /** The default profile, which names neither a method nor a status, and no currency. */
  shopware: {
    delimiter: ';',
    order: 'order_number',
    document: 'id',
    date: 'order_date_time',
    times: 'UTC',
    total: 'amount_total',
  },
  prestashop: {
    delimiter: ';',
    order: 'Reference',
    document: 'ID',
    date: 'Date',
    total: 'Total',
    method: 'Payment',
    status: 'Status',
    unpaid_words: [
      ...['Awaiting bank wire payment', 'Awaiting check payment', 'Payment error'],
      ...['Awaiting Cash On Delivery validation', 'On backorder (not paid)'],
    ],
    cancelled_words: ['Canceled'],
  },
  /** Order data: totals after every change. */
  pretix_orders: {
    order: 'Order code',
    date: 'Order date',
    paid_at: 'Date of last payment',
    total: 'Order total',
    method: 'Payment providers',
    status: 'Status',
    unpaid_words: ['pending', 'expired', 'approval pending'],
    cancelled_words: ['canceled'],
  },
  /** Order payments and refunds: each a line. */
  pretix_payments: {
    order: 'Order',
    document: 'Payment ID',
    date: 'Creation date',
    paid_at: 'Completion date',
    total: 'Amount',
    method: 'Payment method',
    status: 'Status code',
    unpaid_words: ['created', 'pending', 'failed', 'canceled'],
  },
  /** Transactions: what was paid by card; refunds are lines. */
  square: {
    order: 'Transaction ID',
    document: 'Payment ID',
    date: 'Date',
    date_format: 'MM/DD/YYYY',
    total: 'Card',
  },
  /** Payments: the reference is in metadata of the merchant's own. */
  stripe: {
    document: 'id',
    date: 'Created date (UTC)',
    time_zone: 'UTC',
    total: 'Amount',
    currency: 'Currency',
    status: 'Status',
    unpaid_words: [
      ...['Failed', 'Canceled', 'Blocked', 'Incomplete', 'Uncaptured', 'Requires action'],
      ...['Requires capture', 'Requires confirmation', 'Requires payment method'],
    ],
    only: { Mode: ['Live'] },
    refunded: 'Amount Refunded',
    refund_date: 'Refunded date (UTC)',
  },
} as const satisfies Readonly<Record<string, Partial<OrdersCsv>>>;

/** The preset whose columns a header has; undefined for other files. */
export function presetIn(header: readonly string[]): keyof typeof orderPresets | undefined {
  return keysOf(orderPresets).find((preset) => {
    const { order, document, date, total }: Partial<OrdersCsv> = orderPresets[preset];
    const named = [order, document, date, total].filter((column) => column !== undefined);
    return named.every((column) => header.includes(column));
  });
}
