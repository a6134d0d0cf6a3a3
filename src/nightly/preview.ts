import { join } from 'node:path';
import { requestsForRows, timeFor } from '../app/plan-run.ts';
import { mapOrdered } from '../base/ordered.ts';
import { readDaysInPlace } from '../export/listing.ts';
import { headerLine } from '../export/source-line.ts';
import { announcedRows, type Settlement } from '../model/settlement.ts';
import type { PagedSource, SettlementFilters } from '../model/source.ts';
import { serviceSays } from '../reconcile/verdict.ts';
import type { NightPreview } from '../report/nightly/preview.ts';
import { Archive } from './archive.ts';
import { dueDays, type NightRequest } from './night.ts';

type PreviewRequest = Pick<
  NightRequest,
  'path' | 'since' | 'yesterday' | 'restatedDays' | 'ahead'
> & {
  readonly source: PagedSource;
  readonly filters: SettlementFilters;
};

/**
 * What a night would read, by the folder and by the service's lists of these days, and how much that
 * takes; the folder is neither held nor changed. Throws ReconError.
 */
export async function previewNight(request: PreviewRequest): Promise<NightPreview> {
  const { path, source, filters, ahead, yesterday } = request;
  const { days } = await readDaysInPlace(path);
  const archive = await Archive.of(path, new Map(days.map((day) => [day, join(path, day)])));
  const { plan } = await dueDays(request, archive);
  const isPlanned = new Set(plan.map(({ day }) => day));
  const waiting = await archive.waiting((day) => day <= yesterday && !isPlanned.has(day));
  const listed = mapOrdered(plan, ahead, async ({ day, reason }) => {
    const { settlements } = await source.headers({ range: { from: day, to: day }, filters });
    const isKnown = reason === 'recent' && isUnchanged(settlements, await archive.headers(day));
    return { day, reason, settlements, isKnown };
  });
  const lists = [];
  for await (const list of listed) lists.push(list);
  const tempo = source.tempo();
  const perList = plan.length === 0 ? 0 : Math.ceil(tempo.pages / plan.length);
  const readDays = lists.map(({ day, reason, settlements, isKnown }) => {
    const { rows, proofs } = requestsForRows(isKnown ? [] : settlements, tempo);
    const [count, transactions] = [settlements.length, announcedRows(settlements)];
    return { day, reason, settlements: count, transactions, requests: perList + rows + proofs };
  });
  const forWaiting = waiting.length * perList;
  const requests = readDays.reduce((sum, one) => sum + one.requests, forWaiting);
  return {
    folder: path,
    days: readDays,
    waiting: waiting.length,
    requests,
    ms: timeFor(requests, tempo),
  };
}

/** Whether a day would be left alone: all is settled, and listed as it was. */
function isUnchanged(listed: readonly Settlement[], before: readonly Settlement[]): boolean {
  const isSettled = listed.every(({ status }) => serviceSays(status) === 'balanced');
  return isSettled && listed.map(headerLine).join('\n') === before.map(headerLine).join('\n');
}
