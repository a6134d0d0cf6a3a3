import { readTransactions, type TransactionsRead } from '../../../app/read-transactions.ts';
import { type FilterField, RowFilter } from '../../../app/row-filter.ts';
import { ReconError } from '../../../base/errors.ts';
import { drained } from '../../../base/ordered.ts';
import { rowsOf } from '../../../model/row-batch.ts';
import type { RowText } from '../../../render/formats.ts';
import { listRenderers } from '../../../render/index.ts';
import { partialSentences } from '../../../report/common/partial-words.ts';
import { capitalised, enumerate } from '../../../report/common/phrase.ts';
import { entryClause } from '../../../report/common/words.ts';
import {
  incompleteness,
  type Transaction,
  type TransactionsEnd,
  type TransactionsQuery,
  transactionsViews,
} from '../../../report/transactions/view.ts';
import type { ContextOf } from '../../context.ts';
import { exitCodes } from '../../exit-codes.ts';
import { announceExport, type Inputs, queryOf, resolveInputs } from '../../inputs.ts';
import type { Messages } from '../../messages.ts';
import { printOddAnswers, resolveTarget, type Write, withOutput } from '../../output.ts';
import { describeRange } from '../../range.ts';
import { wholeIds } from '../../short-ids.ts';
import { dryRun, withSource } from '../../source.ts';
import type { transactionsCommand } from './command.ts';

type TransactionsContext = ContextOf<typeof transactionsCommand>;

type Run = ReturnType<typeof readTransactions>;

export async function transactions(context: TransactionsContext): Promise<number> {
  const { flags, messages } = context;
  const target = resolveTarget(context);
  const inputs = await resolveInputs(context);
  const { settings } = inputs;
  const asked = ask(inputs, context);
  if (flags.dryRun && 'range' in asked.of) return dryRun(settings, asked.of, context);
  const filter = new RowFilter(asked.filters);
  return withSource(inputs, context, async ({ source }) => {
    const named = flags.settlement === undefined ? [] : [flags.settlement];
    const [settlement] = await wholeIds(named, source, inputs, context);
    const query = settlement === undefined ? asked : { ...asked, of: { settlement } };
    messages.say(describe(query));
    announceExport(inputs, context);
    // A progress line would tear rows that are printed as they come.
    const isFile = target.path !== undefined;
    if (isFile || target.format === 'table') await messages.startProgress();
    const run = readTransactions({
      source,
      of: query.of,
      ...inputs.reading,
    });
    await withOutput(target, context, async (write) => {
      const text = listRenderers[target.format].list(transactionsViews(query), target.options);
      const put: Write = isFile ? write : (piece) => messages.aside(() => write(piece));
      const { end, rest } = await writeRows(put, text, run, filter);
      messages.stop();
      await write(rest);
      printEnd(end, messages);
      printOddAnswers(source, messages);
      if (!end.read.complete) throw incomplete(end.read, target.path, inputs);
    });
    return exitCodes.ok;
  });
}

function ask(inputs: Inputs, context: TransactionsContext): TransactionsQuery {
  const { settlement, state, type, paymentType, notes, note } = context.flags;
  return {
    of: settlement === undefined ? queryOf(inputs, context) : { settlement },
    profile: inputs.settings.profile,
    names: inputs.names,
    notes: notes ? 'all' : (note ?? []),
    filters: { state, type, paymentType },
  };
}

function describe({ of }: TransactionsQuery): string {
  return 'range' in of
    ? `Transactions of the settlements ${describeRange(of.range)}`
    : `Transactions of settlement ${of.settlement}`;
}

/** Writes the rows that pass the filter; returns the rest of the text. */
async function writeRows(
  write: Write,
  text: RowText<Transaction, TransactionsEnd>,
  run: Run,
  filter: RowFilter,
): Promise<{ readonly end: TransactionsEnd; readonly rest: string }> {
  let listed = 0;
  let opening = text.opening;
  const read = await drained(run, async ({ settlement, rows: batch }) => {
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
  });
  const end = { read, listed, unmatched: filter.unmatched() };
  return { end, rest: opening + text.closing(end) };
}

function printEnd({ read, unmatched }: TransactionsEnd, messages: Messages): void {
  const { findings, partial, conflicting } = read;
  for (const { field, value, seen } of messages.isForPrograms ? [] : unmatched) {
    const others = enumerate(seen.map((one) => JSON.stringify(one)));
    messages.warn(
      `No transaction has ${fieldWords[field]} ${JSON.stringify(value)}. Found: ${others}.`,
    );
  }
  for (const finding of findings) {
    // Each export has its own message.
    if (finding.code !== 'incomplete_day') messages.warn(`${capitalised(entryClause(finding))}.`);
  }
  for (const { settlement, entry } of conflicting) {
    messages.warn(`Settlement ${settlement.id} (${settlement.date}): ${entryClause(entry)}.`);
  }
  for (const text of partialSentences(partial.filter((one) => one.isPending))) messages.say(text);
  for (const text of partialSentences(partial.filter((one) => !one.isPending))) messages.warn(text);
}

const fieldWords: Readonly<Record<FilterField, string>> = {
  state: 'state',
  type: 'type',
  paymentType: 'payment type',
};

function incomplete(read: TransactionsRead, path: string | undefined, { exported }: Inputs) {
  const file = path === undefined ? '' : ` ${path} was not written.`;
  return new ReconError('service', `Incomplete: ${incompleteness(read)}.${file}`, {
    hint: exported
      ? 'Export the days again. If it still fails, contact the provider.'
      : 'Run it again. If it still fails, contact the provider.',
  });
}
