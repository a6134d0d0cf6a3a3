import { dirname, join } from 'node:path';
import {
  type BookedRegister,
  batchAgain,
  batchesIn,
  bookNextBatch,
  firstDayBooked,
} from '../../../app/book-batch.ts';
import { bookRange } from '../../../app/book-range.ts';
import { requireIdentity } from '../../../app/reconcile-range.ts';
import { ReconError } from '../../../base/errors.ts';
import { isFolder, listFolder, makeFolder, removeWhole } from '../../../base/folders.ts';
import { shellWord } from '../../../base/texts.ts';
import {
  exampleMappings,
  type JournalFormat,
  journalFormats,
} from '../../../books/example-mapping.ts';
import type { AccountMapping } from '../../../model/account-mapping.ts';
import type { ReconciledRun } from '../../../reconcile/reconcile-run.ts';
import { registersIn } from '../../../register/chained-csv.ts';
import { journalFiles, journalText } from '../../../render/journal.ts';
import { closedSentence } from '../../../report/close/words.ts';
import { mappingTemplate } from '../../../report/journal/config-template.ts';
import {
  batchSentence,
  closedSentences,
  finishedSentence,
  journalSentences,
  keptSentences,
  leftOutSentences,
  missingSentences,
  movedSentences,
  nothingToBook,
  unreadReasons,
} from '../../../report/journal/words.ts';
import { readBank } from '../../bank.ts';
import type { ContextOf } from '../../context.ts';
import { exitCodeOfSeveral, exitCodes } from '../../exit-codes.ts';
import { type Inputs, queryOf, resolveInputs } from '../../inputs.ts';
import { printConclusion, resolveTarget, withOutput } from '../../output.ts';
import { lockOptions } from '../../processes.ts';
import { offerTable, setElsewhere } from '../../profile-table.ts';
import { describeRange } from '../../range.ts';
import {
  booksOf,
  readAgeingAndAccepted,
  saleMonthsOf,
  startOf,
  traceOfBooked,
} from '../../registers.ts';
import { exitCodeOfRun } from '../../run-exit-code.ts';
import { withSource } from '../../source.ts';
import type { journalCommand } from './command.ts';

type JournalContext = ContextOf<typeof journalCommand>;

