import { reconcileRange } from '../../../app/reconcile-range.ts';
import { ReconError } from '../../../base/errors.ts';
import { accountsOf } from '../../../books/accounts.ts';
import { type BookedRun, bookRun, isBookable } from '../../../books/book.ts';
import type { BookedFigures } from '../../../books/book-settlement.ts';
import { controlTotals } from '../../../books/control.ts';
import { exampleMappings } from '../../../books/example-mapping.ts';
import { type JournalFormat, journalFormats } from '../../../books/formats.ts';
import { transactionFigures } from '../../../books/transaction-figures.ts';
import type { AccountMapping } from '../../../model/account-mapping.ts';
import type { SettlementQuery, Source } from '../../../model/source.ts';
import type { IdentityName } from '../../../reconcile/identity.ts';
import type { ReconciledRun } from '../../../reconcile/reconciled.ts';
import { accountFormOf, journalText } from '../../../render/journal.ts';
import { present } from '../../../report/common/phrase.ts';
import { mappingTemplate } from '../../../report/journal/mapping.ts';
import {
  controlSentence,
  leftOutSentences,
  suspenseSentences,
  transitSentence,
  whyIncomplete,
} from '../../../report/journal/words.ts';
import { whenReported } from '../../accepted.ts';
import { type Asked, queryAsked, sayExported, whatIsAsked } from '../../asked.ts';
import type { Context } from '../../context.ts';
import { exitCodeOfRun, exitCodes } from '../../exit-codes.ts';
import { print } from '../../host.ts';
import { withOutput } from '../../output.ts';
import { describeRange } from '../../range.ts';
import { withSource } from '../../source.ts';
import { resolveTarget } from '../../target.ts';

/** How a journal is asked for. */
interface JournalRequest {
  readonly format: JournalFormat;
  readonly mapping: AccountMapping;
  readonly identity: IdentityName;
  readonly query: SettlementQuery;
}

/** `recon journal`: books settlements. Returns the exit code. */
export async function journal(context: Context): Promise<number> {
  const { flags, host, messages } = context;
  if (flags.init) return printMapping(context);
  // The format of a journal is what --for says, whatever the suffix.
  const { path } = resolveTarget({ ...context, flags: { ...flags, format: 'csv' } });
  const asked = await whatIsAsked(context);
  const request = requestOf(asked, context);
  const { format, mapping, query } = request;
  const { run, booked } = await withSource(asked, context, async ({ source }) => {
    messages.say(`Settlements ${describeRange(query.range)}`);
    sayExported(asked, context);
    await messages.startProgress();
    return readAndBook(source, request, asked, context);
  });
  const sentences = sentencesOf(run, booked, request, asked, context);
  const comments = [`Journal of the settlements ${describeRange(query.range)}.`, ...sentences];
  const { entries, inTransit: balances } = booked;
  const file = { comments, entries, balances, range: query.range, mapping };
  await withOutput({ path }, host, async (write) => {
    for (const piece of journalText(format, file)) await write(piece);
  });
  for (const sentence of sentences) messages.say(sentence);
  return exitCodeOfRun(run, flags.failOn);
}

async function printMapping({ flags, host }: Context): Promise<number> {
  const { for: format = journalFormats[0], profile = 'main' } = flags;
  await print(host, mappingTemplate(format, profile));
  return exitCodes.ok;
}

function requestOf(asked: Asked, context: Context): JournalRequest {
  const { for: format } = context.flags;
  if (format === undefined) {
    const hint = `Add one: --for ${journalFormats.join(', --for ')}.`;
    throw new ReconError('usage', 'The format of the journal is missing.', { hint });
  }
  const { identity } = asked.judgement;
  if (identity === 'off') {
    const hint = 'Choose an identity: recon help identity.';
    throw new ReconError('usage', 'Without an identity, fees and tax cannot be booked.', { hint });
  }
  return {
    format,
    mapping: mappingOf(format, asked, context),
    identity,
    query: queryAsked(asked, context),
  };
}

/** The accounts that are set; in the sandbox, and in exports of it, else those of the example. */
function mappingOf(
  format: JournalFormat,
  { settings, exported }: Asked,
  { flags, messages }: Context,
): AccountMapping {
  const { books } = settings.preferences;
  if (books) return books;
  if (!flags.sandbox && exported?.scenario === undefined) {
    const ofExport =
      exported && flags.profile === undefined ? ' Then name its profile too: --profile NAME.' : '';
    throw new ReconError('configuration', 'No accounts are set to book to.', {
      where: 'books',
      hint: `To print a first mapping for the configuration file, run: recon journal --init --for ${format}.${ofExport}`,
    });
  }
  messages.say('Accounts: an example, since none are set. To print it, add --init.');
  return exampleMappings[format];
}

async function readAndBook(
  source: Source,
  { format, mapping, identity, query }: JournalRequest,
  asked: Asked,
  context: Context,
): Promise<{ readonly run: ReconciledRun; readonly booked: BookedRun }> {
  const { flags, messages } = context;
  const { per = 'settlement', detail = false, includePending: includesPending = false } = flags;
  const transactions = detail ? new Map<string, readonly BookedFigures[]>() : undefined;
  const decided = reconcileRange({
    source,
    query,
    settings: asked.judgement,
    whenReported: await whenReported(asked, context),
    explains: false,
    ahead: asked.settings.preferences.concurrency,
    onProgress: messages.onProgress,
  });
  let step = await decided.next();
  for (; !step.done; step = await decided.next()) {
    const { reconciled, rows } = step.value;
    const { id } = reconciled.settlement;
    transactions?.set(id, transactionFigures(reconciled, rows, asked.judgement.rules));
  }
  messages.stop();
  const run = step.value;
  refuseIncomplete(run, asked);
  const accountFor = accountsOf(mapping, accountFormOf(format));
  const { range } = query;
  const { names } = asked;
  const rules = { identity, accountFor, names };
  const booked = bookRun({ ...rules, run, range, per, includesPending, transactions });
  return { run, booked };
}

/** What isn't whole can't be booked, and a journal without it would look whole. */
function refuseIncomplete(run: ReconciledRun, { exported }: Pick<Asked, 'exported'>): void {
  if (run.complete) return;
  throw new ReconError('service', `No journal was written. ${whyIncomplete(run).join(' ')}`, {
    hint: exported
      ? 'Export the incomplete days again, or choose a range without them.'
      : 'Run it again. If it still fails, contact the provider, or choose a range without these days.',
  });
}

function sentencesOf(
  run: ReconciledRun,
  { entries, inTransit }: BookedRun,
  { identity, query }: JournalRequest,
  { names }: Asked,
  { flags }: Context,
): readonly string[] {
  const isBooked = (one: ReconciledRun['settlements'][number]) =>
    isBookable(one, flags.includePending ?? false);
  return present(
    ...controlTotals(entries, run, identity).map((total) => controlSentence(total, names)),
    ...suspenseSentences(entries),
    ...leftOutSentences(run.settlements, isBooked),
    transitSentence(inTransit, query.range),
  );
}
