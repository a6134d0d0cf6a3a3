import { announcedRows, type Settlement } from '../model/settlement.ts';
import type { PagedSource, SettlementQuery, Tempo } from '../model/source.ts';

export type RunPlan = Awaited<ReturnType<typeof planRun>>;

/** Reads only the headers of a range, and estimates the time for reading all rows. */
export async function planRun(source: PagedSource, query: SettlementQuery) {
  const { settlements, unreadable, unsteady } = await source.headers(query);
  const tempo = source.tempo();
  const requests = { headers: tempo.pages, ...requestsForRows(settlements, tempo) };
  const total = requests.headers + requests.rows + requests.proofs;
  return {
    settlements: settlements.length,
    transactions: announcedRows(settlements),
    requests: { ...requests, total },
    ms: timeFor(total, tempo),
    tempo,
    complete: unsteady === undefined && unreadable.length === 0,
  };
}

/** The requests for the rows that headers announce, if no page is cut short. */
export function requestsForRows(settlements: readonly Settlement[], { rowsPerPage }: Tempo) {
  const pagesOf = (one: Settlement) => Math.ceil((one.transactions ?? 0) / rowsPerPage);
  return {
    rows: settlements.reduce((sum, one) => sum + pagesOf(one), 0),
    // The empty page that proves the end of each settlement.
    proofs: settlements.length,
  };
}

/** The estimated time of so many requests, in milliseconds. */
export function timeFor(requests: number, { pageMs, concurrency, perSecond }: Tempo): number {
  return Math.max((requests * pageMs) / concurrency, (requests * 1000) / perSecond);
}
