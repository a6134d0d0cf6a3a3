import type { Identity } from '../reconcile/identity.ts';
import type { ReconciledSettlement } from '../reconcile/reconciled.ts';
import type { RowColumns } from '../reconcile/row-columns.ts';
import { type CauseCandidate, noRows } from './candidate.ts';
import { type Case, caseOf } from './case.ts';
import { cause } from './cause.ts';
import { conclude, nothingSearched } from './conclude.ts';
import { isNothing, noDelta } from './delta.ts';
import type { Neighbourhood, SettlementEvidence } from './evidence.ts';
import type { Explained } from './explained.ts';
import { type Effort, mostRowsExplained } from './limits.ts';
import { search } from './search.ts';
import { SearchResults } from './search-results.ts';

/** How a settlement is explained. */
export interface ExplainOptions {
  readonly identity: Identity;
  /** `thorough` for one settlement, `quick` for each of a run. */
  readonly effort: Effort;
}

/** What was read beside the rows; or why they could not be read. */
interface ReadEvidence extends Neighbourhood {
  readonly outcome: SettlementEvidence['outcome'] | { readonly notRead: string };
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
  { identity, effort }: ExplainOptions,
): Explained {
  const subject =
    'notRead' in outcome ? undefined : caseOf(settlement, rows, { ...around, outcome }, identity);
  if (subject === undefined) {
    return nothingSearched(settlement.scale, undefined, { reason: 'incomplete' });
  }
  if (rows.size > mostRowsExplained) {
    const size = { rows: rows.size, limit: mostRowsExplained, atOnce: 1 };
    return nothingSearched(subject.scale, subject.target, { reason: 'too_many_rows', ...size });
  }
  if (!isNothing(subject.target)) return conclude(subject, search(subject, effort));
  const found = new SearchResults(subject);
  if (settlement.serviceSays === 'out_of_balance') found.explain([onlyTheService(subject)]);
  return conclude(subject, found);
}

function onlyTheService({ settlement: { status } }: Case): CauseCandidate {
  return { cause: cause('only_the_service', { status }), free: 0, delta: noDelta, rows: noRows };
}
