import { rangesOf } from '../../base/calendar.ts';
import type { DateRange } from '../../model/source.ts';
import { fewOf } from './phrase.ts';

/** `2026-03-04 to 2026-03-07`, or the one day that it is. */
export function rangeText({ from, to }: DateRange): string {
  return from === to ? from : `${from} to ${to}`;
}

/** The first few of the days, as ranges: `2026-03-04 to 2026-03-07 and 2026-03-12`. */
export function daysText(days: readonly string[]): string {
  return fewOf(rangesOf(days).map(rangeText));
}
