import type { BankReport } from '../../../app/bank-report.ts';
import { closedRanges } from '../../../app/closed-range.ts';
import { reconcileRange } from '../../../app/reconcile-range.ts';
import { spanOf } from '../../../base/calendar.ts';
import { ReconError } from '../../../base/errors.ts';
import { drained } from '../../../base/ordered.ts';
import { accountsIn, hasTypes } from '../../../books/accounts.ts';
import { bookRun } from '../../../books/book.ts';
import {
  type BookedFigures,
  transactionFigures,
  typeFigures,
} from '../../../books/book-settlement.ts';
import { type Basis, carriedFrom, openingAmounts } from '../../../books/carried.ts';
import { type Clearing, clearingsOf } from '../../../books/clearing.ts';
import { controlTotals } from '../../../books/control.ts';
import {
  exampleMappings,
  type JournalFormat,
  journalFormats,
} from '../../../books/example-mapping.ts';
import { newTypes } from '../../../books/new-types.ts';
import { idsOf, seenIn } from '../../../books/plan-batch.ts';
import { acceptingLine } from '../../../match/bank-acceptance.ts';
import { bankMatchesIn } from '../../../match/match.ts';
import type { AccountMapping } from '../../../model/account-mapping.ts';
import type { SettlementQuery, Source } from '../../../model/source.ts';
import type { IdentityName } from '../../../reconcile/identity.ts';
import type { ReconciledRun } from '../../../reconcile/reconcile-run.ts';
import type { WhenReported } from '../../../reconcile/when-reported.ts';
import { accountFormOf, journalText } from '../../../render/journal.ts';
import { closedSentence } from '../../../report/close/words.ts';
import { mappingTemplate } from '../../../report/journal/config-template.ts';
import { closedSentences, journalSentences, unreadReasons } from '../../../report/journal/words.ts';
import { matchedPayouts, readBank } from '../../bank.ts';
import type { ContextOf } from '../../context.ts';
import { exitCodeOfSeveral, exitCodes } from '../../exit-codes.ts';
import { print } from '../../host.ts';
import { type Inputs, queryOf, resolveInputs } from '../../inputs.ts';
import { printConclusion, resolveTarget, withOutput } from '../../output.ts';
import { describeRange } from '../../range.ts';
import {
  adjacentBasis,
  closedThroughOf,
  closesOf,
  openingPayouts,
  whenReported,
} from '../../registers.ts';
import { exitCodeOfRun } from '../../run-exit-code.ts';
import { withSource } from '../../source.ts';
import { bookedFiles, bookOnce, printBatch } from './booked.ts';
import type { journalCommand } from './command.ts';

type JournalContext = ContextOf<typeof journalCommand>;

export async function journal(context: JournalContext): Promise<number> {
  const { flags, messages } = context;
  if (flags.init) return printMapping(context);
  if (flags.batch !== undefined) return printBatch(context);
  // The format of a journal is what --for says, whatever the suffix.
  const { path } = resolveTarget({ ...context, flags: { ...flags, format: 'csv' } });
  const files = await bookedFiles(context, path);
  const inputs = await resolveInputs(context);
  const request = requestOf(inputs, context);
  return withSource(inputs, context, async ({ source, host: service }) => {
    messages.say(`Settlements ${describeRange(request.query.range)}`);
    for (const warning of inputs.warnings) messages.warn(warning);
    await messages.startProgress();
    const read = await readAndBook(source, request, inputs, context);
    const { run, booked, closes, closedThrough } = read;
    const { entries, inTransit: balances = [], foreignRows } = booked;
    const { format, mapping, query } = request;
    const { names, settings } = inputs;
    // The service may return settlements of other days.
    const days = [query.range.from, query.range.to, ...entries.map(({ date }) => date)];
    const range = spanOf(days) ?? query.range;
    const title = `Journal of the settlements ${describeRange(query.range)}.`;
    const settled = run.settlements.flatMap((one) =>
      one.verdict === 'pending' ? [] : one.settlement,
    );
    const sentences = [
      ...journalSentences({ ...read, range, names, mapping }),
      ...closedRanges(closes, query.range, settled).map(closedSentence),
    ];
    const exitCode = exitCodeOfRun(run, flags.failOn);
    const conclude = () => printConclusion(sentences, { format: 'csv', path }, exitCode, messages);
    const { leftOut } = foreignRows;
    if (files) {
      conclude();
      const bookable = {
        format,
        mapping,
        service,
        profile: settings.profile ?? '',
        closedThrough,
        today: inputs.today(),
        title,
        leftOut,
        names,
        run: {
          entries,
          range: query.range,
          isWhole: isWhole(request),
          settled: idsOf(booked.settlements),
          listed: idsOf(run.settlements),
          bank: read.seenOnBank,
        },
      };
      return exitCodeOfSeveral([exitCode, await bookOnce(files, bookable, context)]);
    }
    const closed = closedThrough ?? '';
    const late = entries.filter(({ bookingDate }) => bookingDate <= closed);
    const warnings = closedSentences(late, closed);
    // Some journals are refused half way: none of them is written in part.
    const comments = [title, ...sentences, ...warnings];
    const pieces = Array.from(journalText(format, { entries, range, balances, mapping, comments }));
    await withOutput({ path }, context, async (write) => {
      for (const piece of pieces) await write(piece);
    });
    conclude();
    for (const warning of warnings) messages.warn(warning);
    if (exitCode !== exitCodes.ok) return exitCode;
    return leftOut.length > 0 || late.length > 0 ? exitCodes.outOfBalance : exitCodes.ok;
  });
}

