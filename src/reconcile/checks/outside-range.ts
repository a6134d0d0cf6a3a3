import { entry } from '../entry.ts';
import type { Check } from './check.ts';

/**
 * `outside_range`: the date as written lies outside the range asked for. The range is the service's
 * own notion of the day (doc 4.3 doesn't name a zone), so the settlement stays.
 */
export const outsideRange: Check = ({ settlement: { date }, range }) =>
  range !== undefined && (date < range.from || date > range.to)
    ? [entry('outside_range', 1, { date, range })]
    : [];
