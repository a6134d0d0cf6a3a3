import type { Settlement } from '../model/settlement.ts';
import { deviation, type Identity, type IdentityName, identityNames } from './identity.ts';
import { isWithin } from './tolerance.ts';

/** On how many settlements an identity holds. */
export interface IdentityFit {
  readonly identity: IdentityName;
  readonly settlements: number;
}

/** What the headers alone say of the identities. */
export interface IdentityFits {
  readonly fits: readonly IdentityFit[];
  /** Those that hold on the most, where the chosen one holds on fewer. */
  readonly better: readonly IdentityName[];
}

/** Only settlements with both fees and tax can tell identities apart, and one may do so by chance. */
const leastTelling = 2;

/** Tries every identity on the headers, within the tolerance that the chosen one has. */
export function identityFits(
  headers: readonly Settlement[],
  { identity: chosen, tolerance }: { readonly identity: Identity; readonly tolerance: bigint },
): IdentityFits {
  const fits = identityNames.map((identity) => ({
    identity,
    settlements: headers.filter((one) => isWithin(tolerance, deviation(identity, one))).length,
  }));
  const most = Math.max(...fits.map(({ settlements }) => settlements));
  const ofChosen = fits.find(({ identity }) => identity === chosen)?.settlements ?? most;
  const telling = headers.filter(({ fees, tax }) => fees !== 0n && tax !== 0n);
  const isBetter = most > ofChosen && telling.length >= leastTelling;
  return {
    fits,
    better: isBetter
      ? fits.filter(({ settlements }) => settlements === most).map(({ identity }) => identity)
      : [],
  };
}
