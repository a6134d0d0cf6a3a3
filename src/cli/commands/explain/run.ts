import { explainSettlement, type SettlementExplanation } from '../../../app/explain-settlement.ts';
import { isAccepted } from '../../../reconcile/acceptance.ts';
import { runVerdict } from '../../../reconcile/verdict.ts';
import { explainFormats } from '../../../render/formats.ts';
import { renderers } from '../../../render/index.ts';
import { many } from '../../../report/common/phrase.ts';
import type { ExplainReport } from '../../../report/explain/report.ts';
import { explainConclusion } from '../../../report/explain/summary.ts';
import { explainViews } from '../../../report/explain/view.ts';
import { whenReported } from '../../accepted.ts';
import { type AnswersToIds, answersTo, tellFailures } from '../../answers.ts';
import { sayExported, whatIsAsked } from '../../asked.ts';
import type { Context } from '../../context.ts';
import { exitCodeOfRun } from '../../exit-codes.ts';
import { sayConclusion, sayOddAnswers, withOutput, writeAll } from '../../output.ts';
import { type LiveSource, type Opened, withService, withSource } from '../../source.ts';
import { resolveTarget } from '../../target.ts';

const neighbourDays = 3;

/** `recon explain`: reads settlements by their ids and says why they don't add up. */
export async function explainByIds(context: Context, ids: readonly string[]): Promise<number> {
  const { flags, host, messages, clock, signal } = context;
  const target = resolveTarget(context, { formats: explainFormats, piped: 'table' });
  const asked = await whatIsAsked(context);
  const { preferences, profile } = asked.settings;
  const reportedBy = await whenReported(asked, context);
  const explain = async ({ source }: Opened, charges?: LiveSource) => {
    const request = {
      source,
      settings: asked.judgement,
      whenReported: reportedBy,
      neighbourDays: flags.neighbours ?? neighbourDays,
      neighbourRows: flags.neighbourRows ?? false,
      charges,
      ahead: preferences.concurrency,
    };
    sayExported(asked, context);
    await messages.startProgress(`reading ${many(ids.length, 'settlement')}`);
    const { report, run } = await withOutput(target, host, async (write) => {
      const ask = (id: string) => explainSettlement(id, request);
      // One after the other: each is read with all the requests that may run at once.
      const answers = await answersTo({ of: 'settlement', ids, ahead: 1, ask }, context);
      // An interruption while the last one was explained is heard only now.
      await clock.sleep(0, signal);
      const run = runOf(answers);
      const report: ExplainReport = {
        settlements: answers.results,
        failures: answers.failures,
        verdict: run.verdict,
        settings: { ...asked.judgement, profile, filters: {} },
        names: asked.names,
        flags: asked.repeated,
      };
      await writeAll(write, renderers[target.format].report(explainViews(report), target.options));
      return { report, run };
    });
    const exitCode = exitCodeOfRun(run, flags.failOn);
    sayConclusion(explainConclusion(report), target, exitCode, messages);
    sayOddAnswers(source, messages);
    tellFailures(report.failures, context);
    return exitCode;
  };
  if (!flags.charges) return withSource(asked, context, explain);
  return withService(asked.settings, ['settlements', 'charges'], context, (live) =>
    explain(live, live.source),
  );
}

/** What is concluded of all of them: nothing where one of them is missing. */
function runOf({ results: settlements, failures }: AnswersToIds<SettlementExplanation>) {
  const reconciled = settlements.map((one) => one.reconciled);
  const findings = settlements.flatMap((one) => one.findings);
  const alarming = reconciled.filter((one) => !isAccepted(one));
  const verdicts = alarming.map(({ verdict }) => verdict);
  const missing = failures.length > 0 ? (['incomplete'] as const) : [];
  return { verdict: runVerdict([...verdicts, ...missing], findings), settlements: reconciled };
}
