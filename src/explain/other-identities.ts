import { type Identity, type IdentityName, identityNames, payInOf } from '../reconcile/identity.ts';
import { type Amounts, payInFrom } from './delta.ts';

/**
 * The identities beside the chosen one, each with what it adds to the pay-in of these amounts.
 * None where nothing is assumed of the pay-in.
 */
export function otherIdentities(
  chosen: Identity,
  amounts: Amounts,
): readonly { readonly name: IdentityName; readonly payIn: bigint }[] {
  if (chosen === 'off') return [];
  const { gross, fees, tax } = amounts;
  const expected = payInFrom(chosen, amounts);
  return identityNames
    .filter((name) => name !== chosen)
    .map((name) => ({ name, payIn: payInOf(name, gross, fees, tax) - expected }));
}
