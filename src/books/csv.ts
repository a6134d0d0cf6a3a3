import { type CsvField, csvFieldPattern, csvFields } from '../model/account-mapping.ts';
import type { JournalEntry, Posting } from '../model/journal-entry.ts';
import { formatMinor, magnitude } from '../money/money.ts';
import type { AccountForm } from './accounts.ts';
import type { JournalFile } from './journal-file.ts';

/** Any software's accounts. */
export const csvAccounts: AccountForm = {
  pattern: /^[^\p{Cc}]+$/u,
  says: 'text on one line',
};

type Line = readonly [entry: JournalEntry, posting: Posting];

const fields: Readonly<Record<CsvField, (line: Line) => string>> = {
  entry_id: ([{ id }]) => id,
  date: ([{ date }]) => date,
  account: ([, { account }]) => account,
  debit: ([{ scale }, { minor }]) => (minor > 0n ? formatMinor(minor, scale) : ''),
  credit: ([{ scale }, { minor }]) => (minor < 0n ? formatMinor(magnitude(minor), scale) : ''),
  amount: ([{ scale }, { minor }]) => formatMinor(minor, scale),
  currency: ([{ currency }]) => currency,
  text: ([{ text }]) => text,
  settlement_id: ([, { settlementId }]) => settlementId,
  purpose: ([, { purpose }]) => purpose,
  transaction_id: ([, { transactionId }]) => transactionId,
  accounting_token: ([{ accountingToken }]) => accountingToken,
  status: ([{ isPending }]) => (isPending ? 'pending' : 'booked'),
  reverses: ([{ reverses = '' }]) => reverses,
};

/** A signed amount would say twice what debit and credit say. */
const usual = csvFields.filter((name) => name !== 'amount');

/**
 * A record for each posting: the usual columns, or those of the mapping, in which the names of fields
 * in braces stand for them. Debits are positive amounts.
 */
export function csvRecords({ entries, mapping }: Pick<JournalFile, 'entries' | 'mapping'>) {
  const { columns, date: form = 'YYYY-MM-DD' } = mapping.csv ?? {};
  const templates = columns ?? Object.fromEntries(usual.map((name) => [name, `{${name}}`]));
  const textOf = (name: CsvField, line: Line) =>
    name === 'date' ? dateText(fields.date(line), form) : fields[name](line);
  const isField = (name: string): name is CsvField => Object.hasOwn(fields, name);
  const cell = (template: string, line: Line) =>
    template.replace(csvFieldPattern, (_, name: string) =>
      isField(name) ? textOf(name, line) : '',
    );
  function* rows() {
    for (const entry of entries) {
      for (const posting of entry.postings) {
        yield Object.values(templates).map((template) => cell(template, [entry, posting]));
      }
    }
  }
  return {
    columns: Object.keys(templates).map((key) => ({ key, kind: 'value' as const })),
    rows: rows(),
  };
}

function dateText(date: string, form: string): string {
  const [year = '', month = '', day = ''] = date.split('-');
  return form.replace('YYYY', year).replace('MM', month).replace('DD', day);
}
