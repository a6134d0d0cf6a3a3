import { planRun } from '../app/plan-run.ts';
import type { SettlementQuery } from '../model/source.ts';
import { render } from '../render/index.ts';
import { planViews } from '../report/plan-views.ts';
import { exitCodes } from './exit-codes.ts';
import type { Host } from './host.ts';
import { withOutput, writeAll } from './output.ts';
import type { Service } from './service.ts';
import type { Target } from './target.ts';

/** `--dry-run`: says what a run over the range takes, and does nothing else. Returns the exit code. */
export async function dryRun(
  { source }: Service,
  query: SettlementQuery,
  target: Target,
  { stdout }: Host,
): Promise<number> {
  const plan = await planRun(source, query);
  const views = planViews({ range: query.range, plan });
  await withOutput(target.path, stdout, (write) =>
    writeAll(write, render(target.format, views, target.options)),
  );
  return exitCodes.ok;
}
