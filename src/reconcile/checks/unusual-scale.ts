import { entry } from '../entry.ts';
import { unusualScaleOf } from '../unusual-scales.ts';
import type { Check } from './check.ts';

/**
 * `unusual_scale`: the header's decimal places are not its currency's own, so that all its amounts
 * may be wrong by a power of ten. They are kept as they came. Rows that differ from the header are
 * the check `scale`.
 */
export const unusualScale: Check = ({ settlement, settings: { expectedScales } }) => {
  const facts = unusualScaleOf(settlement, expectedScales);
  return facts === undefined ? [] : [entry('unusual_scale', 1, facts)];
};
