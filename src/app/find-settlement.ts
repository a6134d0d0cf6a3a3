import { ReconError } from '../base/errors.ts';
import { isSameUuid } from '../base/uuid.ts';
import type { Source } from '../model/source.ts';
import { headerFindings } from '../reconcile/reconcile-run.ts';

/**
 * Looks a settlement up by its id: its header, all its contents (`conflicts`) where the service lists
 * several, and `findings` that leave it open whether it is right: a run that relies on it is
 * incomplete. Throws ReconError: `not_found` where the service returns nothing for it, since nothing
 * there is not the same as balanced.
 */
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
    throw new ReconError('service', `The header of settlement ${id} cannot be read.`, {
      where: `${fault.field}: found ${fault.found}`,
      hint: `Ask the service about that field: expected ${fault.expected}.`,
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
