import type { Settlement } from '../model/settlement.ts';

/**
 * The equations between a settlement's pay-in and its gross, fees and tax. The document gives none (doc
 * 2.7), so it is a setting: gross, with fees and tax each subtracted, added or left out.
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

/** `off`: the pay-in is not compared with the other amounts. */
export type Identity = IdentityName | 'off';

/** The values of the setting `identity`; the first is the default. */
export const identities = [...identityNames, 'off'] as const satisfies readonly Identity[];

/** The pay-in by an identity; all amounts in minor units at one scale. */
export function payInOf(identity: IdentityName, gross: bigint, fees: bigint, tax: bigint): bigint {
  const signed = (name: 'fees' | 'tax', amount: bigint) => {
    if (identity.includes(`+${name}`)) return amount;
    return identity.includes(`-${name}`) ? -amount : 0n;
  };
  return gross + signed('fees', fees) + signed('tax', tax);
}

type Header = Pick<Settlement, 'payIn' | 'gross' | 'fees' | 'tax'>;

/** Whether a header states all amounts from which the pay-in follows, so it can contradict itself. */
export function statesParts(identity: Identity, { gross, fees, tax }: Omit<Header, 'payIn'>) {
  const isStated = (name: 'fees' | 'tax', minor: bigint | undefined) =>
    minor !== undefined || !identity.includes(name);
  return gross !== undefined && isStated('fees', fees) && isStated('tax', tax);
}

/** Reported − computed pay-in of a header alone, at its scale; 0 without an identity or without its parts. */
export function deviation(identity: Identity, { payIn, ...parts }: Header): bigint {
  if (identity === 'off' || !statesParts(identity, parts)) return 0n;
  const { gross = 0n, fees = 0n, tax = 0n } = parts;
  return payIn - payInOf(identity, gross, fees, tax);
}

/** Whether the magnitude of a difference is at most the tolerance. */
export function isWithin(tolerance: bigint, difference: bigint): boolean {
  return -tolerance <= difference && difference <= tolerance;
}

export interface IdentityFit {
  readonly identity: IdentityName;
  readonly settlements: number;
}

/** The chosen identity, and its tolerance in minor units of each header. */
interface Chosen {
  readonly identity: Identity;
  readonly tolerance: bigint;
}

/** Only settlements with fees and tax distinguish identities, and one alone may do so by chance. */
function areDistinguishable(headers: readonly Settlement[]): boolean {
  return headers.filter(({ fees, tax }) => fees !== 0n && tax !== 0n).length >= 2;
}

function fitsOf(headers: readonly Settlement[], tolerance: bigint): readonly IdentityFit[] {
  return identityNames.map((identity) => ({
    identity,
    settlements: headers.filter((one) => isWithin(tolerance, deviation(identity, one))).length,
  }));
}

/** How many headers each identity fits. `better`: if another fits more than the chosen one. */
export function identityFits(
  listed: readonly Settlement[],
  { identity: chosen, tolerance }: Chosen,
) {
  const headers = listed.filter((one) => statesParts(chosen, one));
  const fits = fitsOf(headers, tolerance);
  const most = Math.max(...fits.map(({ settlements }) => settlements));
  const ofChosen = fits.find(({ identity }) => identity === chosen)?.settlements ?? most;
  const isBetter = most > ofChosen && areDistinguishable(headers);
  return {
    fits,
    better: isBetter
      ? fits.filter(({ settlements }) => settlements === most).map(({ identity }) => identity)
      : [],
  };
}

/** If the chosen identity fails on any settlement: those that hold exactly on all complete ones. */
export function betterIdentities(
  settlements: readonly { readonly settlement: Settlement; readonly complete: boolean }[],
  { identity: chosen, tolerance }: Chosen,
): readonly IdentityFit[] {
  const headers = settlements.flatMap(({ complete, settlement }) =>
    complete && statesParts(chosen, settlement) ? settlement : [],
  );
  const fails = fitsOf(headers, tolerance).some(
    (fit) => fit.identity === chosen && fit.settlements < headers.length,
  );
  if (!fails || !areDistinguishable(headers)) return [];
  return fitsOf(headers, 0n).filter((fit) => fit.settlements === headers.length);
}
