import { keysOf } from '../base/lists.ts';
import type { SettlementsCsv } from '../model/settlement-files.ts';

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
} as const satisfies Readonly<Record<string, Partial<SettlementsCsv>>>;

export const settlementPresetNames = keysOf(settlementPresets);
