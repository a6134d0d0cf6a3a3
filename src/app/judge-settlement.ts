import type { Source } from '../model/source.ts';
import { reconcileSettlement } from '../reconcile/reconcile-settlement.ts';
import type { ReconcileSettings } from '../reconcile/reconciled.ts';
import { asReported, type WhenReported } from '../reconcile/when-reported.ts';
import { findSettlement } from './find-settlement.ts';
import { readSettlement } from './read-settlements.ts';

/**
 * Reads one settlement by its id and reconciles it; `findings` leave its header open. Throws
 * ReconError if it cannot be found, or the run can't go on.
 */
export async function judgeSettlement(
  source: Source,
  id: string,
  settings: ReconcileSettings,
  whenReported?: WhenReported,
) {
  const { settlement, conflicts: headerConflicts, findings } = await findSettlement(source, id);
  const { rows, outcome } = await readSettlement(source, settlement, 0, () => {});
  const judged = reconcileSettlement({ settlement, rows, outcome, headerConflicts, settings });
  return { rows, outcome, reconciled: asReported(judged, whenReported), findings };
}
