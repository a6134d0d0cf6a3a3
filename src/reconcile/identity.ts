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
