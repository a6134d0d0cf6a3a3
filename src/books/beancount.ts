import { addDays } from '../base/calendar.ts';
import type { JournalEntry } from '../model/journal-entry.ts';
import { formatMinor } from '../money/money.ts';
import type { AccountForm } from './accounts.ts';
import { declaredIn, type JournalFile, oneLine, onFailure, postingTexts } from './journal-file.ts';

/** How beancount writes accounts: they begin with one of five words, and each part with a capital or a digit. */
export const beancountAccounts: AccountForm = {
  pattern: /^(?:Assets|Liabilities|Equity|Income|Expenses)(?::[\p{Lu}\p{N}][\p{L}\p{N}-]*)+$/u,
  says: 'a beancount account such as Assets:Bank:Main',
};

/**
 * A journal as beancount reads it, entry by entry. Each balance is that of the beginning of its day, and
 * tolerates no difference. Entries have no option for that: versions 2 and 3 name it differently, and refuse
 * the other name.
 */
export function* beancountText(file: JournalFile): Generator<string> {
  const { comments, entries, balances, range, mapping, batch } = file;
  yield comments.map((text) => `; ${oneLine(text)}\n`).join('');
  if (mapping.declarations ?? true) {
    const { accounts } = declaredIn(file);
    // A later batch may have earlier days.
    const from = batch ? '1970-01-01' : range.from;
    const fresh = accounts.filter((account) => !batch?.known.has(account));
    const opened = fresh.map((account) => `${from} open ${account}\n`).join('');
    yield `\n${opened}`;
  }
  for (const entry of entries) yield entryText(entry);
  // A commodity can be declared once: a batch that is imported twice fails.
  if (batch) yield `\n${batch.date} commodity BATCH-${batch.register}-${batch.number}\n`;
  if (balances.length === 0 || !(mapping.assertions ?? true)) return;
  const next = addDays(range.to, 1);
  yield `\n; ${onFailure}\n`;
  for (const { account, minor, scale, currency } of balances) {
    yield `${next} balance ${account}  ${formatMinor(minor, scale)} ~ 0 ${currency}\n`;
  }
}

function entryText(entry: JournalEntry): string {
  const { id, date, bookingDate, text, isPending, reverses, settlementIds } = entry;
  const links = settlementIds.filter((one) => /^[\w./-]+$/.test(one)).map((one) => ` ^${one}`);
  const lines = [
    `${date} ${isPending ? '!' : '*'} ${quoted(text)}${links.join('')}`,
    ...metadata('  entry_id', id),
    ...metadata('  settlement_id', settlementIds.length === 1 ? settlementIds[0] : ''),
    ...metadata('  reverses', reverses),
    ...(date === bookingDate ? [] : [`  settlement_date: ${bookingDate}`]),
    ...postingTexts(entry).flatMap(({ line, transactionId, settlementId }) => [
      `  ${line}`,
      ...metadata('    transaction_id', transactionId),
      ...metadata('    settlement_id', settlementId),
    ]),
  ];
  return `\n${lines.join('\n')}\n`;
}

function metadata(key: string, value = ''): readonly string[] {
  return value === '' ? [] : [`${key}: ${quoted(value)}`];
}

function quoted(text: string): string {
  return `"${oneLine(text).replaceAll(/["\\]/g, '\\$&')}"`;
}
