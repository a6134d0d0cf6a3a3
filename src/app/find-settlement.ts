import { ReconError } from '../base/errors.ts';
import { isSameUuid } from '../base/uuid.ts';
import type { Settlement } from '../model/settlement.ts';
import type { Source } from '../model/source.ts';
import type { Entry } from '../reconcile/entry.ts';
import { headerFindings } from '../reconcile/reconcile-run.ts';

/** A settlement found by its id, with all its contents where the service lists several. */
export interface FoundSettlement {
  readonly settlement: Settlement;
  readonly conflicts: readonly Settlement[] | undefined;
  /** What leaves it open whether the header is right: a run that relies on it is incomplete. */
  readonly findings: readonly Entry[];
}

/**
 * Looks a settlement up by its id. Throws ReconError: `not_found` where the service returns nothing
 * for it, since nothing there is not the same as balanced.
 */
export async function findSettlement(source: Source, id: string): Promise<FoundSettlement> {
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
  const fault = unreadable[0];
  throw fault
    ? new ReconError('service', `The header of settlement ${id} cannot be read.`, {
        where: `${fault.field}: found ${fault.found}`,
        hint: `Ask the service about that field: expected ${fault.expected}.`,
      })
    : notFound(id, unsteady !== undefined);
}

function notFound(id: string, isUnsteady: boolean): ReconError {
  return isUnsteady
    ? new ReconError('service', `Settlement ${id} may or may not exist.`, {
        hint: 'Try again. The service listed it differently each time.',
      })
    : new ReconError('not_found', `Settlement not found: ${id}.`, {
        hint: 'Check the id and the profile (country and environment).',
      });
}
