import { KeptRows } from '../../../app/kept-rows.ts';
import { nameCounterparts } from '../../../app/name-counterparts.ts';
import { reconcileRange } from '../../../app/reconcile-range.ts';
import { faultOf, ReconError } from '../../../base/errors.ts';
import { drained } from '../../../base/ordered.ts';
import type { DateRange, SettlementQuery } from '../../../model/source.ts';
import type { ReconciledSettlement } from '../../../reconcile/reconciled.ts';
import type { SplitName } from '../../../reconcile/split.ts';
import { handedOnFormats } from '../../../render/formats.ts';
import { ndjsonLine } from '../../../render/json.ts';
import { grouped } from '../../../report/common/phrase.ts';
import { mostSheetRows } from '../../../report/common/workbook.ts';
import { briefExplanation, causeInShort } from '../../../report/explain/words.ts';
import { settlementLine } from '../../../report/settlements/document.ts';
import { onBank, withoutExplainedEntries } from '../../../report/settlements/on-bank.ts';
import { isShown, type SettlementsReport } from '../../../report/settlements/report.ts';
import { severalViews } from '../../../report/settlements/several.ts';
import { commandForRows, settlementsConclusion } from '../../../report/settlements/summary.ts';
import { settlementsViews } from '../../../report/settlements/view.ts';
import { whenReported } from '../../accepted.ts';
import { type Asked, comparisonAsked, queryAsked, sayExported, whatIsAsked } from '../../asked.ts';
import { readBank } from '../../bank.ts';
import type { Context } from '../../context.ts';
import { dryRun } from '../../dry-run.ts';
import { exitCodeOfRun, exitCodeOfSeveral, refuseBankConditions } from '../../exit-codes.ts';
import type { Flags } from '../../flags.ts';
import { matchedPayouts } from '../../matched-payouts.ts';
import { sayConclusion, withOutput, writeReport } from '../../output.ts';
import {
  type ProfileRun,
  profilesAsked,
  runSideBySide,
  tellFailedProfile,
  throwIfAllFailed,
} from '../../profiles.ts';
import { describeRange } from '../../range.ts';
import { withSource } from '../../source.ts';
import { commandForAll, resolveTarget, type Target } from '../../target.ts';

/** What the report says of what was asked for; the run adds the rest. */
type ReportRequest = Omit<SettlementsReport, 'run'> & { readonly range: DateRange };
type Run = ReturnType<typeof nameCounterparts>;

/** `recon settlements`: reads, reconciles, reports. Returns the exit code. */
export async function settlements(context: Context): Promise<number> {
  const target = resolveTarget(context, { formats: handedOnFormats, piped: 'csv' });
  const runs = await profilesAsked(context);
  const isOne = runs.some(({ profile }) => profile === undefined);
  return isOne ? ofOne(target, context) : ofSeveral(runs, target, context);
}

async function ofOne(target: Target, context: Context): Promise<number> {
  const { flags, messages } = context;
  const { only } = flags;
  const { format } = target;
  const asked = await whatIsAsked(context);
  const query = queryAsked(asked, context);
  if (flags.dryRun) return dryRun(asked.settings, query, context);
  return reconciling(asked, query, target, context, async (request, run) => {
    // Lines that are printed as they come would tear a progress line on the same screen.
    if (format !== 'ndjson') await messages.startProgress();
    const report = await withOutput(target, context, async (write) => {
      const report = await reportOf(request, run, context, async (one, explanation) => {
        if (format !== 'ndjson' || request.splits || !isShown(one, only)) return;
        await write(ndjsonLine(settlementLine(one, request.names, explanation, request.bank)));
      });
      await writeReport(write, settlementsViews(report), target);
      return report;
    });
    const exitCode = exitCodeOfRun(report.run, flags.failOn, report.bank?.report);
    sayConclusion(settlementsConclusion(report), target, exitCode, messages);
    return exitCode;
  });
}

/** One report of all profiles, when all are read. */
async function ofSeveral(
  runs: readonly ProfileRun[],
  target: Target,
  context: Context,
): Promise<number> {
  const { flags, host, messages } = context;
  refuseWithSeveral(flags);
  const { failOn } = flags;
  const profiles = await withOutput(target, context, async (write) => {
    await messages.startProgress('reading the lists of settlements');
    const outcomes = await runSideBySide(runs, async ({ context }) => {
      const asked = await whatIsAsked(context);
      return reconciling(asked, queryAsked(asked, context), target, context, (request, run) =>
        reportOf(request, run, context),
      );
    });
    messages.stop();
    throwIfAllFailed(outcomes, host);
    const banks = outcomes.flatMap((one) => ('error' in one ? [] : (one.result.bank ?? [])));
    const profiles = outcomes.map(({ profile = '', context, ...ending }) => {
      if ('error' in ending) {
        return { ...ending, profile, context, failure: faultOf(ending.error) };
      }
      const bank = ending.result.bank && withoutExplainedEntries(ending.result.bank, banks);
      const report = { ...ending.result, bank };
      return {
        profile,
        context,
        report,
        exitCode: exitCodeOfRun(report.run, failOn, bank?.report),
      };
    });
    await writeReport(write, severalViews(profiles), target);
    return profiles;
  });
  for (const one of profiles) {
    if ('error' in one) tellFailedProfile(one, host);
    else {
      const sentences = settlementsConclusion(one.report);
      sayConclusion(sentences, target, one.exitCode, one.context.messages);
    }
  }
  return exitCodeOfSeveral(profiles.map(({ exitCode }) => exitCode));
}

