import { keysOf } from '../base/lists.ts';
import type { AccountMapping, Purpose } from '../model/account-mapping.ts';

/** All others stand in for them. */
type Accounts = Readonly<
  Record<
    Exclude<Purpose, 'written_off' | 'overpaid' | 'bank_difference' | 'unknown_receipt'>,
    string
  >
>;

const plain: Accounts = {
  in_transit: 'assets:payments in transit',
  bank: 'assets:bank',
  fees: 'expenses:payment fees',
  tax: 'assets:input tax',
  receivable: 'assets:receivables:payments',
  accrued_sales: 'assets:accrued sales',
  suspense: 'assets:suspense',
  accepted: 'expenses:accepted differences',
  bank_fees: 'expenses:bank fees',
};

/** Of any software that takes names. */
const named: Accounts = {
  in_transit: 'Payments in transit',
  bank: 'Bank',
  fees: 'Payment fees',
  tax: 'Input tax',
  receivable: 'Payments receivable',
  accrued_sales: 'Accrued sales',
  suspense: 'Suspense',
  accepted: 'Accepted differences',
  bank_fees: 'Bank fees',
};

const numbered: Accounts = {
  in_transit: '610100',
  bank: '610200',
  fees: '404100',
  tax: '820100',
  receivable: '610300',
  accrued_sales: '610400',
  suspense: '850100',
  accepted: '404200',
  bank_fees: '404300',
};

/** What `recon journal --init` prints, and the default of the sandbox. */
export const exampleMappings = {
  hledger: plain,
  beancount: {
    in_transit: 'Assets:PaymentsInTransit',
    bank: 'Assets:Bank',
    fees: 'Expenses:PaymentFees',
    tax: 'Assets:InputTax',
    receivable: 'Assets:Receivables:Payments',
    accrued_sales: 'Assets:AccruedSales',
    suspense: 'Assets:Suspense',
    accepted: 'Expenses:AcceptedDifferences',
    bank_fees: 'Expenses:BankFees',
  },
  ledger: plain,
  /** Of the chart of accounts SKR03. */
  datev: {
    in_transit: '1361',
    bank: '1200',
    fees: '4970',
    tax: '1576',
    receivable: '1410',
    accrued_sales: '1500',
    suspense: '1590',
    accepted: '2300',
    bank_fees: '4970',
    datev: {
      adviser: 1001,
      client: 1,
      year_start: '01-01',
      account_length: 4,
      currency: 'EUR',
      chart: '03',
      locked: false,
    },
  },
  csv: named,
  quickbooks: named,
  xero: numbered,
  netsuite: numbered,
  odoo: numbered,
} as const satisfies Readonly<Record<string, Accounts & AccountMapping>>;

export type JournalFormat = keyof typeof exampleMappings;

export const journalFormats = keysOf(exampleMappings);
