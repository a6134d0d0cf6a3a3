import {
  readTransactions,
  type TransactionBatch,
  type TransactionsRead,
} from '../../../app/read-transactions.ts';
import { type FilterField, RowFilter, type RowFilters } from '../../../app/row-filter.ts';
import { ReconError } from '../../../base/errors.ts';
import { rowsOf } from '../../../model/row-batch.ts';
import { rowText } from '../../../render/index.ts';
import type { RowText } from '../../../render/renderer.ts';
import { partialSentences } from '../../../report/common/partial-words.ts';
import { capitalised, enumerate } from '../../../report/common/phrase.ts';
import { sentence } from '../../../report/common/words.ts';
import type {
  Transaction,
  TransactionsEnd,
  TransactionsQuery,
} from '../../../report/transactions/report.ts';
import { incompleteness, transactionsViews } from '../../../report/transactions/view.ts';
import { type Asked, queryAsked, sayExported, whatIsAsked } from '../../asked.ts';
import type { Context } from '../../context.ts';
import { dryRun } from '../../dry-run.ts';
import { exitCodes } from '../../exit-codes.ts';
import type { Messages } from '../../messages.ts';
import { type Write, withOutput } from '../../output.ts';
import { sayOddAnswers } from '../../print-report.ts';
import { describeRange, type RangeFlags } from '../../range.ts';
import { openSource, type ServiceContext, type ServiceFlags, withSource } from '../../source.ts';
import { resolveTarget, type TargetFlags } from '../../target.ts';

export interface TransactionsFlags extends ServiceFlags, RangeFlags, RowFilters, TargetFlags {
  readonly settlement?: string;
  readonly note?: readonly string[];
  readonly notes?: true;
}

type Run = AsyncGenerator<TransactionBatch, TransactionsRead, void>;

/** `recon transactions`: reads and lists. Returns the exit code. */
export async function transactions(flags: TransactionsFlags, context: Context): Promise<number> {
  const { host } = context;
  const target = resolveTarget(flags, host);
  const asked = await whatIsAsked(
    flags,
    context,
    flags.settlement === undefined ? flags : undefined,
  );
  const { settings } = asked;
  const query = ask(flags, asked, context);
  if (flags.dryRun && 'range' in query.of) return dryRun(flags, settings, query.of, context);
  const filter = new RowFilter(query.filters);
  const open = (given: ServiceContext) => openSource(flags, asked, given);
  return withSource(flags, context, open, async ({ source }, messages) => {
    messages.say(describe(query));
    sayExported(asked, messages);
    // Rows that are printed as they come would tear a progress line on the same screen.
    if (target.path !== undefined || target.format === 'table') await messages.startProgress();
    const run = readTransactions({
      source,
      of: query.of,
      ahead: settings.preferences.concurrency,
      onProgress: messages.onProgress,
    });
    await withOutput(target.path, host.stdout, async (write) => {
      const text = rowText(target.format, transactionsViews(query), target.options);
      const isFile = target.path !== undefined;
      const put: Write = isFile ? write : (piece) => messages.aside(() => write(piece));
      const { end, rest } = await writeRows(put, text, run, filter);
      messages.stop();
      await write(rest);
      sayHowItEnded(end, messages);
      sayOddAnswers(source, messages);
      if (!end.read.complete) throw incomplete(end.read, target.path);
    });
    return exitCodes.ok;
  });
}

function ask(flags: TransactionsFlags, asked: Asked, context: Context): TransactionsQuery {
  const { settlement, state, type, paymentType } = flags;
  return {
    of: settlement === undefined ? queryAsked(flags, asked, context) : { settlement },
    profile: asked.settings.profile,
    names: asked.names,
    notes: flags.notes ? 'all' : (flags.note ?? []),
    filters: { state, type, paymentType },
  };
}

function describe({ of }: TransactionsQuery): string {
  return 'range' in of
    ? `Transactions of the settlements ${describeRange(of.range)}`
    : `Transactions of settlement ${of.settlement}`;
}

/** Writes the transactions that pass the filter as they come; gives the rest of the text. */
async function writeRows(
  write: Write,
  text: RowText<Transaction, TransactionsEnd>,
  run: Run,
  filter: RowFilter,
): Promise<{ readonly end: TransactionsEnd; readonly rest: string }> {
  let listed = 0;
  let step = await run.next();
  let opening = text.opening;
  for (; !step.done; step = await run.next()) {
    const { settlement, rows: batch } = step.value;
    let piece: string | Uint8Array = '';
    if (batch.texts && text.batches && filter.isOff) {
      listed += batch.length;
      const rowAt = (index: number) => ({ settlement, row: batch.row(index) });
      piece = text.batches.bytes(batch, batch.texts, rowAt);
    } else {
      const rows = filter.admitted(rowsOf(batch)).map((row) => ({ settlement, row }));
      listed += rows.length;
      if (rows.length > 0) piece = text.rows(rows);
    }
    if (opening !== '') await write(opening);
    opening = '';
    if (piece.length > 0) await write(piece);
  }
  const end = { read: step.value, listed, unmatched: filter.unmatched() };
  return { end, rest: opening + text.closing(end) };
}

function sayHowItEnded(
  { read: { findings, partial, conflicting }, unmatched }: TransactionsEnd,
  messages: Messages,
): void {
  for (const { field, value, seen } of messages.isForPrograms ? [] : unmatched) {
    const others = enumerate(seen.map((one) => JSON.stringify(one)));
    messages.warn(`No row has ${fieldWords[field]} ${JSON.stringify(value)}. Found: ${others}.`);
  }
  for (const finding of findings) messages.warn(`${capitalised(sentence(finding))}.`);
  for (const { settlement, entry } of conflicting) {
    messages.warn(`Settlement ${settlement.id} (${settlement.date}): ${sentence(entry)}.`);
  }
  for (const text of partialSentences(partial.filter((one) => one.isPending))) messages.say(text);
  for (const text of partialSentences(partial.filter((one) => !one.isPending))) messages.warn(text);
}

const fieldWords: Readonly<Record<FilterField, string>> = {
  state: 'state',
  type: 'type',
  paymentType: 'payment type',
};

function incomplete(read: TransactionsRead, path: string | undefined): ReconError {
  const file = path === undefined ? '' : ` ${path} was not written.`;
  return new ReconError('service', `Incomplete: ${incompleteness(read)}.${file}`, {
    hint: 'Run it again. If it still fails, contact the provider.',
  });
}
