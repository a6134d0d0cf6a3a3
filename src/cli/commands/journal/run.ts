import { spanOf } from '../../../base/calendar.ts';
import { ReconError } from '../../../base/errors.ts';
import { exampleMappings } from '../../../books/example-mapping.ts';
import { type JournalFormat, journalFormats } from '../../../books/formats.ts';
import type { JournalRun } from '../../../books/plan-batch.ts';
import type { AccountMapping } from '../../../model/account-mapping.ts';
import { journalText } from '../../../render/journal.ts';
import { mappingTemplate } from '../../../report/journal/mapping.ts';
import { journalSentences, leftOutSentences } from '../../../report/journal/words.ts';
import { type Asked, queryAsked, whatIsAsked } from '../../asked.ts';
import type { Context } from '../../context.ts';
import { exitCodeOfRun, exitCodeOfSeveral, exitCodes } from '../../exit-codes.ts';
import { print } from '../../host.ts';
import { sayConclusion, withOutput } from '../../output.ts';
import { describeRange } from '../../range.ts';
import { withSource } from '../../source.ts';
import { resolveTarget } from '../../target.ts';
import { bookedFiles, bookOnce, printBatch } from './booked.ts';
import { type BookedJournal, type JournalRequest, readAndBook } from './read-and-book.ts';

/** `recon journal`: books settlements. Returns the exit code. */
export async function journal(context: Context): Promise<number> {
  const { flags, host, messages } = context;
  if (flags.init) return printMapping(context);
  if (flags.batch !== undefined) return printBatch(context);
  // The format of a journal is what --for says, whatever the suffix.
  const { path } = resolveTarget({ ...context, flags: { ...flags, format: 'csv' } });
  const files = await bookedFiles(context, path);
  const asked = await whatIsAsked(context);
  const request = requestOf(asked, context);
  return withSource(asked, context, async ({ source, host: service }) => {
    messages.say(`Settlements ${describeRange(request.query.range)}`);
    for (const warning of asked.warnings) messages.warn(warning);
    await messages.startProgress();
    const read = await readAndBook(source, request, asked, context);
    const exitCode = exitCodeOfRun(read.run, flags.failOn);
    const { sentences, ...written } = writtenFrom(read, request, asked, context);
    const conclude = () => sayConclusion(sentences, { format: 'csv', path }, exitCode, messages);
    if (files) {
      conclude();
      const { title } = written;
      const leftOutOf = (ids: ReadonlySet<string>) =>
        leftOutSentences(
          read.run.settlements.filter(({ settlement }) => ids.has(settlement.id)),
          asked.names,
        );
      const bookable = { ...bookableFrom(read, request, asked), service, title, leftOutOf };
      return exitCodeOfSeveral([exitCode, await bookOnce(files, bookable, context)]);
    }
    const { title, ...held } = written;
    const { format, mapping } = request;
    // Some journals are refused half way: none of them is written in part.
    const file = { ...held, mapping, comments: [title, ...sentences] };
    const pieces = Array.from(journalText(format, file));
    await withOutput({ path }, host, async (write) => {
      for (const piece of pieces) await write(piece);
    });
    conclude();
    return exitCode;
  });
}

/** What is written of a run. */
function writtenFrom(
  { run, booked, control, onBank }: BookedJournal,
  { format, mapping, query }: JournalRequest,
  { names }: Asked,
  { flags }: Context,
) {
  const { entries, inTransit: balances, older } = booked;
  // The service may return settlements of other days.
  const { from, to } = query.range;
  const range = spanOf([from, to, ...entries.map(({ date }) => date)]) ?? query.range;
  const sentences = journalSentences({
    ...{ run, control, entries, balances, older, range, onBank, names },
    includesPending: flags.includePending ?? false,
    currency: format === 'datev' ? mapping.datev?.currency : undefined,
  });
  const title = `Journal of the settlements ${describeRange(query.range)}.`;
  return { entries, balances, range, title, sentences };
}

/** The same for a register of what is booked. */
function bookableFrom(
  { run, booked, seenOnBank: bank }: BookedJournal,
  { format, mapping, query }: JournalRequest,
  { settings, today }: Asked,
) {
  const found: JournalRun = {
    ...{ entries: booked.entries, range: query.range, bank, settled: booked.settlementIds },
    isWhole: Object.keys(query.filters).length === 0,
    listed: new Set(run.settlements.map(({ settlement }) => settlement.id)),
  };
  const profile = settings.profile ?? '';
  return { format, mapping, profile, today: today(), run: found };
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
    const message = 'Without an identity, fees and tax cannot be booked.';
    throw new ReconError('usage', message, { hint: 'Choose one with --identity.' });
  }
  const mapping = mappingOf(format, asked, context);
  return { format, mapping, identity, query: queryAsked(asked, context) };
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
    const isUnnamed = exported && flags.profile === undefined;
    const ofExport = isUnnamed ? ' If they are set in a profile, add --profile NAME.' : '';
    throw new ReconError('configuration', 'The accounts of the books are not set.', {
      where: '[profiles.NAME.books]',
      hint: `To print a first mapping for the configuration file, run: recon journal --init --for ${format}.${ofExport}`,
    });
  }
  messages.say('Accounts: an example, since none are set. To print the example, add --init.');
  return exampleMappings[format];
}