export async function journal(context: JournalContext): Promise<number> {
  const { flags, messages } = context;
  if (flags.init) {
    const { for: format = 'hledger' } = flags;
    return offerTable('books', (profile) => mappingTemplate(format, profile), context);
  }
  // The format of a journal is what --for says, whatever the suffix.
  const { path } = resolveTarget({ ...context, flags: { ...flags, format: 'csv' } });
  const inputs = await resolveInputs(context);
  const register = await registerOf(inputs, path, context);
  if (flags.batch !== undefined) return printBatch(register, flags.batch, path, context);
  if (register && path === undefined) {
    const hint = 'Name a new file for the batch: --output FILE.';
    throw new ReconError('usage', 'A register of booked entries needs --output.', { hint });
  }
  // Before anything is read: completes an interrupted run.
  const batches = register && (await batchesIn(register));
  const request = await requestOf(inputs, context);
  const { format, mapping } = request;
  return withSource(inputs, context, async ({ source, host: service }) => {
    messages.say(`Settlements ${describeRange(request.query.range)}`);
    for (const warning of inputs.warnings) messages.warn(warning);
    await messages.startProgress();
    const report = await bookRange({
      ...request,
      ...inputs.reading,
      source,
      names: inputs.names,
      settings: inputs.judgement,
      ageingAndAccepted: await readAgeingAndAccepted(inputs, context),
      books: await booksOf(inputs),
      bookedSince: batches && (firstDayBooked(batches) ?? request.query.range.from),
      bank: flags.bank && (await readBank(flags.bank, inputs, context)),
      per: flags.per,
      saleMonths: saleMonthsOf(mapping, inputs),
      currency: flags.currency,
      isDetailed: flags.detail,
      includesPending: flags.includePending,
      refusalOf: (run) => refusalOf(run, inputs),
    });
    messages.stop();
    const title = `Journal of the settlements ${describeRange(request.query.range)}.`;
    const sentences = [...journalSentences(report), ...report.closed.map(closedSentence)];
    const exitCode = exitCodeOfRun(report.run, flags.failOn, report.onBank);
    const conclude = () => printConclusion(sentences, { format: 'csv', path }, exitCode, messages);
    const { leftOut } = report.booked.foreignRows;
    if (register && path !== undefined) {
      conclude();
      const done = await bookNextBatch(register, {
        format,
        mapping,
        service,
        currency: flags.currency,
        leftOut,
        output: path,
        run: report.bookable,
        profile: inputs.settings.profile ?? '',
        closedThrough: report.closedThrough,
        today: inputs.today(),
        rebind: flags.rebind ?? false,
        reversesMissing: flags.reverseMissing ?? false,
        write: journalText,
        commentsOf: (batch, own) => [
          title,
          batchSentence(batch),
          ...movedSentences(batch),
          ...leftOutSentences(own, inputs.names),
        ],
      });
      sayBooked(done, context);
      return exitCodeOfSeveral([exitCode, done.isOpen ? exitCodes.outOfBalance : exitCodes.ok]);
    }
    const closed = report.closedThrough ?? '';
    const late = report.booked.entries.filter(({ date }) => date <= closed);
    const warnings = closedSentences(late, closed);
    const comments = [title, ...sentences, ...warnings];
    const { booked, range } = report;
    const { entries, inTransit: balances = [] } = booked;
    const file = { entries, range, balances, mapping, comments };
    // A folder that is not there yet ends with a slash.
    const inFolder = path !== undefined && (path.endsWith('/') || (await isFolder(path)));
    const files = inFolder ? journalFiles(format, file) : undefined;
    const named = (...parts: readonly (string | undefined)[]) => parts.filter(Boolean).join('-');
    const stem = named('journal', range.from, range.to, flags.currency);
    const inParts = files?.map(({ name, text }) => ({
      path: join(path ?? '', `${named(stem, name)}.csv`),
      text,
    }));
    // Some journals are refused half way: none of them is written in part.
    const written = (inParts ?? [{ path, text: journalText(format, file) }]).map(
      ({ path, text }) => ({ path, pieces: [...text] }),
    );
    if (files && path !== undefined) await makeFolder(path);
    for (const { path, pieces } of written) {
      await withOutput({ path }, context, async (write) => {
        for (const piece of pieces) await write(piece);
      });
    }
    if (files && path !== undefined) await removeOthers(path, stem, written);
    conclude();
    for (const warning of warnings) messages.warn(warning);
    if (exitCode !== exitCodes.ok) return exitCode;
    return leftOut.length > 0 || late.length > 0 ? exitCodes.outOfBalance : exitCodes.ok;
  });
}

/** Removes the files of an earlier journal of the same days that this one does not have: they would be imported too. */
async function removeOthers(
  folder: string,
  stem: string,
  written: readonly { readonly path: string | undefined }[],
): Promise<void> {
  const kept = new Set(written.map(({ path }) => path));
  for (const { name, isFile } of (await listFolder(folder)) ?? []) {
    const path = join(folder, name);
    const isOwn =
      name.startsWith(stem) && /^(-[A-Z]{3})?(-\d+)?\.csv$/.test(name.slice(stem.length));
    if (isFile && isOwn && !kept.has(path)) await removeWhole(path);
  }
}

/**
 * The register of booked entries, by the flag or the profile. Without one, ReconError `usage` if a flag needs it, or
 * if one lies at hand: then all would be booked again.
 */
