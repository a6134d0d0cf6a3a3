import type { AccountForm } from '../books/accounts.ts';
import { beancountAccounts, beancountText } from '../books/beancount.ts';
import { csvAccounts, csvRecords } from '../books/csv.ts';
import { datevAccounts, datevText } from '../books/datev.ts';
import type { JournalFormat } from '../books/example-mapping.ts';
import type { JournalFile } from '../books/journal-file.ts';
import { plainAccounts, plainTextJournal } from '../books/plain-text.ts';
import { renderCsv } from './csv.ts';

interface Writer {
  readonly accounts: AccountForm;
  readonly text: (file: JournalFile) => Iterable<string | Uint8Array>;
}

const writers: Readonly<Record<JournalFormat, Writer>> = {
  hledger: { accounts: plainAccounts, text: (file) => plainTextJournal(file, false) },
  ledger: { accounts: plainAccounts, text: (file) => plainTextJournal(file, true) },
  beancount: { accounts: beancountAccounts, text: beancountText },
  datev: { accounts: datevAccounts, text: datevText },
  csv: { accounts: csvAccounts, text: (file) => renderCsv(csvRecords(file), 'rfc') },
};

export function accountFormOf(format: JournalFormat): AccountForm {
  return writers[format].accounts;
}

/** A journal in a format, a piece at a time; the same bytes for the same journal. Throws ReconError. */
export function journalText(format: JournalFormat, file: JournalFile) {
  return writers[format].text(file);
}
