import { ReconError } from '../base/errors.ts';
import { groupedBy } from '../base/lists.ts';
import { purposes } from '../model/account-mapping.ts';
import type { JournalEntry, Posting } from '../model/journal-entry.ts';
import { formatMinor, parseDecimal } from '../money/money.ts';
import {
  type Cells,
  type ChainedLine,
  chainedLines,
  chainedWriter,
  listIn,
  listText,
} from './chained-csv.ts';
import type { KeptCsv } from './kept-csv.ts';

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

/** The text of a register's file. ReconError `service` for a text that a file cannot hold. */
export function registerText({ batches }: { readonly batches: readonly BookedBatch[] }) {
  const writer = chainedWriter(columns);
  const lines = batches.flatMap((batch) => [...linesOf(batch)]);
  for (const line of lines) writer.add(line);
  writer.add({ line: 'end', text: `batches: ${batches.length}, lines: ${lines.length}` });
  return { text: writer.text(), check: writer.check };
}

function* linesOf({ number, bookedOn, about, entries }: BookedBatch): Generator<Cells<Column>> {
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
  const what = 'The register of booked entries';
  const all = chainedLines<Column>(csv, { columns, path, what, undone: 'Nothing was booked.' });
  const lines = all.slice(0, -1).map(({ text }) => text);
  const batches = [...groupedBy(lines, (text) => text('batch')).values()];
  return { check: all.at(-1)?.check ?? '', batches: batches.flatMap(batchOf) };
}

function batchOf([text, ...postings]: readonly ChainedLine<Column>[]): BookedBatch | [] {
  if (!text) return [];
  const entries = [...groupedBy(postings, (line) => line('entry_id')).values()].flatMap(entryOf);
  return { number: Number(text('batch')), bookedOn: text('date'), about: text('text'), entries };
}

function entryOf(lines: readonly ChainedLine<Column>[]): JournalEntry | [] {
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

function postingOf(text: ChainedLine<Column>, scale: number): Posting {
  const purpose = purposes.find((one) => one === text('purpose'));
  const minor = parseDecimal(text('amount'), scale);
  if (purpose === undefined || minor === undefined) {
    const message = 'The register of booked entries was written by another version of recon.';
    throw new ReconError('damaged', message, { hint: 'Use a newer version of recon.' });
  }
  const [settlementId, transactionId] = [text('settlement_id'), text('transaction_id')];
  return { purpose, account: text('account'), minor, settlementId, transactionId };
}
