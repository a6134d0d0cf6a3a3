import { deviation, identityNames } from './identity.ts';
import type { BetterIdentity, ReconciledSettlement, ReconcileSettings } from './reconciled.ts';
import { isWithin } from './tolerance.ts';

/** One settlement proves little: its pay-in may fit a wrong identity by chance. */
const leastTelling = 2;

/**
 * The identities to suggest instead of the chosen one: those that hold, exactly, on every complete
 * settlement of the run, where the chosen one fails by more than the tolerance on one at least. Two
 * or more of the settlements must have both fees and tax: the others can't tell identities apart.
 */
export function betterIdentities(
  settlements: readonly ReconciledSettlement[],
  { identity: chosen, tolerance }: ReconcileSettings,
): readonly BetterIdentity[] {
  if (chosen === 'off') return [];
  const headers = settlements
    .filter(({ complete }) => complete)
    .map(({ settlement }) => settlement);
  const telling = headers.filter(({ fees, tax }) => fees !== 0n && tax !== 0n);
  const fails = headers.some((header) => !isWithin(tolerance, deviation(chosen, header)));
  if (!fails || telling.length < leastTelling) return [];
  return identityNames
    .filter((identity) => headers.every((header) => deviation(identity, header) === 0n))
    .map((identity) => ({ identity, settlements: headers.length }));
}
