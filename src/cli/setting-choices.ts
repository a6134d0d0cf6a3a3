import { type Code, weights } from '../reconcile/entry.ts';
import { type Identity, identityNames } from '../reconcile/identity.ts';

const codes: readonly string[] = Object.keys(weights);

/** What `--identity` takes; the first is the default. */
export const identities: readonly [Identity, ...Identity[]] = [...identityNames, 'off'];

/** The checks that can be switched off. */
export const ignorableChecks: readonly Code[] = codes
  .filter((code): code is Code => code in weights)
  .filter((code) => weights[code] === 'discrepancy');
