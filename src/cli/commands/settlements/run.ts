import { nameCounterparts } from '../../../app/name-counterparts.ts';
import { reconcileRange } from '../../../app/reconcile-range.ts';
import type { DateRange } from '../../../model/source.ts';
import { renderers } from '../../../render/index.ts';
import { ndjsonLine } from '../../../render/json.ts';
import { briefExplanation } from '../../../report/explain/words.ts';
import { settlementLine } from '../../../report/settlements/document.ts';
import { isShown, type SettlementsReport } from '../../../report/settlements/report.ts';
import { settlementsConclusion } from '../../../report/settlements/summary.ts';
import { settlementsViews } from '../../../report/settlements/view.ts';
import { whenReported } from '../../accepted.ts';
import { queryAsked, sayExported, whatIsAsked } from '../../asked.ts';
import type { Context } from '../../context.ts';
import { dryRun } from '../../dry-run.ts';
import { exitCodeOfRun } from '../../exit-codes.ts';
import { sayConclusion, type Write, withOutput, writeAll } from '../../output.ts';
import { describeRange } from '../../range.ts';
import { withSource } from '../../source.ts';
import { resolveTarget, type Target } from '../../target.ts';

/** What the report says of what was asked for; the run adds the rest. */
type ReportRequest = Omit<SettlementsReport, 'run'> & { readonly range: DateRange };
type Run = ReturnType<typeof nameCounterparts>;

/** `recon settlements`: reads, reconciles, reports. Returns the exit code. */
export async function settlements(context: Context): Promise<number> {
  const { flags, host, messages } = context;
  const target = resolveTarget(context);
  const asked = await whatIsAsked(context);
  const { settings } = asked;
  const query = queryAsked(asked, context);
  const { range, filters } = query;
  if (flags.dryRun) return dryRun(settings, query, context);
  const reportedBy = await whenReported(asked, context);
  const request: ReportRequest = {
    range,
    settings: { profile: settings.profile, ...asked.judgement, filters },
    names: asked.names,
    only: flags.only,
    hasRegister: reportedBy.accepted !== undefined,
    flags: asked.repeated,
  };
  return withSource(asked, context, async ({ source }) => {
    messages.say(`Settlements ${describeRange(range)}`);
    sayExported(asked, context);
    // Lines that are printed as they come would tear a progress line on the same screen.
    if (target.format !== 'ndjson') await messages.startProgress();
    const decided = reconcileRange({
      source,
      query,
      settings: request.settings,
      whenReported: reportedBy,
      // Absent on the command line it is true.
      explains: flags.explain ?? true,
      ahead: settings.preferences.concurrency,
      onProgress: messages.onProgress,
    });
    const run = nameCounterparts(decided, request.settings);
    const report = await withOutput(target, host, (write) =>
      writeReport(write, target, request, run, context),
    );
    const exitCode = exitCodeOfRun(report.run, flags.failOn);
    sayConclusion(settlementsConclusion(report), target, exitCode, messages);
    return exitCode;
  });
}

/** Writes the report as its format wants it: lines as they come, anything else at the end. */
async function writeReport(
  write: Write,
  { format, options }: Target,
  request: ReportRequest,
  run: Run,
  { flags: { by = 'settlement' }, messages, clock, signal }: Context,
): Promise<SettlementsReport> {
  const { names, only } = request;
  const explanations = new Map<string, string>();
  let step = await run.next();
  for (; !step.done; step = await run.next()) {
    const { reconciled, explained } = step.value;
    const explanation = explained && briefExplanation(explained, reconciled.settlement.currency);
    if (explanation) explanations.set(reconciled.settlement.id, explanation);
    if (format === 'ndjson' && by === 'settlement' && isShown(reconciled, only)) {
      await write(ndjsonLine(settlementLine(reconciled, names, explanation)));
    }
  }
  // An interruption while the last ones were explained is heard only now.
  await clock.sleep(0, signal);
  messages.stop();
  const report = { ...request, explanations, run: step.value };
  await writeAll(write, renderers[format].report(settlementsViews(report, by), options));
  return report;
}
