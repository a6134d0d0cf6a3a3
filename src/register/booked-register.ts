import { ReconError } from '../base/errors.ts';
import { shortId } from '../base/id-table.ts';
import { groupedBy } from '../base/lists.ts';
import { purposes } from '../model/account-mapping.ts';
import type { JournalEntry, Posting } from '../model/journal-entry.ts';
import { formatMinor, parseDecimal } from '../money/money.ts';
import { type KeptCsv, unclosedQuote } from './kept-csv.ts';

/** The entries of one file for the books. */
export interface BookedBatch {
  readonly number: number;
  readonly bookedOn: string;
  /** JSON: what is needed to write the file again, besides the entries. */
  readonly about: string;
  readonly entries: readonly JournalEntry[];
}

// A batch has a line of its own, then a line for each posting. The last line closes the register. The check
// of a line is a digest of its values and of all lines above it.
const columns = [
  'line',
  'batch',
  'date',
  'entry_id',
  'reverses',
  'settlement_ids',
  'bank_entry_ids',
  'accounting_token',
  'state',
  'currency',
  'decimal_places',
  'purpose',
  'account',
  'amount',
  'settlement_id',
  'transaction_id',
  'text',
  'check',
] as const;

type Column = (typeof columns)[number];

type Cells = Readonly<Partial<Record<Column, string>>>;

type Line = (column: Column) => string;

/** The text of a register's file. ReconError `service` for a text that a file cannot hold. */
export function registerText({ batches }: { readonly batches: readonly BookedBatch[] }) {
  let check = '';
  const record = (cells: Cells) => {
    const values = columns.slice(0, -1).map((column) => escaped(cells[column] ?? ''));
    const broken = values.find((value) => /\p{Cs}/u.test(value));
    if (broken !== undefined) {
      const message = `A text cannot be kept in a file: ${JSON.stringify(broken)}.`;
      throw new ReconError('service', message, { hint: 'Report it to the provider.' });
    }
    check = checkAfter(check, values);
    return [...values, check].map(quoted).join(',');
  };
  const lines = batches.flatMap((batch) => [...linesOf(batch)].map(record));
  lines.push(record({ line: 'end', text: `batches: ${batches.length}, lines: ${lines.length}` }));
  return { text: [columns.join(','), ...lines, ''].join('\r\n'), check };
}

function* linesOf({ number, bookedOn, about, entries }: BookedBatch): Generator<Cells> {
  const batch = String(number);
  yield { line: 'batch', batch, date: bookedOn, text: about };
  for (const entry of entries) {
    for (const { minor, purpose, account, settlementId, transactionId } of entry.postings) {
      yield {
        line: 'posting',
        batch,
        date: entry.date,
        entry_id: entry.id,
        reverses: entry.reverses ?? '',
        settlement_ids: listText(entry.settlementIds),
        bank_entry_ids: listText(entry.bankEntryIds),
        accounting_token: entry.accountingToken,
        state: entry.isPending ? 'pending' : 'settled',
        currency: entry.currency,
        decimal_places: String(entry.scale),
        purpose,
        account,
        amount: formatMinor(minor, entry.scale),
        settlement_id: settlementId,
        transaction_id: transactionId,
        text: entry.text,
      };
    }
  }
}

/** Parses a register; errors name `path`. ReconError `damaged` if any line was altered or is missing. */
export function parseBooked(csv: KeptCsv, path: string) {
  const { columns: found, brokenAt } = csv;
  const records = csv.records.filter(({ isEmpty }) => !isEmpty);
  const damaged = (line: number, message: string) =>
    new ReconError('damaged', `The register of booked entries was changed. ${message}`, {
      where: `${path}:${line}`,
      hint: 'Restore the file from a backup. Nothing was booked.',
    });
  if (columns.join() !== found.join()) throw damaged(1, 'Its columns are not as recon wrote them.');
  if (brokenAt !== undefined) throw damaged(brokenAt, unclosedQuote);
  let check = '';
  for (const { line, cells } of records) {
    const values = columns.slice(0, -1).map((column) => cells.get(column) ?? '');
    check = checkAfter(check, values);
    if (check !== cells.get('check')) throw damaged(line, 'This line is not as recon wrote it.');
  }
  const last = records.at(-1);
  if (last?.cells.get('line') !== 'end') {
    throw damaged(last?.line ?? 1, 'Lines are missing at the end.');
  }
  const lines = records.slice(0, -1).map(({ cells }): Line => {
    return (column) => unescaped(cells.get(column) ?? '');
  });
  const batches = [...groupedBy(lines, (text) => text('batch')).values()];
  return { check, batches: batches.flatMap(batchOf) };
}

function batchOf([text, ...postings]: readonly Line[]): BookedBatch | [] {
  if (!text) return [];
  const entries = [...groupedBy(postings, (line) => line('entry_id')).values()].flatMap(entryOf);
  return { number: Number(text('batch')), bookedOn: text('date'), about: text('text'), entries };
}

function entryOf(lines: readonly Line[]): JournalEntry | [] {
  const [text] = lines;
  if (!text) return [];
  const scale = Number(text('decimal_places'));
  return {
    id: text('entry_id'),
    date: text('date'),
    bookingDate: text('date'),
    currency: text('currency'),
    scale,
    settlementIds: listIn(text('settlement_ids')),
    bankEntryIds: listIn(text('bank_entry_ids')),
    accountingToken: text('accounting_token'),
    text: text('text'),
    isPending: text('state') === 'pending',
    reverses: text('reverses') || undefined,
    postings: lines.map((line) => postingOf(line, scale)),
  };
}

function postingOf(text: Line, scale: number): Posting {
  const purpose = purposes.find((one) => one === text('purpose'));
  const minor = parseDecimal(text('amount'), scale);
  if (purpose === undefined || minor === undefined) {
    const message = 'The register of booked entries was written by another version of recon.';
    throw new ReconError('damaged', message, { hint: 'Use a newer version of recon.' });
  }
  const [settlementId, transactionId] = [text('settlement_id'), text('transaction_id')];
  return { purpose, account: text('account'), minor, settlementId, transactionId };
}

/** Ids in one cell; separators inside them are escaped. */
function listText(ids: readonly string[]): string {
  return ids.map((id) => id.replace(/[%|]/g, encodeURIComponent)).join(' | ');
}

function listIn(text: string): readonly string[] {
  const ids = text.split(' | ').filter(Boolean);
  return ids.map((id) => id.replace(/%(?:25|7C)/g, decodeURIComponent));
}

function checkAfter(before: string, values: readonly string[]): string {
  return shortId(JSON.stringify([before, ...values]));
}

/** A text that a spreadsheet does not run as a formula. Amounts stay as they are. */
function escaped(text: string): string {
  return /^'*[=+@\t\r]|^'+-|^-(?![\d.]+$)/.test(text) ? `'${text}` : text;
}

function unescaped(text: string): string {
  return /^'+[=+\-@\t\r]/.test(text) ? text.slice(1) : text;
}

function quoted(value: string): string {
  return /[",;\r\n]|^\s|\s$/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}
