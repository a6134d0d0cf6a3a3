import { explainSettlement } from '../../app/explain-settlement.ts';
import { runVerdict } from '../../reconcile/verdict.ts';
import { explainFormats } from '../../render/formats.ts';
import { render } from '../../render/index.ts';
import { explainViews } from '../../report/explain-views.ts';
import type { Context } from '../context.ts';
import { exitCodeOfRun, type FailCondition } from '../exit-codes.ts';
import { withOutput, writeAll } from '../output.ts';
import { flagsToRepeat } from '../repeat.ts';
import { openService, type ServiceFlags, sandboxDefaults } from '../service.ts';
import { readSettings, type SettingFlags } from '../settings.ts';
import { Talk, type TalkFlags } from '../talk.ts';
import { resolveTarget, type TargetFlags } from '../target.ts';

export interface ExplainFlags extends SettingFlags, ServiceFlags, TargetFlags, TalkFlags {
  /** Days before and after. */
  readonly neighbours?: number;
  readonly neighbourRows?: true;
  /** Read the charges of rows that an explanation names. */
  readonly charges?: true;
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
  const settings = await readSettings(flags, host);
  const defaults = await sandboxDefaults(flags);
  const { identity, tolerance, ignore, names, concurrency } = settings.preferences;
  const asked = { identity, tolerance, ignored: ignore };
  const talk = new Talk(flags, context);
  const observed = { ...context, observer: talk.observer };
  const uses = ['settlements', ...(flags.charges ? (['charges'] as const) : [])] as const;
  const service = await openService(flags, settings, observed, uses);
  const request = {
    source: service.source,
    settings: asked,
    neighbourDays: flags.neighbours ?? neighbourDays,
    neighbourRows: flags.neighbourRows ?? false,
    charges: flags.charges && service.source,
    ahead: concurrency,
  };
  try {
    return await withOutput(target.path, host.stdout, async (write) => {
      const settlements = [];
      // One after the other: each is read with all the requests that may run at once.
      for (const id of new Set(ids)) settlements.push(await explainSettlement(id, request));
      const reconciled = settlements.map((one) => one.reconciled);
      const verdicts = reconciled.map((one) => one.verdict);
      const run = { verdict: runVerdict(verdicts, []), settlements: reconciled };
      const views = explainViews({
        settlements,
        verdict: run.verdict,
        settings: { ...asked, profile: settings.profile, filters: {} },
        names: new Map([...(defaults?.names ?? []), ...names]),
        flags: flagsToRepeat(flags),
      });
      await writeAll(write, render(target.format, views, target.options));
      return exitCodeOfRun(run, flags.failOn ?? ['out-of-balance']);
    });
  } finally {
    await service.close();
  }
}
