import { dirname } from 'node:path';
import { ReconError } from '../base/errors.ts';
import {
  behindLink,
  type FileDraft,
  isThere,
  moveFile,
  readTextFile,
  writeDraft,
} from '../base/files.ts';
import { type LockOptions, takeLock } from '../base/folder-lock.ts';
import { flushFolder, removeWhole, replaceWhole } from '../base/folders.ts';
import { isObject, parseJson } from '../base/json.ts';
import { groupedBy } from '../base/lists.ts';
import { purposes } from '../model/account-mapping.ts';
import type { JournalEntry, Posting } from '../model/journal-entry.ts';
import { formatMinor, parseDecimal } from '../money/money.ts';
import {
  besideRegister,
  type Cells,
  type ChainedLine,
  chainedLines,
  chainedWriter,
  type KeptLines,
  listIn,
  listText,
  type RegisterStart,
  requireAsMeant,
} from './chained-csv.ts';
import { type KeptCsv, readKeptCsv } from './kept-csv.ts';

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

/** A register without batches. */
export const newRegister: BookedContents = { batches: [], check: '', kept: { columns, lines: [] } };

/** The text of a register's file with more batches. ReconError `service` for a text that a file cannot hold. */
export function registerText(register: BookedContents, batches: readonly BookedBatch[]) {
  const { kept } = register;
  const writer = chainedWriter<Column>(kept);
  const lines = batches.flatMap((batch) => [...linesOf(batch)]);
  for (const line of lines) writer.add(line);
  const [number, count] = [
    register.batches.length + batches.length,
    kept.lines.length + lines.length,
  ];
  writer.add({ line: 'end', text: `batches: ${number}, lines: ${count}` });
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

export interface BookedContents {
  readonly batches: readonly BookedBatch[];
  /** Of the last line. */
  readonly check: string;
  readonly kept: KeptLines;
}

/** Parses a register; errors name `path`. ReconError `damaged` if any line was altered or is missing. */
export function parseBooked(csv: KeptCsv, path: string): BookedContents {
  const what = 'The register of booked entries';
  const all = chainedLines<Column>(csv, { columns, path, what, undone: 'Nothing was booked.' });
  const lines = all.slice(0, -1);
  const texts = lines.map(({ text }) => text);
  const batches = [...groupedBy(texts, (text) => text('batch')).values()];
  const kept = { columns: csv.columns, lines };
  return { batches: batches.flatMap(batchOf), check: all.at(-1)?.check ?? '', kept };
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

export interface NewBatch {
  readonly batch: BookedBatch;
  readonly output: string;
  readonly contents: string | Uint8Array;
}

/** A batch that an earlier run left unfinished, and its file. */
export interface FinishedBatch {
  readonly number: number;
  readonly output: string;
}

interface RegisterOptions extends RegisterStart {
  readonly lock: LockOptions;
  /** Called if an unfinished batch was completed first. */
  readonly onFinished: (batch: FinishedBatch) => void;
}

/**
 * Locks a register and books the next batch that `plan` makes of it, if any: the register and the file for
 * the books are written both or neither. A missing register is begun. ReconErrors as `requireAsMeant`,
 * `damaged` if it was altered, `output` if the file exists, `locked`.
 */
export async function bookBatch<Plan extends { readonly next: NewBatch | undefined }>(
  given: string,
  { lock, onFinished, onStart, ...start }: RegisterOptions,
  plan: (register: BookedContents) => Plan,
): Promise<Plan> {
  // A link to the register gets the same lock and hidden files.
  const path = await behindLink(given);
  const release = await takeLock(dirname(path), lock);
  try {
    const intent = await readBeside(path, 'next', isIntent);
    if (intent) {
      await carryOut(path, intent);
      onFinished({ number: intent.batch, output: intent.drafts[0].place });
    }
    const register = await readBooked(path, start);
    const planned = plan(register);
    if (!planned.next) return planned;
    await writeBoth(path, register, planned.next);
    if (register === newRegister) onStart?.(given);
    return planned;
  } finally {
    await release();
  }
}

/** Completes a batch; every step can be repeated. */
async function carryOut(path: string, { batch, check, drafts }: BatchIntent): Promise<void> {
  await moveDrafts(drafts, batch);
  await writeBeside(path, 'last', { batch, check });
  await removeWhole(besideRegister(path, 'next'));
}

/** Moves the file for the books, then the register, if they are not moved yet. */
async function moveDrafts([output, register]: BatchIntent['drafts'], batch: number): Promise<void> {
  if (await isThere(output.draft)) {
    await requireFree(output.place, batch);
    await moveForGood(output);
  }
  await moveForGood(register);
}

async function moveForGood({ draft, place }: FileDraft): Promise<void> {
  await moveFile(draft, place);
  await flushFolder(dirname(place));
}

async function requireFree(output: string, batch: number): Promise<void> {
  if (!(await isThere(output))) return;
  throw new ReconError('output', `The file for batch ${batch} already exists.`, {
    where: output,
    hint: 'It may contain a batch that is not imported yet. Move it, or name another file.',
  });
}

/**
 * The batches of a register that is only read; none if it is not begun yet. ReconErrors as `requireAsMeant` if `trace`
 * or something beside it shows that it was, `damaged` if it was altered or is gone.
 */
export async function batchesAt(
  given: string,
  trace: string | undefined,
): Promise<readonly BookedBatch[]> {
  const path = await behindLink(given);
  const receipt = await readBeside(path, 'last', isReceipt);
  return (await readIfBegun(path, { isNew: false, trace }, receipt)).batches;
}

async function readBooked(
  path: string,
  start: Omit<RegisterStart, 'onStart'>,
): Promise<BookedContents> {
  const receipt = await readBeside(path, 'last', isReceipt);
  const register = await readIfBegun(path, start, receipt);
  if (receipt && register !== newRegister && register.check !== receipt.check) {
    const found = `It ends with batch ${register.batches.length}, but ${lastOf(receipt)}.`;
    throw new ReconError('damaged', `The register is not as it was left. ${found}`, {
      where: path,
      hint: `${restoreText(path)}: later batches are then booked again.`,
    });
  }
  return register;
}

const lastOf = ({ batch }: RegisterReceipt) => `batch ${batch} was the last one booked`;

const restoreText = (path: string) =>
  `Restore the file from a backup. If there is none, remove ${besideRegister(path, 'last')}`;

async function readIfBegun(
  path: string,
  start: Omit<RegisterStart, 'onStart'>,
  receipt: RegisterReceipt | undefined,
): Promise<BookedContents> {
  const csv = await readKeptCsv(path);
  const isMissing = csv.columns.length === 0;
  if (isMissing && receipt) {
    const message = `The register of booked entries is missing, and ${lastOf(receipt)}.`;
    throw new ReconError('damaged', message, {
      where: path,
      hint: `${restoreText(path)} and start again with --new-register: everything is then booked again.`,
    });
  }
  const what = 'The register of booked entries';
  await requireAsMeant({ path, what, counted: 'batch' }, { isMissing, ...start });
  return isMissing ? newRegister : parseBooked(csv, path);
}

async function writeBoth(
  path: string,
  register: BookedContents,
  { batch, output, contents }: NewBatch,
): Promise<void> {
  const { text, check } = registerText(register, [batch]);
  const { number } = batch;
  const written: FileDraft[] = [];
  const write = async (place: string, what: string | Uint8Array) => {
    const draft = await writeDraft(place, what);
    written.push(draft);
    return draft;
  };
  try {
    await requireFree(output, number);
    const drafts = [await write(output, contents), await write(path, text)] as const;
    if (drafts[0].place === drafts[1].place) {
      const hint = 'Name another file with --output.';
      throw new ReconError('usage', 'The output is the register itself.', { where: output, hint });
    }
    const intent: BatchIntent = { batch: number, check, drafts };
    await writeBeside(path, 'next', intent);
    await moveDrafts(drafts, number);
    // Both are there. If the rest fails, the next run does it.
    await carryOut(path, intent).catch(() => {});
  } catch (error) {
    await undo(path, written).catch(() => {});
    throw error;
  }
}

/** Undoes a batch. If that fails, the next run completes the batch. */
async function undo(path: string, drafts: readonly FileDraft[]): Promise<void> {
  const [output] = drafts;
  if (output && !(await isThere(output.draft))) {
    // If the file is gone, it may be imported already, so the batch must stay in the register.
    if (!(await moveFile(output.place, output.draft))) return;
  }
  await removeWhole(besideRegister(path, 'next'));
  for (const { draft } of drafts) await removeWhole(draft);
}

/** The last batch of a register, in a hidden file beside it: an old copy of the register is noticed. */
interface RegisterReceipt {
  readonly batch: number;
  readonly check: string;
}

/** A batch being written, in a hidden file beside the register: once it exists, the batch is completed. */
interface BatchIntent extends RegisterReceipt {
  readonly drafts: readonly [FileDraft, FileDraft];
}

async function writeBeside(
  path: string,
  what: 'last' | 'next',
  state: RegisterReceipt | BatchIntent,
): Promise<void> {
  await replaceWhole(besideRegister(path, what), `${JSON.stringify(state)}\n`);
}

async function readBeside<Contents>(
  register: string,
  what: 'last' | 'next',
  isRight: (value: unknown) => value is Contents,
): Promise<Contents | undefined> {
  const path = besideRegister(register, what);
  const file = await readTextFile(path);
  if (!file) return undefined;
  const value = parseJson(file.text);
  if (isRight(value)) return value;
  throw new ReconError('damaged', 'This file says how the register ends, and was changed.', {
    where: path,
    hint: 'Restore it from a backup, together with the register.',
  });
}

function isReceipt(value: unknown): value is RegisterReceipt {
  return (
    isObject(value) && typeof value['batch'] === 'number' && typeof value['check'] === 'string'
  );
}

function isIntent(value: unknown): value is BatchIntent {
  if (!isReceipt(value) || !('drafts' in value)) return false;
  const { drafts } = value;
  return Array.isArray(drafts) && drafts.length === 2 && drafts.every(isDraft);
}

function isDraft(value: unknown): value is FileDraft {
  return (
    isObject(value) && typeof value['draft'] === 'string' && typeof value['place'] === 'string'
  );
}
