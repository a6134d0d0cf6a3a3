import type { Settlement } from '../model/settlement.ts';
import {
  deviation,
  type Identity,
  type IdentityFit,
  type IdentityName,
  identityNames,
} from './identity.ts';
import type { ReconciledSettlement, ReconcileSettings } from './reconciled.ts';
import { isWithin } from './subject.ts';

/** What the headers alone say of the identities. */
export interface IdentityFits {
  readonly fits: readonly IdentityFit[];
  /** The identities that hold on the most headers, where the chosen one holds on fewer. */
  readonly better: readonly IdentityName[];
}

/** Only settlements with both fees and tax can tell identities apart, and one may do so by chance. */
function canTellApart(headers: readonly Settlement[]): boolean {
  return headers.filter(({ fees, tax }) => fees !== 0n && tax !== 0n).length >= 2;
}

/** On how many of the headers each identity holds, by at most the tolerance. */
function fitsOf(headers: readonly Settlement[], tolerance: bigint): readonly IdentityFit[] {
  return identityNames.map((identity) => ({
    identity,
    settlements: headers.filter((one) => isWithin(tolerance, deviation(identity, one))).length,
  }));
}

/** Tries every identity on the headers, within the tolerance that the chosen one has. */
export function identityFits(
  headers: readonly Settlement[],
  { identity: chosen, tolerance }: { readonly identity: Identity; readonly tolerance: bigint },
): IdentityFits {
  const fits = fitsOf(headers, tolerance);
  const most = Math.max(...fits.map(({ settlements }) => settlements));
  const ofChosen = fits.find(({ identity }) => identity === chosen)?.settlements ?? most;
  const isBetter = most > ofChosen && canTellApart(headers);
  return {
    fits,
    better: isBetter
      ? fits.filter(({ settlements }) => settlements === most).map(({ identity }) => identity)
      : [],
  };
}

/**
 * The identities to suggest instead of the chosen one: those that hold, exactly, on every complete
 * settlement of the run, where the chosen one fails by more than the tolerance on one at least. Two
 * or more of the settlements must have both fees and tax: the others can't tell identities apart.
 */
export function betterIdentities(
  settlements: readonly ReconciledSettlement[],
  { identity: chosen, tolerance }: ReconcileSettings,
): readonly IdentityFit[] {
  const headers = settlements
    .filter(({ complete }) => complete)
    .map(({ settlement }) => settlement);
  const fails = fitsOf(headers, tolerance).some(
    (fit) => fit.identity === chosen && fit.settlements < headers.length,
  );
  if (!fails || !canTellApart(headers)) return [];
  return fitsOf(headers, 0n).filter((fit) => fit.settlements === headers.length);
}
