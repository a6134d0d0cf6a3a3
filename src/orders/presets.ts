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
    cancelled_words: ['canceled'],
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
    refunded: 'Refund Amount',
  },
} as const satisfies Readonly<Record<string, Partial<OrdersCsv>>>;
