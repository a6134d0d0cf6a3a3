import { isDayIn } from '../../base/calendar.ts';
import { found } from '../entry.ts';
import type { Check } from '../subject.ts';
import { unusualScaleOf } from '../unusual-scales.ts';
import { serviceSays } from '../verdict.ts';

/** `reported_by_service`: the service itself says that the settlement is out of balance. */
const reportedByService: Check = ({ settlement: { status } }) =>
  found('reported_by_service', serviceSays(status) === 'out_of_balance' ? 1 : 0, { status });

/**
 * `unusual_scale`: the header's decimal places are not its currency's own, so that all its amounts
 * may be wrong by a power of ten. They are kept as they came. Rows that differ from the header are
 * the check `scale`.
 */
const unusualScale: Check = ({ settlement, settings: { expectedScales } }) =>
  found('unusual_scale', 1, unusualScaleOf(settlement, expectedScales));

/**
 * `outside_range`: the date as written lies outside the range asked for. The range is the service's
 * own notion of the day (doc 4.3 doesn't name a zone), so the settlement stays.
 */
const outsideRange: Check = ({ settlement: { date }, range }) => {
  const isOutside = range !== undefined && !isDayIn(range, date);
  return found('outside_range', 1, isOutside ? { date, range } : undefined);
};

export const headerChecks: readonly Check[] = [reportedByService, unusualScale, outsideRange];
