import {
  type ExplainRequest,
  explainSettlement,
  type SettlementExplanation,
} from '../../app/explain-settlement.ts';
import { concernsOneSettlement } from '../../app/read-settlement.ts';
import { ReconError } from '../../base/errors.ts';
import { runVerdict } from '../../reconcile/verdict.ts';
import { explainFormats } from '../../render/formats.ts';
import { render } from '../../render/index.ts';
import { explainConclusion } from '../../report/conclusions.ts';
import type { ExplainFailure, ExplainReport } from '../../report/explain-report.ts';
import { explainViews } from '../../report/explain-views.ts';
import { many } from '../../report/phrase.ts';
import { sayConclusion } from '../conclusion.ts';
import type { Context } from '../context.ts';
import { exitCodeOfRun, type FailCondition } from '../exit-codes.ts';
import { exportedSettings, exportHint } from '../exported.ts';
import { failureText } from '../failure.ts';
import type { Host } from '../host.ts';
import { withOutput, writeAll } from '../output.ts';
import { flagsToRepeat } from '../repeat.ts';
import { openService, type ServiceFlags, sourceDefaults } from '../service.ts';
import { readSettings, type SettingFlags } from '../settings.ts';
import { Talk, type TalkFlags } from '../talk.ts';
import { resolveTarget, type TargetFlags } from '../target.ts';

export interface ExplainFlags extends SettingFlags, ServiceFlags, TargetFlags, TalkFlags {
  /** Days before and after. */
  readonly neighbours?: number;
  readonly neighbourRows?: true;
  readonly failOn?: readonly FailCondition[];
}

const neighbourDays = 3;

/** `recon explain`: reads settlements by their ids and says why they don't add up. */
export async function explain(
  ids: readonly string[],
  flags: ExplainFlags,
  context: Context,
): Promise<number> {
  const { host } = context;
  const target = resolveTarget(flags, host, { formats: explainFormats, piped: 'table' });
  const exported = await exportedSettings(flags);
  const settings = await readSettings(flags, host, exported);
  const defaults = await sourceDefaults(flags);
  const { identity, tolerance, ignore, names, concurrency } = settings.preferences;
  const asked = { identity, tolerance, ignored: ignore };
  const talk = new Talk(flags, context);
  const service = await openService(flags, settings, { ...context, observer: talk.observer });
  const request: ExplainRequest = {
    source: service.source,
    settings: asked,
    neighbourDays: flags.neighbours ?? neighbourDays,
    neighbourRows: flags.neighbourRows ?? false,
    ahead: concurrency,
  };
  try {
    if (flags.fromExport !== undefined) talk.say(exportHint(flags.fromExport));
    if (exported?.warning !== undefined) talk.warn(exported.warning);
    // A UUID is the same in capital and in small letters.
    const asWritten = [...new Map(ids.map((id) => [id.toLowerCase(), id])).values()];
    await talk.startProgress(`reading ${many(asWritten.length, 'settlement')}`);
    const { report, run } = await withOutput(target.path, host.stdout, async (write) => {
      const { settlements, failures } = await explainAll(asWritten, request, host);
      // An interruption while the last one was explained is heard only now.
      await context.clock.sleep(0, context.signal);
      talk.stop();
      const run = runOf(settlements, failures);
      const report: ExplainReport = {
        settlements,
        failures,
        verdict: run.verdict,
        settings: { ...asked, profile: settings.profile, filters: {} },
        names: new Map([...(defaults?.names ?? []), ...names]),
        flags: flagsToRepeat({ ...flags, ...defaults?.asked }),
      };
      await writeAll(write, render(target.format, explainViews(report), target.options));
      return { report, run };
    });
    const exitCode = exitCodeOfRun(run, flags.failOn ?? ['out-of-balance']);
    sayConclusion(explainConclusion(report), target, exitCode, talk);
    for (const { error } of report.failures) host.stderr.write(failureText(error, host));
    return exitCode;
  } finally {
    talk.stop();
    await service.close();
  }
}

interface Answers {
  readonly settlements: readonly SettlementExplanation[];
  readonly failures: readonly ExplainFailure[];
}

/**
 * One after the other: each is read with all the requests that may run at once. What fails is told
 * after the others; where nothing else is left, or the run can't go on, it is thrown.
 */
async function explainAll(
  ids: readonly string[],
  request: ExplainRequest,
  host: Host,
): Promise<Answers> {
  const settlements: SettlementExplanation[] = [];
  const failures: ExplainFailure[] = [];
  for (const settlementId of ids) {
    try {
      settlements.push(await explainSettlement(settlementId, request));
    } catch (error) {
      if (!concernsOneId(error)) throw error;
      failures.push({ settlementId, error });
    }
  }
  const [last, ...others] = failures.toReversed();
  if (last && settlements.length === 0) {
    for (const { error } of others.reverse()) host.stderr.write(failureText(error, host));
    throw last.error;
  }
  return { settlements, failures };
}

function concernsOneId(error: unknown): error is ReconError {
  return (
    concernsOneSettlement(error) || (error instanceof ReconError && error.failure === 'not_found')
  );
}

/** What is concluded of all of them: nothing where one of them is missing. */
function runOf(settlements: readonly SettlementExplanation[], failures: readonly ExplainFailure[]) {
  const reconciled = settlements.map((one) => one.reconciled);
  const findings = settlements.flatMap((one) => one.findings);
  const verdicts = reconciled.map(({ verdict }) => verdict);
  const missing = failures.length > 0 ? (['incomplete'] as const) : [];
  return { verdict: runVerdict([...verdicts, ...missing], findings), settlements: reconciled };
}
