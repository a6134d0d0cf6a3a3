import { type BankReport, bankVerdict, payoutsIn } from '../../../app/bank-report.ts';
import { earlierPayouts } from '../../../app/books-so-far.ts';
import { readClosed } from '../../../app/closed-range.ts';
import {
  type BankInput,
  type BankMatcher,
  bankMatcher,
  withoutEarlier,
} from '../../../app/match-bank.ts';
import { matchSeveral } from '../../../app/match-several.ts';
import { proposedBank } from '../../../bank/proposal.ts';
import { addDays } from '../../../base/calendar.ts';
import { faultOf, ReconError } from '../../../base/errors.ts';
import { openingNotSet } from '../../../books/opening.ts';
import { daysAround, payoutDays } from '../../../match/business-days.ts';
import { bankMatchesIn } from '../../../match/match.ts';
import { type BankStatements, isRemark } from '../../../model/bank.ts';
import type { DateRange } from '../../../model/source.ts';
import { entriesConclusion, entriesViews, isPartlyRead } from '../../../report/bank/entries.ts';
import { severalBankConclusion, severalBankViews } from '../../../report/bank/several.ts';
import { bankSummary, hasNothing } from '../../../report/bank/summary.ts';
import { bankViews } from '../../../report/bank/view.ts';
import { statementSentence } from '../../../report/bank/words.ts';
import { rangeText } from '../../../report/common/phrase.ts';
import { readBank, readSharedStatements, readStatementsAt } from '../../bank.ts';
import type { Context, ContextOf } from '../../context.ts';
import { exitCodeOfSeveral, exitCodes } from '../../exit-codes.ts';
import { type Flags, ticket } from '../../flags.ts';
import { announceRange, type Inputs, queryOf, rangeOf, resolveInputs } from '../../inputs.ts';
import {
  endReading,
  printConclusion,
  printReport,
  resolveTarget,
  type Target,
  withOutput,
  writeReport,
} from '../../output.ts';
import { printMapping } from '../../print-mapping.ts';
import {
  concludeProfiles,
  type ProfileRun,
  refuseWithSeveral,
  resolveProfiles,
  runSideBySide,
  throwIfAllFailed,
} from '../../profiles.ts';
import { isRangeGiven } from '../../range.ts';
import { booksOf, readAgeingAndAccepted } from '../../registers.ts';
import { exitCodeOf, metOnBank, reconciliationVerdicts } from '../../run-exit-code.ts';
import { withSource } from '../../source.ts';
import type { bankCommand } from './command.ts';

type BankContext = ContextOf<typeof bankCommand>;

export async function bank(context: BankContext, paths: readonly string[]): Promise<number> {
  const { flags } = context;
  if (flags.init) return printMapping(context, paths, proposedBank, 'each');
  const target = resolveTarget(context, ticket);
  const runs = await resolveProfiles(context);
  if (runs.some(({ profile }) => profile !== undefined)) {
    return ofSeveral(runs, target, paths, context);
  }
  const inputs = await resolveInputs(context);
  if (flags.entries) return printEntries(target, paths, inputs, context);
  const read = await readBank(paths, inputs, context);
  const report = (await readMatcher(read, inputs, context))();
  const { begin = '', opening = [], closes } = await booksOf(inputs);
  const basis = { through: begin && addDays(begin, -1), opening, closes };
  if (openingNotSet(bankMatchesIn(report.matching), basis).length > 0)
    context.messages.say(
      'There is money of pay-outs before the books, and no opening amount: recon close --init shows what to set.',
    );
  const { views, conclusion } = inputs.told(bankViews(report), bankSummary(report).conclusion);
  return printReport(target, views, context, conclusion, exitCodeOfBank(report, flags));
}

