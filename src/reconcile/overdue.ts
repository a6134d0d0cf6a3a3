import { daysBetween } from '../base/calendar.ts';
import type { Money } from '../money/money.ts';
import { entry } from './entry.ts';
import type { ReconciledSettlement } from './reconciled.ts';

/** By what the age of pending settlements is judged when a report is made. */
export interface Ageing {
  /** The day by which age is counted, YYYY-MM-DD. */
  readonly today: string;
  /** How many days a settlement may be pending, 0 or more. */
  readonly pendingDays: number;
}

/**
 * The settlement with the notice `overdue` if it is pending and more days than allowed have passed
 * since its date, by the calendar; as it is where age isn't judged.
 */
export function withAge(one: ReconciledSettlement, ageing?: Ageing): ReconciledSettlement {
  if (one.verdict !== 'pending') return one;
  const { date, payIn: minor, scale, currency } = one.settlement;
  const overdue = overdueEntry(date, { minor, scale, currency }, ageing);
  return overdue ? { ...one, notices: [...one.notices, overdue] } : one;
}

/** The notice of a pending settlement of this date; absent where it is not overdue, or age isn't judged. */
export function overdueEntry(date: string, payIn: Money, ageing?: Ageing) {
  const days = ageing ? daysBetween(date, ageing.today) : 0;
  if (!ageing || days <= ageing.pendingDays) return undefined;
  return entry('overdue', 1, { ...ageing, days, payIn });
}

/** Whether it was found to be overdue. */
export function isOverdue({ notices }: ReconciledSettlement): boolean {
  return notices.some(({ code }) => code === 'overdue');
}
