import type { ReconciledSettlement } from '../reconcile/reconcile-settlement.ts';
import { RowColumns } from '../reconcile/row-columns.ts';
import type { ReconcileSettings } from '../reconcile/subject.ts';
import { caseOf, type Evidence, type Neighbour, type Neighbourhood } from './case.ts';
import { cause } from './cause.ts';
import { conclude, nothingSearched, standingOf } from './conclude.ts';
import { type Explained, explanationsOf } from './explained.ts';
import { carriedOver } from './hypotheses/neighbours.ts';
import { balancedByOthers } from './hypotheses/several-neighbours.ts';
import { type Effort, mostRowsExplained } from './limits.ts';
import { search } from './search.ts';
import { SearchResults } from './search-results.ts';
import { bothSidesOf } from './sides.ts';
import { deltaOf, isNothing, isSame, noTally } from './tally.ts';

interface ExplainOptions extends Pick<ReconcileSettings, 'identity' | 'rules'> {
  /** `thorough` for one settlement, `quick` for each of a run. */
  readonly effort: Effort;
}

interface ReadEvidence extends Neighbourhood {
  readonly outcome: Evidence['outcome'] | { readonly notRead: string };
}

/** Says why a settlement's header differs from its rows. The order of rows and neighbours does not matter. */
export function explainDifference(
  settlement: ReconciledSettlement,
  rows: RowColumns,
  { outcome, ...around }: ReadEvidence,
  { identity, rules, effort }: ExplainOptions,
): Explained {
  const evidence = 'notRead' in outcome ? undefined : { ...around, outcome };
  const subject = evidence && caseOf(settlement, rows, evidence, { identity, rules });
  if (subject === undefined) {
    return nothingSearched(settlement.scale, undefined, { reason: 'incomplete' });
  }
  if (rows.size > mostRowsExplained) {
    const size = { rows: rows.size, limit: mostRowsExplained, atOnce: 1 };
    const target = deltaOf(identity, subject.target);
    return nothingSearched(subject.scale, target, { reason: 'too_many_rows', ...size });
  }
  if (!isSame(subject.target, noTally)) return conclude(subject, search(subject, effort));
  const found = new SearchResults(subject);
  if (settlement.serviceSays === 'out_of_balance') {
    const { status } = settlement.settlement;
    found.explain([{ cause: cause('only_the_service', { status }), choices: 1, change: noTally }]);
  }
  return conclude(subject, found);
}

/** Whether something differs, and what is around the settlement may yet say why, or say it better. */
export function isOpen({ target, certainty }: Explained): boolean {
  return target !== undefined && !isNothing(target) && certainty !== 'certain';
}

/** Ranks those that make up for a settlement with what was found before; its own rows are no longer needed. */
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
