import type { JournalEntry } from '../model/journal-entry.ts';
import { formatMinor } from '../money/money.ts';
import type { AccountForm } from './accounts.ts';
import { declaredIn, type JournalFile, oneLine, onFailure, postingTexts } from './journal-file.ts';

/** How hledger and ledger write accounts: two blanks end one, of any kind in hledger. */
export const plainAccounts: AccountForm = {
  pattern: /^(?!.*\s{2})[\p{L}\p{N}](?:[^;\p{Cc}]*[^;\s\p{Cc}])?$/u,
  says: 'text without semicolons or double spaces that begins with a letter or digit',
};

const tags = ['settlementId', 'transactionId', 'reverses'] as const;

/** Not `date`: hledger moves a posting that has it. */
const dayTag = 'settlementDate';

/**
 * A journal as hledger and ledger read it, entry by entry. Currencies are declared without a format:
 * with one, both ignore less than half a unit of its last digit.
 */
export function* plainTextJournal(file: JournalFile, isHledger: boolean): Generator<string> {
  const { comments, entries, balances, range, mapping, batch } = file;
  yield comments.map((text) => `; ${oneLine(text)}\n`).join('');
  const { accounts, currencies } = declaredIn(file);
  const hasMoved = entries.some(({ date, bookingDate }) => date !== bookingDate);
  if (mapping.declarations ?? true) {
    const declared = [
      ...currencies.map((currency) => `commodity ${currency}`),
      ...accounts.map((account) => `account ${account}`),
      ...[...tags, ...(hasMoved ? [dayTag] : [])].map((tag) => `tag ${tag}`),
      ...(isHledger ? payeesIn(file).map((payee) => `payee ${payee}`) : []),
    ];
    yield `\n${declared.join('\n')}\n`;
  }
  for (const entry of entries) yield entryText(entry);
  if (batch && (mapping.assertions ?? true)) yield countText(batch);
  if (balances.length === 0 || !(mapping.assertions ?? true)) return;
  yield `\n; ${onFailure}\n${range.to} * ${transitDescription(range)}\n`;
  for (const { account, minor, scale, currency } of balances) {
    yield `    ${account}  0 ${currency} = ${formatMinor(minor, scale)} ${currency}\n`;
  }
}

/** The descriptions, which `hledger check payees` wants declared. */
function payeesIn({ entries, batch, balances, range, mapping }: JournalFile): readonly string[] {
  const asserts = mapping.assertions ?? true;
  const own = [
    ...entries.map(descriptionOf),
    ...(batch && asserts ? [batchDescription(batch)] : []),
    ...(balances.length > 0 && asserts ? [transitDescription(range)] : []),
  ];
  return [...new Set(own)].sort();
}

const descriptionOf = ({ text }: JournalEntry) => oneLine(text).replaceAll(/[;|]/g, ' ');

const transitDescription = ({ to }: JournalFile['range']) => `In transit at the end of ${to}`;

const batchDescription = ({ number }: NonNullable<JournalFile['batch']>) =>
  `Batch ${number}: imported once, after all earlier batches`;

/** Counts the batch on an account of its own, with a posting that needs no other side. */
function countText(batch: NonNullable<JournalFile['batch']>): string {
  const { number, register, date } = batch;
  const account = `recon:batches:${register}`;
  const lines = [
    'commodity batch',
    `account ${account}`,
    '',
    `${date} * (BATCH-${number}) ${batchDescription(batch)}`,
    `    (${account})  1 batch = ${number} batch`,
  ];
  return `\n${lines.join('\n')}\n`;
}

function entryText(entry: JournalEntry): string {
  const { id, date, bookingDate, isPending, reverses = '', settlementIds } = entry;
  const lines = [
    `${date} ${isPending ? '!' : '*'} (${id}) ${descriptionOf(entry)}`,
    ...settlementIds.map((settlement) => `    ; ${tagged('settlementId', settlement)}`),
    ...(reverses && [`    ; ${tagged('reverses', reverses)}`]),
    ...(date === bookingDate ? [] : [`    ; ${tagged(dayTag, bookingDate)}`]),
    ...postingTexts(entry).map(({ line, transactionId, settlementId }) => {
      const tag =
        (transactionId && tagged('transactionId', transactionId)) ||
        (settlementId && tagged('settlementId', settlementId));
      return `    ${line}${tag && `  ; ${tag}`}`;
    }),
  ];
  return `\n${lines.join('\n')}\n`;
}

/** A comma would end the value, and colons begin another tag. */
function tagged(tag: (typeof tags)[number] | typeof dayTag, value: string): string {
  return `${tag}: ${oneLine(value).replaceAll(/[,;:[\]]/g, ' ')}`;
}
