import { keysOf } from '../../base/lists.ts';
import { csvPresets } from '../../books/csv-presets.ts';
import { exampleMappings, type JournalFormat } from '../../books/example-mapping.ts';
import { journalForms } from '../../books/journal-forms.ts';
import type { Purpose } from '../../model/account-mapping.ts';
import { profileTable } from '../common/rule-words.ts';

const explained = {
  in_transit: 'Pay-outs on their way to the bank.',
  bank: 'The bank account that receives the pay-outs. Needed with --bank.',
  fees: 'Fees of the service.',
  tax: 'Tax on the fees, if you can reclaim it. If not, use the account for fees.',
  receivable: 'What the service owes you for sales. Your sales are booked against it.',
  suspense: 'Differences that nobody has explained yet.',
  accepted: 'Accepted differences.',
  bank_fees: 'Charges that the bank states for a pay-out.',
} as const satisfies Partial<Record<Purpose, string>>;

const declarations = `# Whether the journal declares its accounts and currencies. Use false if your books declare them.
#declarations = true
# Whether the journal asserts the balance in transit. Use false if pay-outs of earlier days are still in transit.
#assertions = true
`;

/** What a format alone needs or may have. */
const sections: Partial<Readonly<Record<JournalFormat, (table: string) => string>>> = {
  datev: (table) => {
    const { adviser, client, year_start, account_length, currency, chart } =
      exampleMappings.datev.datev;
    return `
[${table}.datev]
# Your tax adviser's number, and your company's client number there.
adviser = ${adviser}
client = ${client}
# The first day of the fiscal year, and the digits of an account.
year_start = "${year_start}"
account_length = ${account_length}
# The currency of the books, and the chart of accounts.
currency = "${currency}"
chart = "${chart}"
# Whether entries can no longer be changed after the import.
locked = false
# Tax keys (BU-Schlüssel). The tax is booked separately: do not use keys that compute it again.
#tax_keys = { fees = "40" }
`;
  },
  csv: (table) => `
# Other columns, for software that imports them. Fields are in braces; everything else is text:
#[${table}.csv]
#date = "DD/MM/YYYY"
#columns = { "Date" = "{date}", "Account" = "{account}", "Amount" = "{amount}" }
`,
  quickbooks: (table) => `
# QuickBooks Online has accounts by name; sub-accounts are written Parent:Sub. Turn account numbers off before the
# import. An account of the type A/R or A/P needs the name of a customer or supplier:
#[${table}.csv.words.name]
#receivable = "The payment service"
`,
  xero: (table) => `
# Xero does not take manual journals on bank accounts: use clearing accounts. The full name of the tax rate of each
# account, as it is in Xero:
[${table}.csv.words.tax_rate]
other = "Tax Exempt"
#fees = "20% (VAT on Expenses)"
`,
  netsuite: (table) => `
# NetSuite takes accounts by number, or by number and name. With several subsidiaries, name the columns yourself:
#[${table}.csv.columns]
${presetColumns('netsuite')}#Subsidiary = "Parent Company"
`,
  odoo: (table) => `
# The journal of Odoo that takes the entries.
[${table}.csv.words.journal]
other = "Miscellaneous Operations"
`,
};

function presetColumns(name: keyof typeof csvPresets): string {
  return Object.entries(csvPresets[name].columns)
    .map(([column, template]) => `#${JSON.stringify(column)} = ${JSON.stringify(template)}\n`)
    .join('');
}

/** A first mapping of accounts for a format, as part of a configuration file. */
export function mappingTemplate(format: JournalFormat, profile: string): string {
  const table = `${profileTable(profile)}.books`;
  const example = exampleMappings[format];
  const accounts = keysOf(explained).map(
    (purpose) => `# ${explained[purpose]}\n${purpose} = ${JSON.stringify(example[purpose])}\n`,
  );
  return `# Accounts for recon journal --for ${format}. Change them to those of your books.
[${table}]
${accounts.join('')}
${journalForms[format].declares ? `${declarations}\n` : ''}# What differs on the bank is booked to suspense, unless it has accounts of its own: more than the
# net pay-out, less than it, and receipts that no pay-out explains.
#overpaid = ${JSON.stringify(example.suspense)}
#bank_difference = ${JSON.stringify(example.suspense)}
#unknown_receipt = ${JSON.stringify(example.suspense)}
# To accrue what was sold in a month before its settlement:
#by_sale_month = true
#accrued_sales = ${JSON.stringify(example.accrued_sales)}

# Other accounts for a currency, or for an account of the service, by its id:
#[${table}.currency.JPY]
#bank = ${JSON.stringify(example.bank)}
#[${table}.token."3f0c7a52-6d1e-4b8a-9c35-1e7d20a4b601"]
#receivable = ${JSON.stringify(example.receivable)}
# Or for the amounts, fees and tax of a transaction type:
#[${table}.type.refund]
#receivable = ${JSON.stringify(example.receivable)}
${sections[format]?.(table) ?? ''}`;
}
