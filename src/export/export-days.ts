import { daysOf } from '../base/calendar.ts';
import type { DateRange } from '../model/source.ts';
import type { ExportedDay } from '../report/export/report.ts';
import { type ExportRequest, exportDay } from './export-day.ts';

/**
 * Exports the days of a range one after the other, and yields each when it is done. Throws
 * ReconError where the run can't go on; the days before stand.
 */
export async function* exportDays(
  range: DateRange,
  request: ExportRequest,
): AsyncGenerator<ExportedDay, void, void> {
  for (const day of daysOf(range)) {
    const exported = await exportDay(day, request);
    if (exported.state !== 'incomplete') await request.folder.bind();
    yield exported;
  }
}
