import type { JournalCsv, presetWords, WordsByPurpose } from '../model/account-mapping.ts';

interface Preset extends JournalCsv {
  readonly words?: { readonly [Name in (typeof presetWords)[number]]?: WordsByPurpose };
}

/** The layouts that vendors publish for imports; docs/journal.md names the pages. */
export const csvPresets = {
  /** Accounts by name; one currency, that of the company. */
  quickbooks: {
    date: 'MM/DD/YYYY',
    columns: {
      JournalNo: '{entry_id}',
      JournalDate: '{date}',
      AccountName: '{account}',
      Debits: '{debit}',
      Credits: '{credit}',
      Description: '{text}',
      Name: '{name}',
    },
    words: { name: {} },
  },
  /** Rows of the same narration and date are one journal; one currency, that of the company. */
  xero: {
    date: 'DD/MM/YYYY',
    columns: {
      '*Narration': '{text} {entry_id}',
      '*Date': '{date}',
      Description: '{purpose} {settlement_id}',
      '*AccountCode': '{account}',
      '*TaxRate': '{tax_rate}',
      '*Amount': '{amount}',
      TrackingName1: '',
      TrackingOption1: '',
      TrackingName2: '',
      TrackingOption2: '',
    },
    words: { tax_rate: { other: 'Tax Exempt' } },
    most_decimals: 2,
    most_lines: 300,
  },
  netsuite: {
    date: 'MM/DD/YYYY',
    columns: {
      'External ID': '{entry_id}',
      Date: '{date}',
      Currency: '{currency}',
      Memo: '{text}',
      Account: '{account}',
      Debit: '{debit}',
      Credit: '{credit}',
      'Line Memo': '{purpose} {settlement_id}',
    },
    most_decimals: 2,
  },
  /** What concerns the whole entry stands on its first line; one currency, that of the company. */
  odoo: {
    columns: {
      date: '{date}',
      journal_id: '{journal}',
      ref: '{entry_id}',
      'line_ids/account_id': '{account}',
      'line_ids/name': '{text}',
      'line_ids/debit': '{debit}',
      'line_ids/credit': '{credit}',
    },
    first_line: ['date', 'journal_id', 'ref'],
    words: { journal: { other: 'Miscellaneous Operations' } },
  },
} as const satisfies Readonly<Record<string, Preset>>;
