import { unusualScales } from '../../reconcile/unusual-scales.ts';
import type { Check } from '../check.ts';
import { type Evidence, seenSettlements } from '../evidence.ts';

/** Whether amounts have the decimal places of their currency, by the headers alone. */
export function judgeScales(evidence: Evidence): Check<'scales'> | undefined {
  const settlements = seenSettlements(evidence);
  if (settlements.length === 0) return undefined;
  const { expectedScales, profile = null } = evidence.setup;
  const unusual = unusualScales(settlements, expectedScales);
  return {
    check: 'scales',
    level: unusual.length > 0 ? 'warning' : 'ok',
    facts: { settlements: settlements.length, unusual, profile },
  };
}