async function registerOf(
  inputs: Inputs,
  output: string | undefined,
  context: JournalContext,
): Promise<BookedRegister | undefined> {
  const { settings } = inputs;
  const { booked: register } = settings.preferences;
  const { flags } = context;
  if (register === undefined) {
    const flag = { '--batch': flags.batch, '--reverse-missing': flags.reverseMissing };
    const named = Object.entries({ ...flag, '--new-register': flags.newRegister });
    const [needing] = named.flatMap(([name, value]) => (value === undefined ? [] : name));
    if (needing !== undefined) {
      const hint = 'Add --booked FILE, the register of booked entries.';
      throw new ReconError('usage', `${needing} needs --booked.`, { hint });
    }
    if (flags.booked !== undefined) return undefined;
    const folders = [settings.hasFile ? settings.file.path : [], output ?? []].flat().map(dirname);
    const [found] = (
      await Promise.all(folders.map((folder) => registersIn(folder, 'batch')))
    ).flat();
    if (found === undefined) return undefined;
    throw new ReconError('usage', 'A register of booked entries lies at hand, and is not used.', {
      where: found,
      hint: `To continue it, add --booked ${shellWord(found)}, or set booked in the profile. To write everything again, add --booked none.`,
    });
  }
  return {
    register,
    ...startOf('booked entries', traceOfBooked(await booksOf(inputs)), context),
    lock: await lockOptions(context),
    onFinished: (batch) => context.messages.warn(finishedSentence(batch)),
  };
}

/** Prints a batch again, from the register alone. */
async function printBatch(
  register: BookedRegister | undefined,
  number: number,
  path: string | undefined,
  context: JournalContext,
): Promise<number> {
  const contents = register && (await batchAgain(register, number, journalText));
  if (contents) await withOutput({ path }, context, (write) => write(contents));
  return exitCodes.ok;
}

function sayBooked(
  { plan, batch }: Awaited<ReturnType<typeof bookNextBatch>>,
  { messages }: JournalContext,
): void {
  for (const sentence of keptSentences(plan)) messages.say(sentence);
  for (const sentence of missingSentences(plan)) messages.warn(sentence);
  for (const sentence of movedSentences(plan)) messages.say(sentence);
  messages.say(batch ? batchSentence(batch) : nothingToBook);
}

async function requestOf(inputs: Inputs, context: JournalContext) {
  const { for: format } = context.flags;
  if (format === undefined) {
    const hint = `Add one: --for ${journalFormats.join(', --for ')}.`;
    throw new ReconError('usage', 'The format of the journal is missing.', { hint });
  }
  const identity = requireIdentity(inputs.judgement, 'fees and tax cannot be booked');
  const accounts = await mappingOf(format, inputs, context);
  const mapping = context.flags.bySaleMonth ? { ...accounts, by_sale_month: true } : accounts;
  return { format, mapping, identity, query: queryOf(inputs, context) };
}

/** The accounts that are set; in the sandbox, and in exports of it, else those of the example. */
async function mappingOf(
  format: JournalFormat,
  inputs: Inputs,
  context: JournalContext,
): Promise<AccountMapping> {
  const { settings, exported } = inputs;
  const { flags, messages } = context;
  const { books } = settings.preferences;
  if (books) return books;
  if (!flags.sandbox && exported?.scenario === undefined) {
    const hint =
      (await setElsewhere('books', inputs, context)) ||
      `To print a first mapping for the configuration file, run: recon journal --init --for ${format}`;
    const where = '[profiles.NAME.books]';
    throw new ReconError('configuration', 'The accounts of the books are not set.', {
      where,
      hint,
    });
  }
  messages.say('Accounts: an example, since none are set. To print the example, add --init.');
  return exampleMappings[format];
}

/** Incomplete settlements cannot be booked, and a journal without them would look complete. */
function refusalOf(run: ReconciledRun, { exported }: Inputs): ReconError | undefined {
  const reasons = unreadReasons(run);
  if (reasons.length === 0) return undefined;
  return new ReconError('service', `No journal was written. ${reasons.join(' ')}`, {
    hint: exported
      ? 'Export the incomplete days again, or choose a range without them.'
      : 'Run it again. If it still fails, contact the provider, or choose a range without these days.',
  });
}
