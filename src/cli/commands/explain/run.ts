import {
  type ExplainRequest,
  explainSettlement,
  type SettlementExplanation,
} from '../../../app/explain-settlement.ts';
import type { ChargeSource } from '../../../model/charge.ts';
import { runVerdict } from '../../../reconcile/verdict.ts';
import { explainFormats } from '../../../render/formats.ts';
import { renderers } from '../../../render/index.ts';
import { many } from '../../../report/common/phrase.ts';
import type { ExplainReport } from '../../../report/explain/report.ts';
import { explainConclusion } from '../../../report/explain/summary.ts';
import { explainViews } from '../../../report/explain/view.ts';
import { type AnswersToIds, answersTo, tellFailures } from '../../answers.ts';
import { flagsToRepeat, sayExported, whatIsAsked } from '../../asked.ts';
import type { Context } from '../../context.ts';
import { exitCodeOfRun, type FailOn } from '../../exit-codes.ts';
import { withOutput, writeAll } from '../../output.ts';
import { sayConclusion, sayOddAnswers } from '../../print-report.ts';
import {
  openLiveService,
  openSource,
  type Service,
  type ServiceContext,
  type ServiceFlags,
  withSource,
} from '../../source.ts';
import { resolveTarget, type TargetFlags } from '../../target.ts';

export interface ExplainFlags extends ServiceFlags, TargetFlags {
  /** Days before and after. */
  readonly neighbours?: number;
  readonly neighbourRows?: true;
  /** Read the charges of rows that an explanation names. */
  readonly charges?: true;
  readonly failOn?: readonly FailOn[];
}

const neighbourDays = 3;

/** `recon explain`: reads settlements by their ids and says why they don't add up. */
export async function explainByIds(
  ids: readonly string[],
  flags: ExplainFlags,
  context: Context,
): Promise<number> {
  const { host } = context;
  const target = resolveTarget(flags, host, { formats: explainFormats, piped: 'table' });
  const asked = await whatIsAsked(flags, context);
  const { preferences, profile } = asked.settings;
  const open = async (
    given: ServiceContext,
  ): Promise<Service & { readonly charges?: ChargeSource }> => {
    if (!flags.charges) return openSource(flags, asked, given);
    const live = await openLiveService(flags, asked.settings, given, ['settlements', 'charges']);
    return { ...live, charges: live.source };
  };
  return withSource(flags, context, open, async ({ source, charges }, messages) => {
    const request: ExplainRequest = {
      source,
      settings: asked.judgement,
      neighbourDays: flags.neighbours ?? neighbourDays,
      neighbourRows: flags.neighbourRows ?? false,
      charges,
      ahead: preferences.concurrency,
    };
    sayExported(asked, messages);
    await messages.startProgress(`reading ${many(ids.length, 'settlement')}`);
    const { report, run } = await withOutput(target.path, host.stdout, async (write) => {
      const ask = (id: string) => explainSettlement(id, request);
      // One after the other: each is read with all the requests that may run at once.
      const answers = await answersTo({ of: 'settlement', ids, ahead: 1, ask }, messages, host);
      // An interruption while the last one was explained is heard only now.
      await context.clock.sleep(0, context.signal);
      const run = runOf(answers);
      const report: ExplainReport = {
        settlements: answers.results,
        failures: answers.failures,
        verdict: run.verdict,
        settings: { ...asked.judgement, profile, filters: {} },
        names: asked.names,
        flags: flagsToRepeat(asked.repeated),
      };
      await writeAll(write, renderers[target.format].report(explainViews(report), target.options));
      return { report, run };
    });
    const exitCode = exitCodeOfRun(run, flags.failOn);
    sayConclusion(explainConclusion(report), target, exitCode, messages);
    sayOddAnswers(source, messages);
    tellFailures(report.failures, host);
    return exitCode;
  });
}

/** What is concluded of all of them: nothing where one of them is missing. */
function runOf({ results: settlements, failures }: AnswersToIds<SettlementExplanation>) {
  const reconciled = settlements.map((one) => one.reconciled);
  const findings = settlements.flatMap((one) => one.findings);
  const verdicts = reconciled.map(({ verdict }) => verdict);
  const missing = failures.length > 0 ? (['incomplete'] as const) : [];
  return { verdict: runVerdict([...verdicts, ...missing], findings), settlements: reconciled };
}
