import { entry } from '../entry.ts';
import { serviceSays } from '../verdict.ts';
import type { Check } from './check.ts';

/** `reported_by_service`: the service itself says that the settlement is out of balance. */
export const reportedByService: Check = ({ settlement: { status } }) =>
  serviceSays(status) === 'out_of_balance' ? [entry('reported_by_service', 1, { status })] : [];