/** Whether no filter is set: settlements that it leaves out may explain the others. */
function isWhole({ query }: JournalRequest): boolean {
  return Object.keys(query.filters).length === 0;
}

async function printMapping({ flags, host }: JournalContext): Promise<number> {
  const { for: format = 'hledger', profile = 'main' } = flags;
  await print(host, mappingTemplate(format, profile));
  return exitCodes.ok;
}

function requestOf(inputs: Inputs, context: JournalContext): JournalRequest {
  const { for: format } = context.flags;
  if (format === undefined) {
    const hint = `Add one: --for ${journalFormats.join(', --for ')}.`;
    throw new ReconError('usage', 'The format of the journal is missing.', { hint });
  }
  const { identity } = inputs.judgement;
  if (identity === 'off') {
    const message = 'Without an identity, fees and tax cannot be booked.';
    throw new ReconError('usage', message, { hint: 'Choose one with --identity.' });
  }
  const mapping = mappingOf(format, inputs, context);
  return { format, mapping, identity, query: queryOf(inputs, context) };
}

/** The accounts that are set; in the sandbox, and in exports of it, else those of the example. */
function mappingOf(
  format: JournalFormat,
  { settings, exported }: Inputs,
  { flags, messages }: JournalContext,
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

interface JournalRequest {
  readonly format: JournalFormat;
  readonly mapping: AccountMapping;
  readonly identity: IdentityName;
  readonly query: SettlementQuery;
}

/** Reads, reconciles, matches and books the settlements. Throws ReconError if not all could be read. */
async function readAndBook(
  source: Source,
  request: JournalRequest,
  inputs: Inputs,
  context: JournalContext,
) {
  const { per = 'settlement', includePending: includesPending = false, bank } = context.flags;
  const { format, mapping, identity, query } = request;
  const reportedBy = await whenReported(inputs, context);
  const closes = await closesOf(inputs);
  const before = adjacentBasis(closes, query.range.from, inputs);
  const statements = bank && (await readBank(bank, inputs, context));
  const onBank =
    statements &&
    (await matchedPayouts(source, statements, query, inputs, {
      ...reportedBy,
      before: openingPayouts(closes, query.range.from, inputs),
    }));
  const { run, apart } = await readRun(source, request, reportedBy, inputs, context);
  context.messages.stop();
  refuseIncomplete(run, inputs);
  const accountFor = accountsIn(mapping, accountFormOf(format));
  const all = onBank ? movementsOf(onBank, before, includesPending) : [];
  const clearings = isWhole(request)
    ? all
    : all.filter(({ match }) => match.settlements.length > 0);
  const onlyCurrency = format === 'datev' ? mapping.datev?.currency : undefined;
  const booked = bookRun({
    run,
    identity,
    accountFor,
    names: inputs.names,
    per,
    includesPending,
    apart,
    clearings,
    range: query.range,
    acceptedOnBank: (match) => acceptingLine(match, reportedBy.accepted),
    onlyCurrency,
    opening:
      before &&
      openingAmounts(before).map(({ accountingToken, ...money }) => ({
        ...money,
        account: accountFor('in_transit', { accountingToken, currency: money.currency }),
      })),
  });
  const ofSettlements = booked.entries.filter((one) => !booked.foreign.has(one));
  return {
    run,
    booked,
    control: controlTotals(ofSettlements, run, identity),
    onBank,
    seenOnBank: seenIn(onBank?.matching),
    withoutPayout: all.length - clearings.length,
    newTypes: newTypes(booked.settlements, { apart, mapping, accountFor, onlyCurrency }),
    closes,
    closedThrough: closedThroughOf(closes, inputs),
    onlyCurrency,
  };
}

/** The movements of pay-outs on the bank; of pending ones too, if they are booked. */
function movementsOf(
  { matching, statements: { statements }, businessDays }: BankReport,
  before: Basis | undefined,
  includesPending: boolean,
): readonly Clearing[] {
  const matches = bankMatchesIn(matching);
  const carried = carriedFrom(before, matches);
  const isSettled = includesPending ? () => true : undefined;
  return clearingsOf(matches, { statements, businessDays, carried, isSettled });
}

/** Reads the settlements of the query, with the figures that are booked by themselves. */
async function readRun(
  source: Source,
  { query, mapping }: JournalRequest,
  reportedBy: WhenReported,
  { judgement, settings }: Inputs,
  { flags, messages }: JournalContext,
) {
  const apart = new Map<string, readonly BookedFigures[]>();
  const decided = reconcileRange({
    source,
    query,
    settings: judgement,
    whenReported: reportedBy,
    explains: false,
    isForVerdicts: true,
    ahead: settings.preferences.concurrency,
    onProgress: messages.onProgress,
  });
  const run = await drained(decided, ({ reconciled, rows }) => {
    const { rules } = judgement;
    const { id } = reconciled.settlement;
    if (flags.detail) apart.set(id, transactionFigures(rows, rules));
    else if (hasTypes(mapping)) apart.set(id, typeFigures(rows, rules));
  });
  return { run, apart };
}

/** Incomplete settlements cannot be booked, and a journal without them would look complete. */
function refuseIncomplete(run: ReconciledRun, { exported }: Pick<Inputs, 'exported'>): void {
  const reasons = unreadReasons(run);
  if (reasons.length === 0) return;
  throw new ReconError('service', `No journal was written. ${reasons.join(' ')}`, {
    hint: exported
      ? 'Export the incomplete days again, or choose a range without them.'
      : 'Run it again. If it still fails, contact the provider, or choose a range without these days.',
  });
}
