import { addDays, daysOf } from '../base/calendar.ts';
import type { DayReason, PlannedDay } from '../report/nightly/report.ts';

/** What decides which days a night reads. Days are YYYY-MM-DD. */
export interface NightFacts {
  /**
   * Those in place, and how they are: `damaged` where the manifest is not what was written,
   * `pending_unread` where only pending settlements were not fully read.
   */
  readonly days: ReadonlyMap<string, 'whole' | 'pending_unread' | 'incomplete' | 'damaged'>;
  /** The first day that is wanted; absent where the first one in place is. */
  readonly since: string | undefined;
  /** The last day that the night before reached; absent where nothing is known of it. */
  readonly reached: string | undefined;
  /** Days that could not be read the night before. */
  readonly unread: ReadonlySet<string>;
  /** The last day that is over. */
  readonly yesterday: string;
  /** How many days the service may restate. */
  readonly restatedDays: number;
}

/**
 * The days that a night reads, in order, each with the reason: all that are over and not in place, and
 * again those that weren't read whole and the last ones, counted back from where the night before
 * ended: however many nights were missed, no day stays with what was known of it too early. Days to
 * come are never read, not even where a wrong clock had them published.
 */
export function planNight(facts: NightFacts): readonly PlannedDay[] {
  const { days, since, yesterday } = facts;
  const past = [...days.keys()].filter((day) => day <= yesterday).sort();
  const [first = since] = [...past, ...(since === undefined ? [] : [since])].sort();
  if (first === undefined) return [];
  const last = past.at(-1) ?? '';
  return [...daysOf({ from: first, to: yesterday })].flatMap((day) => {
    const reason = reasonFor(day, last, facts);
    return reason === undefined ? [] : [{ day, reason }];
  });
}

function reasonFor(day: string, last: string, facts: NightFacts): DayReason | undefined {
  const { days, unread, reached = last, yesterday, restatedDays } = facts;
  const state = days.get(day);
  if (state === undefined && !unread.has(day)) return day < last ? 'missing' : 'new';
  if (unread.has(day)) return 'unread';
  if (state !== 'whole') return state;
  const end = reached < yesterday ? reached : yesterday;
  return end !== '' && day > addDays(end, -restatedDays) ? 'recent' : undefined;
}

/**
 * The last day that is reached when a night is over; null where nothing is known of it. A night that
 * failed reaches no further, and a clock that was set back takes back what was reached by it.
 */
export function reachedAfter(
  reached: string | null,
  yesterday: string,
  hasFailed: boolean,
): string | null {
  return hasFailed && (reached === null || reached < yesterday) ? reached : yesterday;
}
