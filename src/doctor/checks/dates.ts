import { writtenZone } from '../../base/calendar.ts';
import type { Check } from '../check.ts';
import { type Evidence, seenSettlements } from '../evidence.ts';

/** The zone in which settlement dates are written; which one is meant is not documented (doc 4.3). */
export function judgeDates(evidence: Evidence): Check<'dates'> | undefined {
  const settlements = seenSettlements(evidence);
  if (settlements.length === 0) return undefined;
  const { from, to } = evidence.query.range;
  const counts = new Map<string, number>();
  for (const { timestamp } of settlements) {
    const zone = writtenZone(timestamp);
    counts.set(zone, (counts.get(zone) ?? 0) + 1);
  }
  const zones = [...counts]
    .map(([zone, count]) => ({ zone, settlements: count }))
    .sort((one, other) => other.settlements - one.settlements || (one.zone < other.zone ? -1 : 1));
  const outside = settlements.filter(({ date }) => date < from || to < date).length;
  return {
    check: 'dates',
    level: zones.length > 1 || outside > 0 ? 'warning' : 'ok',
    facts: { settlements: settlements.length, zones, outside },
  };
}
