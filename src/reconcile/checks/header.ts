import { entry } from '../entry.ts';
import type { Check } from '../subject.ts';
import { unusualScaleOf } from '../unusual-scales.ts';
import { serviceSays } from '../verdict.ts';

/** `reported_by_service`: the service itself says that the settlement is out of balance. */
export const reportedByService: Check = ({ settlement: { status } }) =>
  serviceSays(status) === 'out_of_balance' ? [entry('reported_by_service', 1, { status })] : [];

/**
 * `unusual_scale`: the header's decimal places are not its currency's own, so that all its amounts
 * may be wrong by a power of ten. They are kept as they came. Rows that differ from the header are
 * the check `scale`.
 */
export const unusualScale: Check = ({ settlement, settings: { expectedScales } }) => {
  const facts = unusualScaleOf(settlement, expectedScales);
  return facts === undefined ? [] : [entry('unusual_scale', 1, facts)];
};

/**
 * `outside_range`: the date as written lies outside the range asked for. The range is the service's
 * own notion of the day (doc 4.3 doesn't name a zone), so the settlement stays.
 */
export const outsideRange: Check = ({ settlement: { date }, range }) =>
  range !== undefined && (date < range.from || date > range.to)
    ? [entry('outside_range', 1, { date, range })]
    : [];
