import { ReconError } from '../base/errors.ts';
import { isSameUuid } from '../base/uuid.ts';
import type { Source } from '../model/source.ts';
import type { FeeCheck } from '../reconcile/agreed/check-fees.ts';
import { type AgeingAndAccepted, asReported, withNotices } from '../reconcile/as-reported.ts';
import { headerFindings } from '../reconcile/reconcile-run.ts';
import { reconcileSettlement } from '../reconcile/reconcile-settlement.ts';
import type { ReconcileSettings } from '../reconcile/subject.ts';
import { readSettlement } from './read-settlements.ts';

/** Finds a settlement by its id. Throws ReconError, `not_found` if the service returns nothing. */
export async function findSettlement(source: Source, id: string) {
  const list = await source.header(id);
  const { settlements, conflicts, unreadable, unsteady } = list;
  const settlement = settlements.find((one) => isSameUuid(one.id, id));
  if (settlement) {
    return {
      settlement,
      conflicts: conflicts.find(([first]) => first?.id === settlement.id),
      findings: headerFindings(list),
    };
  }
  const [fault] = unreadable;
  if (fault) {
    throw new ReconError('service', `Settlement ${id} cannot be read.`, {
      where: `${fault.field}: found ${fault.found}`,
      hint: 'Ask the service about that field.',
    });
  }
  if (unsteady !== undefined) {
    throw new ReconError('service', `Settlement ${id} may or may not exist.`, {
      hint: 'Try again. The service listed it differently each time.',
    });
  }
  throw new ReconError('not_found', `Settlement not found: ${id}.`, {
    hint:
      'Check the id and the profile (country and environment). It may be the id of a transaction, ' +
      'or of a charge: recon charge shows that.',
  });
}

/** Reads one settlement by its id and reconciles it. Throws ReconError if it cannot be found or read. */
export async function judgeSettlement(
  source: Source,
  id: string,
  settings: ReconcileSettings,
  ageingAndAccepted?: AgeingAndAccepted,
  fees?: FeeCheck,
) {
  const { settlement, conflicts: headerConflicts, findings } = await findSettlement(source, id);
  const hasRates = fees !== undefined;
  const { rows, outcome } = await readSettlement(source, settlement, 0, () => {}, hasRates);
  const judged = reconcileSettlement({ settlement, rows, outcome, headerConflicts, settings });
  const reported = asReported(judged, ageingAndAccepted);
  const reconciled = withNotices(reported, fees?.add(reported, rows));
  return { rows, outcome, reconciled, findings };
}
