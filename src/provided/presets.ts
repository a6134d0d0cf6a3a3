import { keysOf } from '../base/lists.ts';
import type { PayoutsCsv, SettlementsCsv } from '../model/settlement-files.ts';

interface Preset extends Partial<Omit<SettlementsCsv, 'payouts'>> {
  readonly payouts?: Partial<PayoutsCsv>;
}

/** The columns of providers whose reports are published, by the documents that the docs name. */
export const settlementPresets = {
  /** Settlement details report, as CSV or Excel. */
  adyen: {
    provider: 'Adyen',
    payout: 'Batch Number',
    numbered: true,
    account: 'Merchant Account',
    currency: 'Net Currency',
    date: 'Creation Date',
    date_format: 'YYYY-MM-DD',
    type: 'Type',
    id: 'Modification Reference',
    order: 'Merchant Reference',
    charge: 'Psp Reference',
    method: 'Payment Method',
    note: 'Modification Merchant Reference',
    net_debit: 'Net Debit (NC)',
    net_credit: 'Net Credit (NC)',
    gross_debit: 'Gross Debit (GC)',
    gross_credit: 'Gross Credit (GC)',
    gross_currency: 'Gross Currency',
    fees: ['Commission (NC)', 'Markup (NC)', 'Scheme Fees (NC)', 'Interchange (NC)'],
    payout_types: ['MerchantPayout'],
    fee_types: ['Fee', 'InvoiceDeduction', 'MiscCosts', 'PaymentCost'],
    carried_types: ['Balancetransfer', 'DepositCorrection'],
  },
  /** Payout reconciliation, itemized, with itemized payouts. */
  stripe: {
    provider: 'Stripe',
    payout: 'automatic_payout_id',
    account: 'stripe',
    currency: 'currency',
    date: 'created',
    type: 'reporting_category',
    id: 'balance_transaction_id',
    note: 'description',
    net: 'net',
    gross: 'gross',
    fees: ['fee'],
    // Some of these files have a line for the pay-out, with either sign.
    payout_types: ['payout'],
    payout_unsigned: true,
    fee_types: ['fee'],
    fee_ids: true,
    carried_types: ['risk_reserved_funds', 'connect_reserved_funds'],
    payouts: {
      payout: 'payout_id',
      date: 'effective_at',
      currency: 'currency',
      paid: 'net',
      type: 'reporting_category',
      types: ['payout'],
    },
  },
  /** The exports of transactions and of payouts. */
  'shopify-payments': {
    provider: 'Shopify Payments',
    payout: 'Payout Date',
    account: 'shopify',
    currency: 'Currency',
    date: 'Transaction Date',
    type: 'Type',
    order: 'Order',
    method: 'Card Brand',
    net: 'Net',
    gross: 'Amount',
    fees: ['Fee'],
    status: 'Payout Status',
    open_words: ['pending', 'scheduled', 'in_transit'],
    payout_types: ['payout'],
    payouts: {
      payout: 'Payout Date',
      date: 'Payout Date',
      currency: 'Currency',
      paid: 'Total',
      fees: ['Fees'],
      inverted: true,
    },
  },
} as const satisfies Readonly<Record<string, Preset>>;

export const settlementPresetNames = keysOf(settlementPresets);

/** The preset whose columns a file has, of lines or of pay-outs. */
export function settlementPresetIn(header: readonly string[]) {
  const has = (columns: readonly (string | undefined)[]) =>
    columns.every((column) => column === undefined || header.includes(column));
  return settlementPresetNames.find((name) => {
    const { payout, currency, date, type, id, payouts }: Preset = settlementPresets[name];
    return (
      has([payout, currency, date, type, id]) ||
      (payouts !== undefined && has([payouts.payout, payouts.currency, payouts.date, payouts.paid]))
    );
  });
}
