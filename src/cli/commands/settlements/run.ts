import { type DecidedSettlement, reconcileRange } from '../../../app/reconcile-range.ts';
import type { DateRange } from '../../../model/source.ts';
import type { ReconciledRun, Verdict } from '../../../reconcile/reconciled.ts';
import { renderers } from '../../../render/index.ts';
import { ndjsonLine, renderNdjson } from '../../../render/json.ts';
import { briefExplanation } from '../../../report/explain/words.ts';
import { closingLines, settlementReportLine } from '../../../report/settlements/document.ts';
import { isShown, type SettlementsReport } from '../../../report/settlements/report.ts';
import { settlementsConclusion } from '../../../report/settlements/summary.ts';
import { type By, settlementsViews } from '../../../report/settlements/view.ts';
import { type Asked, flagsToRepeat, queryAsked, sayExported, whatIsAsked } from '../../asked.ts';
import type { Context } from '../../context.ts';
import { dryRun } from '../../dry-run.ts';
import { exitCodeOfRun, type FailOn } from '../../exit-codes.ts';
import type { Messages } from '../../messages.ts';
import { type Write, withOutput, writeAll } from '../../output.ts';
import { sayConclusion } from '../../print-report.ts';
import { describeRange, type RangeFlags } from '../../range.ts';
import { openSource, type ServiceContext, type ServiceFlags, withSource } from '../../source.ts';
import { resolveTarget, type Target, type TargetFlags } from '../../target.ts';

export interface SettlementsFlags extends ServiceFlags, RangeFlags, TargetFlags {
  /** Absent on the command line it is true; `--no-explain` makes it false. */
  readonly explain: boolean;
  readonly by?: By;
  readonly only?: readonly Verdict[];
  readonly failOn?: readonly FailOn[];
}

/** What the report says of what was asked for; the run adds the rest. */
type ReportRequest = Omit<SettlementsReport, 'run'> & { readonly range: DateRange };
type Run = AsyncGenerator<DecidedSettlement, ReconciledRun, void>;

/** `recon settlements`: reads, reconciles, reports. Returns the exit code. */
export async function settlements(flags: SettlementsFlags, context: Context): Promise<number> {
  const { host } = context;
  const target = resolveTarget(flags, host);
  const asked = await whatIsAsked(flags, context, flags);
  const { settings } = asked;
  const request = ask(flags, asked, context);
  const query = { range: request.range, filters: request.settings.filters };
  if (flags.dryRun) return dryRun(flags, settings, query, context);
  const open = (given: ServiceContext) => openSource(flags, asked, given);
  return withSource(flags, context, open, async ({ source }, messages) => {
    messages.say(`Settlements ${describeRange(request.range)}`);
    sayExported(asked, messages);
    // Lines that are printed as they come would tear a progress line on the same screen.
    if (target.format !== 'ndjson') await messages.startProgress();
    const run = reconcileRange({
      source,
      query,
      settings: request.settings,
      explains: flags.explain,
      ahead: settings.preferences.concurrency,
      onProgress: messages.onProgress,
    });
    const report = await withOutput(target.path, host.stdout, (write) =>
      writeReport(write, target, request, run, flags.by ?? 'settlement', messages, context),
    );
    const exitCode = exitCodeOfRun(report.run, flags.failOn);
    sayConclusion(settlementsConclusion(report), target, exitCode, messages);
    return exitCode;
  });
}

function ask(flags: SettlementsFlags, asked: Asked, context: Context): ReportRequest {
  const { range, filters } = queryAsked(flags, asked, context);
  return {
    range,
    settings: { profile: asked.settings.profile, ...asked.judgement, filters },
    names: asked.names,
    only: flags.only,
    flags: flagsToRepeat(asked.repeated),
  };
}

/** Writes the report as its format wants it: lines as they come, anything else at the end. */
async function writeReport(
  write: Write,
  { format, options }: Target,
  request: ReportRequest,
  run: Run,
  by: By,
  messages: Messages,
  { clock, signal }: Context,
): Promise<SettlementsReport> {
  const { names, only } = request;
  const explanations = new Map<string, string>();
  let step = await run.next();
  for (; !step.done; step = await run.next()) {
    const { reconciled, explained } = step.value;
    const explanation = explained && briefExplanation(explained, reconciled.settlement.currency);
    if (explanation) explanations.set(reconciled.settlement.id, explanation);
    if (format === 'ndjson' && by === 'settlement' && isShown(reconciled, only)) {
      await write(ndjsonLine(settlementReportLine(reconciled, names, explanation)));
    }
  }
  // An interruption while the last ones were explained is heard only now.
  await clock.sleep(0, signal);
  messages.stop();
  const report = { ...request, explanations, run: step.value };
  const texts =
    format === 'ndjson'
      ? renderNdjson(closingLines(report))
      : renderers[format].report(settlementsViews(report, by), options);
  await writeAll(write, texts);
  return report;
}