/** What the totals are to be split by; absent where nobody asks for totals alone. */
function splitsIn({ by }: Flags): readonly SplitName[] | undefined {
  return by === 'settlement' ? undefined : by;
}

/** An export has one profile, and so have an estimate and a sheet of transactions. */
function refuseWithSeveral({ fromExport, dryRun, rows }: Flags): void {
  const flag =
    fromExport !== undefined ? '--from-export' : (dryRun && '--dry-run') || (rows && '--rows');
  if (!flag) return;
  throw new ReconError('usage', `${flag} cannot be combined with several profiles.`, {
    hint: 'Name one with --profile.',
  });
}

/** Does `work` with the settlements that are asked for, while they are read and reconciled. */
async function reconciling<Result>(
  asked: Asked,
  query: SettlementQuery,
  target: Target,
  context: Context,
  work: (request: ReportRequest, run: Run) => Promise<Result>,
): Promise<Result> {
  const { flags, messages } = context;
  const { settings } = asked;
  const { range, filters } = query;
  const compare = comparisonAsked(asked, range, context);
  if (!flags.bank) refuseBankConditions(flags.failOn);
  const statements = flags.bank && (await readBank(flags.bank, asked, context));
  const reportedBy = await whenReported(asked, context);
  const requested: ReportRequest = {
    range,
    settings: { profile: settings.profile, ...asked.judgement, filters },
    names: asked.names,
    only: flags.only,
    commandForAll: commandForAll(target, context),
    splits: splitsIn(flags),
    hasRegister: reportedBy.accepted !== undefined,
    flags: asked.repeated,
  };
  const kept = flags.rows ? rowsFor(requested) : undefined;
  return withSource(asked, context, async ({ source }) => {
    messages.say(`Settlements ${describeRange(range)}`);
    if (compare) messages.say(`Compared with settlements ${describeRange(compare.range)}`);
    sayExported(asked, context);
    const report =
      statements &&
      (await matchedPayouts(source, statements, query, asked, {
        ...reportedBy,
        failOn: flags.failOn,
      }));
    const bank = report && onBank(report);
    const request = { ...requested, bank, rows: kept?.bySettlement };
    const decided = reconcileRange({
      source: kept?.keeping(source) ?? source,
      earlierSource: source,
      query,
      settings: request.settings,
      whenReported: reportedBy,
      // Absent on the command line it is true.
      explains: flags.explain ?? true,
      compare,
      ahead: settings.preferences.concurrency,
      onProgress: messages.onProgress,
    });
    const run = kept?.sorting(decided) ?? decided;
    return work(request, nameCounterparts(run, request.settings));
  });
}

/** Keeps the rows that a workbook lists: of the settlements that are shown, as many as a sheet has. */
function rowsFor(request: ReportRequest): KeptRows {
  const { only } = request;
  const most = grouped(mostSheetRows);
  return new KeptRows({
    most: mostSheetRows,
    tooMany: () => {
      const message = `More than ${most} transactions: a workbook lists ${most} at most.`;
      const hint = `Remove --rows, and list them in a csv file: ${commandForRows(request)}`;
      return new ReconError('usage', message, { hint });
    },
    isNeeded: only && ((one) => isShown(one, only)),
  });
}

/** The report, when all is decided; `each` takes a settlement as soon as it is. */
async function reportOf(
  request: ReportRequest,
  run: Run,
  { messages, clock, signal }: Pick<Context, 'messages' | 'clock' | 'signal'>,
  each?: (one: ReconciledSettlement, explanation?: string) => Promise<void>,
): Promise<SettlementsReport> {
  const explanations = new Map<string, string>();
  const causes = new Map<string, string>();
  const ended = await drained(run, async ({ reconciled, explained }) => {
    const { id, currency } = reconciled.settlement;
    const explanation = explained && briefExplanation(explained, currency);
    if (explanation) explanations.set(id, explanation);
    if (explained) causes.set(id, causeInShort(explained, currency));
    await each?.(reconciled, explanation);
  });
  // An interruption while the last ones were explained is heard only now.
  await clock.sleep(0, signal);
  messages.stop();
  return { ...request, explanations, causes, run: ended };
}
