import { daysOf, spanOf } from '../base/calendar.ts';
import type { DateRange } from '../model/source.ts';
import type { DaysOutside } from '../report/export/report.ts';
import { readManifest } from './check-day.ts';

/** What a run over a range leaves undone in an export with these days, of each its folder. */
export async function daysOutside(
  days: ReadonlyMap<string, string>,
  { from, to }: DateRange,
): Promise<DaysOutside> {
  const isOutside = (day: string) => day < from || to < day;
  const span = spanOf(days.keys());
  const outside = span ? [...daysOf(span)].filter(isOutside) : [];
  const missing: string[] = [];
  const pending: string[] = [];
  const damaged: string[] = [];
  for (const day of outside) {
    const folder = days.get(day);
    const manifest = folder === undefined ? undefined : await readManifest(folder, day);
    if (!manifest) missing.push(day);
    else if ('message' in manifest) damaged.push(day);
    else if (manifest.counts.settlements.pending > 0) pending.push(day);
  }
  return { missing, pending, damaged };
}
