import { planRun } from '../app/plan-run.ts';
import type { Settings } from '../config/settings.ts';
import type { SettlementQuery } from '../model/source.ts';
import { render } from '../render/index.ts';
import { planViews } from '../report/dry-run/view.ts';
import type { Context } from './context.ts';
import { exitCodes } from './exit-codes.ts';
import { withOutput, writeAll } from './output.ts';
import { describeRange } from './range.ts';
import { openLiveService, type ServiceFlags } from './service.ts';
import { Talk, type TalkFlags } from './talk.ts';
import { resolveTarget, type TargetFlags } from './target.ts';

/** `--dry-run`: says what a run over a range takes, and does nothing else. Returns the exit code. */
export async function dryRun(
  flags: ServiceFlags & TargetFlags & TalkFlags,
  settings: Settings,
  query: SettlementQuery,
  context: Context,
): Promise<number> {
  const { host } = context;
  const { range } = query;
  const { format, path, options } = resolveTarget(flags, host);
  const talk = new Talk(flags, context);
  const given = { ...context, observer: talk.observer };
  const service = await openLiveService(flags, settings, given, ['settlements']);
  try {
    talk.say(`Settlements ${describeRange(range)}`);
    const views = planViews({ range, plan: await planRun(service.source, query) });
    await withOutput(path, host.stdout, (write) => writeAll(write, render(format, views, options)));
    return exitCodes.ok;
  } finally {
    await service.close();
  }
}
