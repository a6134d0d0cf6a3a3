import type { Settlement } from '../model/settlement.ts';

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

/** On how many settlements an identity holds. */
export interface IdentityFit {
  readonly identity: IdentityName;
  readonly settlements: number;
}

/** `off`: nothing links the pay-in to the other amounts. */
export type Identity = IdentityName | 'off';

/** What the setting `identity` takes; the first is the default. */
export const identities = [...identityNames, 'off'] as const satisfies readonly Identity[];

const signs: Readonly<Record<IdentityName, { readonly fees: bigint; readonly tax: bigint }>> = {
  'gross-fees-tax': { fees: -1n, tax: -1n },
  'gross-fees+tax': { fees: -1n, tax: 1n },
  'gross-fees': { fees: -1n, tax: 0n },
  'gross+fees-tax': { fees: 1n, tax: -1n },
  'gross+fees+tax': { fees: 1n, tax: 1n },
  'gross+fees': { fees: 1n, tax: 0n },
  'gross-tax': { fees: 0n, tax: -1n },
  'gross+tax': { fees: 0n, tax: 1n },
  gross: { fees: 0n, tax: 0n },
};

/** The pay-in that the identity gives; all amounts in minor units at one scale. */
export function payInOf(identity: IdentityName, gross: bigint, fees: bigint, tax: bigint): bigint {
  const sign = signs[identity];
  return gross + sign.fees * fees + sign.tax * tax;
}

/** Reported − computed, by which a header contradicts itself; at its own scale, as tolerances are. */
export function deviation(
  identity: IdentityName,
  { payIn, gross, fees, tax }: Pick<Settlement, 'payIn' | 'gross' | 'fees' | 'tax'>,
): bigint {
  return payIn - payInOf(identity, gross, fees, tax);
}
