import { planRun } from '../app/plan-run.ts';
import type { Settings } from '../config/settings.ts';
import type { SettlementQuery } from '../model/source.ts';
import { planViews } from '../report/dry-run/view.ts';
import type { Context } from './context.ts';
import { exitCodes } from './exit-codes.ts';
import { printReport } from './print-report.ts';
import { describeRange } from './range.ts';
import { openLiveService, type ServiceContext, type ServiceFlags, withSource } from './source.ts';
import { resolveTarget, type TargetFlags } from './target.ts';

/** `--dry-run`: says what a run over a range takes, and does nothing else. Returns the exit code. */
export async function dryRun(
  flags: ServiceFlags & TargetFlags,
  settings: Settings,
  query: SettlementQuery,
  context: Context,
): Promise<number> {
  const { host } = context;
  const { range } = query;
  const target = resolveTarget(flags, host);
  const open = (given: ServiceContext) => openLiveService(flags, settings, given, ['settlements']);
  return withSource(flags, context, open, async ({ source }, messages) => {
    messages.say(`Settlements ${describeRange(range)}`);
    const views = planViews({ range, plan: await planRun(source, query) });
    await printReport(target, views, host);
    return exitCodes.ok;
  });
}
