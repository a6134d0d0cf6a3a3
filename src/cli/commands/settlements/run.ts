import { bankCheckOf, withoutExplainedEntries } from '../../../app/bank-check.ts';
import { KeptRows } from '../../../app/kept-rows.ts';
import { nameCounterparts } from '../../../app/neighbour-reader.ts';
import { reconcileRange } from '../../../app/reconcile-range.ts';
import { isShown, type SettlementsReport } from '../../../app/settlements-report.ts';
import { faultOf, ReconError } from '../../../base/errors.ts';
import { drained } from '../../../base/ordered.ts';
import type { Explained } from '../../../explain/explained.ts';
import type { DateRange, SettlementQuery } from '../../../model/source.ts';
import type { ReconciledSettlement } from '../../../reconcile/reconcile-settlement.ts';
import { ndjsonLine } from '../../../render/json.ts';
import { grouped } from '../../../report/common/phrase.ts';
import { maxSheetRows } from '../../../report/common/workbook.ts';
import { bestFacts } from '../../../report/explain/records.ts';
import { briefExplanation, shortCauseText } from '../../../report/explain/words.ts';
import { settlementLine } from '../../../report/settlements/records.ts';
import { commandForRows, settlementsConclusion } from '../../../report/settlements/summary.ts';
import { settlementsViews, severalViews } from '../../../report/settlements/view.ts';
import { feeCheckOf } from '../../agreed.ts';
import { matchedPayouts, readBank } from '../../bank.ts';
import type { ContextOf } from '../../context.ts';
import { exitCodeOfSeveral, namedIn, refuseBankConditions } from '../../exit-codes.ts';
import { type Flags, office } from '../../flags.ts';
import { announceExport, type Inputs, queryOf, resolveInputs } from '../../inputs.ts';
import {
  commandForAll,
  printConclusion,
  resolveTarget,
  type Target,
  withOutput,
  writeReport,
} from '../../output.ts';
import {
  printFailedProfile,
  resolveProfiles,
  runSideBySide,
  throwIfAllFailed,
} from '../../profiles.ts';
import { describeRange, earlierRange } from '../../range.ts';
import { closesOf, whenReported } from '../../registers.ts';
import { exitCodeOfRun } from '../../run-exit-code.ts';
import { dayNow } from '../../settings.ts';
import { dryRun, withSource } from '../../source.ts';
import type { settlementsCommand } from './command.ts';

type SettlementsContext = ContextOf<typeof settlementsCommand>;

type ReportRequest = Omit<SettlementsReport, 'run'> & { readonly range: DateRange };
type Run = ReturnType<typeof nameCounterparts>;

export async function settlements(context: SettlementsContext): Promise<number> {
  const target = resolveTarget(context, office);
  const runs = await resolveProfiles(context);
  const isOne = runs.some(({ profile }) => profile === undefined);
  return isOne ? ofOne(target, context) : ofSeveral(runs, target, context);
}

async function ofOne(target: Target, context: SettlementsContext): Promise<number> {
  const { flags, messages } = context;
  const { only } = flags;
  const { format } = target;
  const inputs = await resolveInputs(context);
  const query = queryOf(inputs, context);
  if (flags.dryRun) return dryRun(inputs.settings, query, context);
  return reconciling(inputs, query, target, context, async (request, run) => {
    // A progress line would tear lines that are printed as they come.
    if (format !== 'ndjson') await messages.startProgress();
    const report = await withOutput(target, context, async (write) => {
      const report = await reportOf(request, run, context, async (one, explanation, facts) => {
        if (format !== 'ndjson' || request.splitBy || !isShown(one, only)) return;
        await write(ndjsonLine(settlementLine(one, request, explanation, facts)));
      });
      await writeReport(write, settlementsViews(report), target);
      return report;
    });
    const exitCode = exitCodeOfRun(report.run, flags.failOn, report.bank?.report);
    printConclusion(settlementsConclusion(report), target, exitCode, messages);
    return exitCode;
  });
}

