import type { ReconciledSettlement } from '../reconcile/reconcile-settlement.ts';
import type { RowColumns } from '../reconcile/row-columns.ts';
import type { ReconcileSettings } from '../reconcile/subject.ts';
import { caseOf, type Evidence, type Neighbourhood } from './case.ts';
import { cause } from './cause.ts';
import { conclude, nothingSearched } from './conclude.ts';
import { deltaOf } from './delta.ts';
import type { Explained } from './explained.ts';
import { type Effort, mostRowsExplained } from './limits.ts';
import { search } from './search.ts';
import { SearchResults } from './search-results.ts';
import { isSame, noTally } from './tally.ts';

/** How a settlement is explained. */
export interface ExplainOptions extends Pick<ReconcileSettings, 'identity' | 'rules'> {
  /** `thorough` for one settlement, `quick` for each of a run. */
  readonly effort: Effort;
}

/** What was read beside the rows; or why they could not be read. */
interface ReadEvidence extends Neighbourhood {
  readonly outcome: Evidence['outcome'] | { readonly notRead: string };
}

/**
 * Says why a settlement's header differs from its rows, by its own data and the evidence given.
 * The order in which rows or neighbours are listed doesn't matter. Where nothing differs and the
 * service doesn't complain, there is nothing to say.
 */
export function explainDifference(
  settlement: ReconciledSettlement,
  rows: RowColumns,
  { outcome, ...around }: ReadEvidence,
  { identity, rules, effort }: ExplainOptions,
): Explained {
  const subject =
    'notRead' in outcome
      ? undefined
      : caseOf(settlement, rows, { ...around, outcome }, { identity, rules });
  if (subject === undefined) {
    return nothingSearched(settlement.scale, undefined, { reason: 'incomplete' });
  }
  if (rows.size > mostRowsExplained) {
    const size = { rows: rows.size, limit: mostRowsExplained, atOnce: 1 };
    return nothingSearched(subject.scale, deltaOf(identity, subject.target), {
      reason: 'too_many_rows',
      ...size,
    });
  }
  if (!isSame(subject.target, noTally)) return conclude(subject, search(subject, effort));
  const found = new SearchResults(subject);
  if (settlement.serviceSays === 'out_of_balance') {
    const { status } = settlement.settlement;
    found.explain([{ cause: cause('only_the_service', { status }), choices: 1, change: noTally }]);
  }
  return conclude(subject, found);
}
