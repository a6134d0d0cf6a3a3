import type { Settlement } from '../model/settlement.ts';
import type { ReconcileSettings } from './reconciled.ts';

/**
 * The equation between a settlement's pay-in and its gross, fees and tax. The document gives none
 * (doc 2.7), so it is a setting: gross, with fees and tax each subtracted, added or absent.
 */
export const identityNames = [
  'gross-fees-tax',
  'gross-fees+tax',
  'gross-fees',
  'gross+fees-tax',
  'gross+fees+tax',
  'gross+fees',
  'gross-tax',
  'gross+tax',
  'gross',
] as const;

export type IdentityName = (typeof identityNames)[number];

/** `off`: nothing links the pay-in to the other amounts. */
export type Identity = IdentityName | 'off';

/** What the setting `identity` takes; the first is the default. */
export const identities = [...identityNames, 'off'] as const satisfies readonly Identity[];

/** The pay-in that the identity gives, as its name says; all amounts in minor units at one scale. */
export function payInOf(identity: IdentityName, gross: bigint, fees: bigint, tax: bigint): bigint {
  const signed = (name: 'fees' | 'tax', amount: bigint) => {
    if (identity.includes(`+${name}`)) return amount;
    return identity.includes(`-${name}`) ? -amount : 0n;
  };
  return gross + signed('fees', fees) + signed('tax', tax);
}

/**
 * Reported − computed, by which a header contradicts itself, at its own scale; 0 where no identity
 * links its amounts.
 */
export function deviation(
  identity: Identity,
  { payIn, gross, fees, tax }: Pick<Settlement, 'payIn' | 'gross' | 'fees' | 'tax'>,
): bigint {
  return identity === 'off' ? 0n : payIn - payInOf(identity, gross, fees, tax);
}

/** Whether an amount is at most the tolerance, up or down. */
export function isWithin(tolerance: bigint, difference: bigint): boolean {
  return -tolerance <= difference && difference <= tolerance;
}

/** On how many settlements an identity holds. */
export interface IdentityFit {
  readonly identity: IdentityName;
  readonly settlements: number;
}

/** The identity that was chosen, and by how many minor units of each header it may fail. */
type Chosen = Pick<ReconcileSettings, 'identity' | 'tolerance'>;

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

/**
 * Tries every identity on the headers, within the tolerance that the chosen one has. `better`: those
 * that hold on the most headers, where the chosen one holds on fewer.
 */
export function identityFits(
  headers: readonly Settlement[],
  { identity: chosen, tolerance }: Chosen,
) {
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
  settlements: readonly { readonly settlement: Settlement; readonly complete: boolean }[],
  { identity: chosen, tolerance }: Chosen,
): readonly IdentityFit[] {
  const headers = settlements.flatMap(({ complete, settlement }) => (complete ? settlement : []));
  const fails = fitsOf(headers, tolerance).some(
    (fit) => fit.identity === chosen && fit.settlements < headers.length,
  );
  if (!fails || !canTellApart(headers)) return [];
  return fitsOf(headers, 0n).filter((fit) => fit.settlements === headers.length);
}
