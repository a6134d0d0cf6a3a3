import { daysBetween } from '../base/calendar.ts';
import type { Money } from '../money/money.ts';
import { type AcceptedDifferences, acceptanceOf, codesOf } from './acceptance.ts';
import { type Entry, entry } from './entry.ts';
import type { ReconciledSettlement } from './reconcile-settlement.ts';

/** What only reports consider: the files of a day must not change as time passes. */
export interface AgeingAndAccepted {
  readonly ageing?: Ageing | undefined;
  readonly accepted?: AcceptedDifferences | undefined;
}

export interface Ageing {
  readonly today: string;
  /** Days that a settlement may be pending, 0 or more. */
  readonly pendingDays: number;
}

/** A reconciled settlement for a report: with its acceptance, and whether it is overdue. */
export function asReported(
  judged: ReconciledSettlement,
  { ageing, accepted }: AgeingAndAccepted = {},
): ReconciledSettlement {
  const acceptance = accepted && acceptanceOf({ ...judged, codes: codesOf(judged) }, accepted);
  const one = acceptance ? { ...judged, acceptance } : judged;
  if (one.verdict !== 'pending') return one;
  const { date, payIn: minor, scale, currency } = one.settlement;
  const overdue = overdueEntry(date, { minor, scale, currency }, ageing);
  return withNotices(one, overdue ? [overdue] : []);
}

/** A settlement with more notices after its own. */
export function withNotices(
  one: ReconciledSettlement,
  more: readonly Entry[] = [],
): ReconciledSettlement {
  return more.length === 0 ? one : { ...one, notices: [...one.notices, ...more] };
}

/** The notice `overdue` for a pending settlement of this date, if it is. */
export function overdueEntry(
  date: string,
  payIn: Money,
  ageing?: Ageing,
): Entry<'overdue'> | undefined {
  const days = ageing ? daysBetween(date, ageing.today) : 0;
  if (!ageing || days <= ageing.pendingDays) return undefined;
  return entry('overdue', 1, { ...ageing, days, payIn });
}

/** Whether a settlement was found overdue. */
export function isOverdue({ notices }: ReconciledSettlement): boolean {
  return notices.some(({ code }) => code === 'overdue');
}
