import type { ReconciledRun } from '../reconcile/reconcile-run.ts';
import type { Closing } from './close-range.ts';
import type { CloseReport } from './close-report.ts';
import { matchSeveral } from './match-several.ts';

interface ReadProfile {
  readonly profile: string;
  readonly closing: Closing;
  readonly run: ReconciledRun;
}

/**
 * Judges the closes of several profiles, in order, whose pay-outs are on the same statements: each by its own books, and
 * the bank accounts over all of them. At least one must be given.
 */
export async function judgeSeveral(
  profiles: readonly ReadProfile[],
): Promise<readonly CloseReport[]> {
  const matchers = await Promise.all(
    profiles.map(async ({ profile, closing }) => ({ profile, match: await closing.matcher() })),
  );
  const { whole } = matchSeveral(matchers);
  const cleared = profiles.flatMap(({ closing, run }, at) => {
    const bank = whole[at];
    return bank ? { closing, own: closing.clear(run, bank) } : [];
  });
  const all = cleared.map(({ own }) => own);
  return cleared.map(({ closing, own }) => closing.report(own, all));
}
