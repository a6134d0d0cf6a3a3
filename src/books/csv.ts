import { type CsvField, csvFieldPattern, csvFields } from '../model/account-mapping.ts';
import type { JournalEntry, Posting } from '../model/journal-entry.ts';
import { formatMinor } from '../money/money.ts';
import type { AccountForm } from './accounts.ts';
import type { JournalFile } from './journal-file.ts';

/** The accounts of any software. */
export const csvAccounts: AccountForm = {
  pattern: /^[^\p{Cc}]+$/u,
  says: 'text on one line',
};

/** The fields of a posting; dates are written in a form such as DD/MM/YYYY. */
function fieldsOf(entry: JournalEntry, posting: Posting, form: string): Record<CsvField, string> {
  const { minor } = posting;
  const written = (date: string) => {
    const [year = '', month = '', day = ''] = date.split('-');
    return form.replace('YYYY', year).replace('MM', month).replace('DD', day);
  };
  const amount = formatMinor(minor, entry.scale);
  return {
    entry_id: entry.id,
    date: written(entry.date),
    account: posting.account,
    debit: minor > 0n ? amount : '',
    credit: minor < 0n ? formatMinor(-minor, entry.scale) : '',
    amount,
    currency: entry.currency,
    text: entry.text,
    settlement_id: posting.settlementId,
    purpose: posting.purpose,
    transaction_id: posting.transactionId,
    accounting_token: entry.accountingToken,
    status: entry.isPending ? 'pending' : 'booked',
    reverses: entry.reverses ?? '',
    of_date: entry.bookingDate === entry.date ? '' : written(entry.bookingDate),
  };
}

/** Without the signed amount, which debit and credit have already. */
const usual = csvFields.filter((name) => name !== 'amount');

/** A record for each posting: the usual columns, or those of the mapping. Debits are positive amounts. */
export function csvRecords({ entries, mapping }: Pick<JournalFile, 'entries' | 'mapping'>) {
  const { columns, date: form = 'YYYY-MM-DD' } = mapping.csv ?? {};
  const templates = columns ?? Object.fromEntries(usual.map((name) => [name, `{${name}}`]));
  function* rows() {
    for (const entry of entries) {
      for (const posting of entry.postings) {
        const fields: Readonly<Record<string, string>> = fieldsOf(entry, posting, form);
        yield Object.values(templates).map((template) =>
          template.replace(csvFieldPattern, (_, name: string) => fields[name] ?? ''),
        );
      }
    }
  }
  return {
    columns: Object.keys(templates).map((key) => ({ key, kind: 'value' as const })),
    rows: rows(),
  };
}
