import { daysBetween } from '../base/calendar.ts';
import { type Entry, found } from './entry.ts';
import type { ReconciledSettlement, Verdict } from './reconciled.ts';
import { moneyOf, type Subject } from './subject.ts';

/** By what the age of a pending settlement is judged. */
export interface Ageing {
  /** The day by which age is counted, YYYY-MM-DD. */
  readonly today: string;
  /** How many days a settlement may be pending, 0 or more. */
  readonly pendingDays: number;
}

/**
 * `overdue`: the settlement is pending, and more days than allowed have passed since its date, by the
 * calendar. Nothing where age isn't judged.
 */
export function overdue(subject: Subject, verdict: Verdict): readonly Entry<'overdue'>[] {
  const { settlement, ageing, reported } = subject;
  if (ageing === undefined || verdict !== 'pending') return [];
  const days = daysBetween(settlement.date, ageing.today);
  const facts = { ...ageing, days, payIn: moneyOf(subject, reported.payIn) };
  return found('overdue', 1, days > ageing.pendingDays ? facts : undefined);
}

/** Whether it was found to be overdue. */
export function isOverdue({ notices }: ReconciledSettlement): boolean {
  return notices.some(({ code }) => code === 'overdue');
}