async function ofSeveral(
  runs: Parameters<typeof runSideBySide>[0],
  target: Target,
  context: SettlementsContext,
) {
  const { flags, host, messages } = context;
  refuseWithSeveral(flags);
  const { failOn } = flags;
  const profiles = await withOutput(target, context, async (write) => {
    await messages.startProgress('reading the lists of settlements');
    const outcomes = await runSideBySide(runs, async ({ context }) => {
      const inputs = await resolveInputs(context);
      return reconciling(inputs, queryOf(inputs, context), target, context, (request, run) =>
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
    if ('error' in one) printFailedProfile(one, host);
    else {
      const sentences = settlementsConclusion(one.report);
      printConclusion(sentences, target, one.exitCode, one.context.messages);
    }
  }
  return exitCodeOfSeveral(profiles.map(({ exitCode }) => exitCode));
}

/** The range of `--compare` and the limit of `--drift`. Throws ReconError `usage` if the range is missing. */
function comparisonOf({ settings }: Inputs, range: DateRange, context: SettlementsContext) {
  const { compare, drift: limit = usualDrift, failOn } = context.flags;
  if (compare === undefined) {
    if (!namedIn(failOn, 'fee-drift')) return undefined;
    const hint = 'Add a range: --compare previous.';
    throw new ReconError('usage', '--fail-on fee-drift needs --compare.', { hint });
  }
  return { range: earlierRange(compare, range, dayNow(settings, context)), limit };
}

const usualDrift = 500n;

function refuseWithSeveral({ fromExport, dryRun, rows }: Flags): void {
  const flag =
    fromExport !== undefined ? '--from-export' : (dryRun && '--dry-run') || (rows && '--rows');
  if (!flag) return;
  const hint = 'Name one with --profile.';
  throw new ReconError('usage', `${flag} cannot be combined with several profiles.`, { hint });
}

async function reconciling<Result>(
  inputs: Inputs,
  query: SettlementQuery,
  target: Target,
  context: SettlementsContext,
  work: (request: ReportRequest, run: Run) => Promise<Result>,
): Promise<Result> {
  const { flags, messages } = context;
  const { settings } = inputs;
  const { range, filters } = query;
  const compare = comparisonOf(inputs, range, context);
  if (!flags.bank) refuseBankConditions(flags.failOn);
  const statements = flags.bank && (await readBank(flags.bank, inputs, context));
  const reportedBy = await whenReported(inputs, context);
  const requested: ReportRequest = {
    range,
    closes: await closesOf(inputs),
    settings: { profile: settings.profile, ...inputs.judgement, filters },
    names: inputs.names,
    only: flags.only,
    commandForAll: commandForAll(target, context),
    splitBy: flags.by === 'settlement' ? undefined : flags.by,
    hasRegister: reportedBy.accepted !== undefined,
    flags: inputs.repeated,
  };
  const kept = flags.rows ? rowsFor(requested) : undefined;
  return withSource(inputs, context, async ({ source }) => {
    messages.say(`Settlements ${describeRange(range)}`);
    if (compare) messages.say(`Compared with settlements ${describeRange(compare.range)}`);
    announceExport(inputs, context);
    const report =
      statements &&
      (await matchedPayouts(source, statements, query, inputs, {
        ...reportedBy,
        failOn: flags.failOn,
      }));
    const bank = report && bankCheckOf(report);
    const request = { ...requested, bank, rows: kept?.bySettlement };
    const decided = reconcileRange({
      source: kept?.keeping(source) ?? source,
      earlierSource: source,
      query,
      settings: request.settings,
      whenReported: reportedBy,
      explains: flags.explain ?? true,
      compare,
      fees: feeCheckOf(inputs),
      ahead: settings.preferences.concurrency,
      onProgress: messages.onProgress,
    });
    const run = kept?.droppingUnneeded(decided) ?? decided;
    return work(request, nameCounterparts(run, request.settings));
  });
}

/** Keeps the rows of the settlements that a workbook shows. */
function rowsFor(request: ReportRequest): KeptRows {
  const { only } = request;
  const most = grouped(maxSheetRows);
  return new KeptRows({
    most: maxSheetRows,
    tooMany: () => {
      const message = `More than ${most} transactions: a workbook lists ${most} at most.`;
      const hint = `Remove --rows, and list them in a csv file: ${commandForRows(request)}`;
      return new ReconError('usage', message, { hint });
    },
    isNeeded: only && ((one) => isShown(one, only)),
  });
}

/** Collects the report; `each` gets every settlement as soon as it is reconciled. */
async function reportOf(
  request: ReportRequest,
  run: Run,
  { messages, clock, signal }: Pick<SettlementsContext, 'messages' | 'clock' | 'signal'>,
  each?: (one: ReconciledSettlement, explanation?: string, facts?: object) => Promise<void>,
): Promise<SettlementsReport> {
  const explanations = new Map<string, string>();
  const causes = new Map<string, string>();
  const facts = new Map<string, object>();
  const rounded = new Map<string, { readonly explained: Explained; readonly currency: string }>();
  const ended = await drained(run, async ({ reconciled, explained }) => {
    const { id, currency } = reconciled.settlement;
    const explanation = explained && briefExplanation(explained, currency);
    if (explanation) explanations.set(id, explanation);
    if (explained) causes.set(id, shortCauseText(explained, currency));
    const ofCauses = explained && bestFacts(explained);
    if (ofCauses) facts.set(id, ofCauses);
    if (explained?.best?.codes.join() === 'rounding') rounded.set(id, { explained, currency });
    await each?.(reconciled, explanation, ofCauses);
  });
  // What a single settlement leaves open, a rule of the run makes likely.
  for (const id of ended.proposedRules.flatMap(({ settlementIds }) => settlementIds)) {
    const known = rounded.get(id);
    if (known === undefined) continue;
    const { explained, currency } = known;
    const likely = { ...explained, certainty: 'likely', mayBeChance: false, rivals: [] } as const;
    explanations.set(id, `${briefExplanation(likely, currency)} See the proposed rule.`);
    facts.set(id, bestFacts(likely) ?? {});
  }
  await clock.sleep(0, signal);
  messages.stop();
  return { ...request, explanations, causes, facts, run: ended };
}
