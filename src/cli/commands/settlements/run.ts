import { type DecidedSettlement, reconcileRange } from '../../../app/reconcile-range.ts';
import type { DateRange, SettlementFilters } from '../../../model/source.ts';
import type { ReconciledRun, Verdict } from '../../../reconcile/reconciled.ts';
import { render } from '../../../render/index.ts';
import { ndjsonLine, renderNdjson } from '../../../render/ndjson.ts';
import { settlementsConclusion } from '../../../report/common/conclusions.ts';
import { briefExplanation } from '../../../report/explain/words.ts';
import { closingLines, settlementLine } from '../../../report/settlements/document.ts';
import { isShown, type SettlementsReport } from '../../../report/settlements/report.ts';
import type { By } from '../../../report/settlements/view.ts';
import { settlementsViews } from '../../../report/settlements/views.ts';
import { sayConclusion } from '../../conclusion.ts';
import type { Context } from '../../context.ts';
import { dryRun } from '../../dry-run.ts';
import { exitCodeOfRun, type FailOn } from '../../exit-codes.ts';
import { exportedSettings, exportHint, findExport } from '../../exported.ts';
import { type Write, withOutput, writeAll } from '../../output.ts';
import { describeRange, filtersOf, type RangeFlags, resolveRange } from '../../range.ts';
import { flagsToRepeat } from '../../repeat.ts';
import {
  openService,
  type ServiceFlags,
  type SourceDefaults,
  sourceDefaults,
} from '../../service.ts';
import { judgement, type RunSettingFlags, type RunSettings, readSettings } from '../../settings.ts';
import { Talk, type TalkFlags } from '../../talk.ts';
import { resolveTarget, type Target, type TargetFlags } from '../../target.ts';

export interface SettlementsFlags
  extends RunSettingFlags,
    ServiceFlags,
    RangeFlags,
    SettlementFilters,
    TargetFlags,
    TalkFlags {
  /** Absent on the command line it is true; `--no-explain` makes it false. */
  readonly explain: boolean;
  readonly by?: By;
  readonly only?: readonly Verdict[];
  readonly failOn?: readonly FailOn[];
}

/** What the report says of the question; the run answers it. */
type Question = Omit<SettlementsReport, 'run'> & { readonly range: DateRange };
type Run = AsyncGenerator<DecidedSettlement, ReconciledRun, void>;

/** `recon settlements`: reads, reconciles, reports. Returns the exit code. */
export async function settlements(flags: SettlementsFlags, context: Context): Promise<number> {
  const { host } = context;
  const target = resolveTarget(flags, host);
  const exported = await findExport(flags);
  const defaults = await sourceDefaults(flags, exported);
  const inUtc = { now: context.clock.now(), timeZone: 'UTC', otherwise: defaults?.period };
  const stored = exported && (await exportedSettings(exported, flags, resolveRange(flags, inUtc)));
  const settings = await readSettings(flags, host, stored);
  const question = ask(flags, settings, defaults, context);
  const query = { range: question.range, filters: question.settings.filters };
  if (flags.dryRun) return dryRun(flags, settings, query, context);
  const talk = new Talk(flags, context);
  const observed = { ...context, observer: talk.observer };
  const service = await openService(flags, settings, observed, exported);
  try {
    talk.say(`Settlements ${describeRange(question.range)}`);
    if (exported) talk.say(exportHint(exported.folder));
    for (const warning of stored?.warnings ?? []) talk.warn(warning);
    // Lines that are printed as they come would tear a progress line on the same screen.
    if (target.format !== 'ndjson') await talk.startProgress();
    const run = reconcileRange({
      source: service.source,
      query,
      settings: question.settings,
      explains: flags.explain,
      ahead: settings.preferences.concurrency,
      onProgress: talk.onProgress,
    });
    const report = await withOutput(target.path, host.stdout, (write) =>
      writeReport(write, target, question, run, flags.by ?? 'settlement', talk, context),
    );
    const exitCode = exitCodeOfRun(report.run, flags.failOn);
    sayConclusion(settlementsConclusion(report), target, exitCode, talk);
    return exitCode;
  } finally {
    talk.stop();
    await service.close();
  }
}

function ask(
  flags: SettlementsFlags,
  settings: RunSettings,
  defaults: SourceDefaults | undefined,
  { clock }: Context,
): Question {
  const { profile, preferences } = settings;
  const { timeZone } = preferences;
  const filters = { ...defaults?.filters, ...filtersOf(flags) };
  return {
    range: resolveRange(flags, { now: clock.now(), timeZone, otherwise: defaults?.period }),
    settings: { profile, ...judgement(settings), filters },
    names: new Map([...(defaults?.names ?? []), ...preferences.names]),
    only: flags.only,
    flags: flagsToRepeat({ ...flags, ...defaults?.asked }),
  };
}

/** Writes the report as its format wants it: lines as they come, anything else at the end. */
async function writeReport(
  write: Write,
  { format, options }: Target,
  question: Question,
  run: Run,
  by: By,
  talk: Talk,
  { clock, signal }: Context,
): Promise<SettlementsReport> {
  const { names, only } = question;
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
  talk.stop();
  const report = { ...question, explanations, run: step.value };
  const texts =
    format === 'ndjson'
      ? renderNdjson(closingLines(report))
      : render(format, settlementsViews(report, by), options);
  await writeAll(write, texts);
  return report;
}
