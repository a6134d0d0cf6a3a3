import type { ReconciledSettlement } from '../reconcile/reconcile-settlement.ts';
import { RowColumns } from '../reconcile/row-columns.ts';
import type { ReconcileSettings } from '../reconcile/subject.ts';
import { caseOf, type Neighbour } from './case.ts';
import { standingOf } from './certainty.ts';
import { conclude } from './conclude.ts';
import { isNothing } from './delta.ts';
import { type Explained, explanationsOf } from './explained.ts';
import { carriedOver } from './hypotheses/neighbours.ts';
import { balancedByOthers } from './hypotheses/several-neighbours.ts';
import { SearchResults } from './search-results.ts';
import { bothSidesOf } from './sides.ts';

/** Whether something differs, and what is around the settlement may yet say why, or say it better. */
export function isOpen({ target, certainty }: Explained): boolean {
  return target !== undefined && !isNothing(target) && certainty !== 'certain';
}

/**
 * What explains a settlement, now that the differences of others of its run are known, its own rows
 * no longer being needed: those that make up for it are ranked with what was found before.
 */
export function withCounterparts(
  explained: Explained,
  settled: ReconciledSettlement,
  neighbours: readonly Neighbour[],
  settings: Pick<ReconcileSettings, 'identity' | 'rules'>,
): Explained {
  const outcome = { repeated: [], conflicts: [] };
  const subject = caseOf(settled, new RowColumns(), { neighbours, outcome }, settings);
  if (subject === undefined) return explained;
  const found = new SearchResults(subject);
  for (const { candidates } of [carriedOver, balancedByOthers]) {
    for (const candidate of candidates(bothSidesOf(subject))) found.try(candidate);
  }
  const counterparts = explanationsOf(conclude(subject, found), 'explains');
  if (counterparts.length === 0) return explained;
  const complete = [...explanationsOf(explained, 'explains'), ...counterparts].sort(
    (a, b) => a.bits - b.bits,
  );
  const others = explained.hypotheses.filter(
    ({ outcome, codes: [code] }) => outcome !== 'explains' && code !== 'neighbour',
  );
  return {
    ...explained,
    hypotheses: [...complete, ...others],
    ...standingOf(explained.bitsOfUnknown, complete),
    residual: complete[0]?.residual,
  };
}
