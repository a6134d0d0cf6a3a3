import { join } from 'node:path';
import type { NightPreview } from '../app/night-result.ts';
import { requestsForRows, timeFor } from '../app/plan-run.ts';
import { mapOrdered } from '../base/ordered.ts';
import { currentVersion } from '../export/check-day.ts';
import { reusableVersion } from '../export/export-days.ts';
import { readDaysAndIntents } from '../export/listing.ts';
import { announcedRows } from '../model/settlement.ts';
import { type PagedSource, pageSizes, type SettlementFilters } from '../model/source.ts';
import { Archive } from './archive.ts';
import { type DueRequest, loadAndPlan, rangesToList } from './plan.ts';

interface PreviewRequest extends DueRequest {
  readonly ahead: number;
  readonly source: PagedSource;
  readonly filters: SettlementFilters;
}

/** What a night would read, and how much that takes. The folder is not changed. Throws ReconError. */
export async function previewNight(request: PreviewRequest): Promise<NightPreview> {
  const { path, source, filters, ahead, yesterday } = request;
  const { days } = await readDaysAndIntents(path);
  const archive = await Archive.of(path, new Map(days.map((day) => [day, join(path, day)])));
  const { plan, sweep, before } = await loadAndPlan(request, archive);
  const isPlanned = new Set(plan.map(({ day }) => day));
  const waiting = await archive.pendingSettlements(
    (day) => day <= yesterday && !isPlanned.has(day),
  );
  const listing = mapOrdered(plan, ahead, async ({ day, reason }) => {
    const headers = await source.headers({ range: { from: day, to: day }, filters });
    const previous = await currentVersion(archive.days.get(day)?.folder, day);
    const isKnown = reusableVersion(previous, headers) !== undefined;
    return { day, reason, settlements: headers.settlements, isKnown };
  });
  const lists = [];
  for await (const list of listing) lists.push(list);
  const tempo = source.tempo();
  const perList = plan.length === 0 ? 0 : Math.ceil(tempo.pages / plan.length);
  const readDays = lists.map(({ day, reason, settlements, isKnown }) => {
    const { rows, proofs } = requestsForRows(isKnown ? [] : settlements, tempo);
    const [count, transactions] = [settlements.length, announcedRows(settlements)];
    return { day, reason, settlements: count, transactions, requests: perList + rows + proofs };
  });
  const forWaiting = waiting.length * perList;
  const listed = sweep.filter((day) => !before.delisted.includes(day));
  const headers = listed
    .flatMap((day) => Object.values(archive.days.get(day)?.manifest?.counts.settlements ?? {}))
    .reduce((sum, count) => sum + count, 0);
  // Two walks, each of which ends at an empty page.
  const swept = rangesToList(listed);
  const forSweep = 2 * (Math.ceil(headers / pageSizes.headers) + swept.length);
  const requests = readDays.reduce((sum, one) => sum + one.requests, forWaiting + forSweep);
  return {
    folder: path,
    days: readDays,
    swept,
    waiting: waiting.length,
    requests,
    ms: timeFor(requests, tempo),
  };
}
