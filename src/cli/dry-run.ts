import { planRun } from '../app/plan-run.ts';
import type { Settings } from '../config/settings.ts';
import type { SettlementQuery } from '../model/source.ts';
import { planViews } from '../report/dry-run/view.ts';
import type { Context } from './context.ts';
import { exitCodes } from './exit-codes.ts';
import { printReport } from './output.ts';
import { describeRange } from './range.ts';
import { withService } from './source.ts';
import { resolveTarget } from './target.ts';

/** `--dry-run`: says what a run over a range takes, and does nothing else. Returns the exit code. */
export async function dryRun(
  settings: Settings,
  query: SettlementQuery,
  context: Context,
): Promise<number> {
  const { range } = query;
  const target = resolveTarget(context);
  return withService(settings, ['settlements'], context, async ({ source }) => {
    context.messages.say(`Settlements ${describeRange(range)}`);
    const views = planViews({ range, plan: await planRun(source, query) });
    await printReport(target, views, context);
    return exitCodes.ok;
  });
}