async function ofSeveral(
  runs: readonly ProfileRun[],
  target: Target,
  paths: readonly string[],
  context: BankContext,
): Promise<number> {
  const { flags, host, messages } = context;
  refuseWithSeveral({ '--from-export': flags.fromExport, '--entries': flags.entries });
  const all = [];
  for (const run of runs) all.push({ ...run, inputs: await resolveInputs(run.context) });
  const statements = await readSharedStatements(paths, all, context);
  const outcomes = await runSideBySide(all, async ({ profile = '', context, inputs }) => {
    const read = await readBank(paths, inputs, context, statements);
    return { profile, match: await readMatcher(read, inputs, context) };
  });
  messages.stop();
  throwIfAllFailed(outcomes, host);
  const { reports, none } = matchSeveral(
    outcomes.flatMap((one) => ('error' in one ? [] : [one.result])),
  );
  const byProfile = new Map(reports.map((report) => [report.profile, report]));
  const profiles = outcomes.flatMap(({ profile = '', context, inputs, ...ending }) => {
    const whose = { profile, context };
    const report = byProfile.get(profile);
    if ('error' in ending) return { ...whose, ...ending, failure: faultOf(ending.error) };
    if (!report) return [];
    const told = inputs.told(bankViews(report), bankSummary(report).conclusion);
    return { ...whose, ...told, report, exitCode: exitCodeOfBank(report, flags) };
  });
  const several = { profiles, none };
  const ofNone = exitCodeOf(
    reconciliationVerdicts[bankVerdict(none)],
    metOnBank(none),
    flags.failOn,
  );
  await withOutput(target, context, (write) =>
    writeReport(write, severalBankViews(several), target),
  );
  const ofAll = concludeProfiles(profiles, target, host);
  printConclusion(severalBankConclusion(several), target, ofNone, messages);
  return exitCodeOfSeveral([ofAll, ofNone]);
}

/** Reads the pay-outs of the range, and what is known of earlier ones. */
async function readMatcher(
  read: BankInput,
  inputs: Inputs,
  context: BankContext,
): Promise<BankMatcher> {
  const covered = coveredDays(read.statements, inputs, context);
  const query = queryOf({ ...inputs, period: inputs.period ?? covered }, context);
  // What could not be read may be of these days.
  if (covered && read.statements.findings.every(isRemark)) refuseOtherDays(covered, query.range);
  const ageingAndAccepted = await readAgeingAndAccepted(inputs, context);
  const { accepted } = ageingAndAccepted;
  return withSource(inputs, context, async ({ source }): Promise<BankMatcher> => {
    await announceRange(query.range, inputs, context);
    const books = await booksOf(inputs);
    const match = await bankMatcher(source, query, {
      ...read,
      accepted,
      closed: await readClosed(
        { ...inputs.reading, source, query, settings: inputs.judgement, ageingAndAccepted },
        books,
      ),
      before: earlierPayouts(books, query.range.from),
    });
    await endReading(source, context);
    const hasRange = isRangeGiven(context.flags) || inputs.period !== undefined;
    return (taken) => (hasRange ? match(taken) : withoutEarlier(match(taken)));
  });
}

function exitCodeOfBank(report: BankReport, { failOn }: Pick<Flags, 'failOn'>): number {
  return exitCodeOf(reconciliationVerdicts[bankVerdict(report)], metBy(report), failOn);
}

/** `recon bank --entries`: the entries as they are read. Returns the exit code. */
async function printEntries(
  target: Target,
  paths: readonly string[],
  inputs: Inputs,
  context: BankContext,
): Promise<number> {
  const statements = await readStatementsAt(paths, inputs, context);
  const range = isRangeGiven(context.flags) ? rangeOf(inputs, context) : undefined;
  const report = { statements, range, profile: inputs.settings.profile };
  const exitCode = isPartlyRead(report) ? exitCodes.incomplete : exitCodes.ok;
  const conclusion = entriesConclusion(report);
  return printReport(target, entriesViews(report), context, conclusion, exitCode);
}

/** The days whose pay-outs reach the statements; undefined if nothing could be read and a range is given. */
function coveredDays(
  statements: BankStatements,
  { period, today }: Pick<Inputs, 'period' | 'today'>,
  { flags }: Pick<Context, 'flags'>,
): DateRange | undefined {
  const days = payoutDays(statements);
  if (days) return days;
  if (isRangeGiven(flags) || period) return undefined;
  const [first] = statements.findings;
  // Files without entries have no days: today is used.
  if (!first) return { from: today(), to: today() };
  const hint =
    first.setting === undefined
      ? 'Request them from the bank again, or add a range.'
      : 'Correct the mapping in the profile, or add a range.';
  const message = `The statements contain no days. ${statementSentence(first)}`;
  throw new ReconError('damaged', message, { hint });
}

function refuseOtherDays(covered: DateRange, range: DateRange): void {
  if (covered.from <= range.to && range.from <= covered.to) return;
  const days = rangeText({ ...covered, from: addDays(covered.from, daysAround.before) });
  const message = `The statements cover ${days}; the range is ${rangeText(range)}.`;
  throw new ReconError('usage', message, {
    hint: 'Name statements for these days, or another range.',
  });
}

function metBy(report: BankReport) {
  const { matches } = report.matching;
  const pending = payoutsIn(matches.filter(({ state }) => state === 'not_paid_yet'));
  return { ...metOnBank(report), pending, empty: hasNothing(report) };
}
