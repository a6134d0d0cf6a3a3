import type { AccountMapping } from '../model/account-mapping.ts';
import type { AccountForm } from './accounts.ts';
import { beancountAccounts } from './beancount.ts';
import { csvAccounts } from './csv.ts';
import { datevAccounts } from './datev.ts';
import type { JournalFormat } from './example-mapping.ts';
import { plainAccounts } from './plain-text.ts';

interface JournalForm {
  readonly accounts: AccountForm;
  /** Whether it can declare accounts and currencies, and assert balances. */
  readonly declares: boolean;
  /** The currency that all amounts must have; any, if absent. */
  readonly onlyCurrency?: (mapping: AccountMapping) => string | undefined;
}

const csv: JournalForm = { accounts: csvAccounts, declares: false };

/** What each format of the journal can hold. */
export const journalForms: Readonly<Record<JournalFormat, JournalForm>> = {
  hledger: { accounts: plainAccounts, declares: true },
  ledger: { accounts: plainAccounts, declares: true },
  beancount: { accounts: beancountAccounts, declares: true },
  datev: {
    accounts: datevAccounts,
    declares: false,
    onlyCurrency: ({ datev }) => datev?.currency,
  },
  csv,
  quickbooks: csv,
  xero: csv,
  netsuite: csv,
  odoo: csv,
};
