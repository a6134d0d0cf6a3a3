import { identityFits } from '../../reconcile/identity-fits.ts';
import type { Check } from '../check.ts';
import { type Evidence, seenSettlements } from '../evidence.ts';

/** On how many settlements each identity holds, by their headers alone. */
export function judgeIdentity(evidence: Evidence): Check<'identity'> | undefined {
  const settlements = seenSettlements(evidence);
  if (settlements.length === 0) return undefined;
  const { setup } = evidence;
  const { identity: chosen, profile = null } = setup;
  const { fits, better } = identityFits(settlements, setup);
  const fit = fits.find(({ identity }) => identity === chosen);
  const isWrong = better.length > 0 || fit?.settlements === 0;
  return {
    check: 'identity',
    level: isWrong ? 'warning' : 'ok',
    facts: { chosen, profile, settlements: settlements.length, fits, better },
  };
}
