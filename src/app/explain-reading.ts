import type { Neighbourhood } from '../explain/evidence.ts';
import { explain } from '../explain/explain.ts';
import type { Explained } from '../explain/explained.ts';
import type { Effort } from '../explain/limits.ts';
import type { ReconciledSettlement, ReconcileSettings } from '../reconcile/reconciled.ts';
import type { SettlementReading } from './read-settlement.ts';

/** Explains a settlement from what was read of it, and from what is around it where that is given. */
export function explainReading(
  reconciled: ReconciledSettlement,
  { rows, outcome }: SettlementReading,
  { identity }: ReconcileSettings,
  effort: Effort,
  around: Neighbourhood = {},
): Explained {
  const listed = 'notRead' in outcome ? { repeated: [], conflicts: [] } : outcome;
  return explain(reconciled, rows, { outcome: listed, ...around }, { identity, effort });
}
