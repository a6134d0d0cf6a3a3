import { announcedRows, type Settlement } from '../model/settlement.ts';
import type { PagedSource, SettlementQuery, Tempo } from '../model/source.ts';

/** What a run over a range takes, as far as the headers tell. */
export type RunPlan = Awaited<ReturnType<typeof planRun>>;

/**
 * Reads the headers of a range, and nothing else, and says what reading their rows would take, if the
 * service cuts no page short and lists the same each time.
 */
export async function planRun(source: PagedSource, query: SettlementQuery) {
  const { settlements, unreadable, unsteady } = await source.headers(query);
  const tempo = source.tempo();
  const requests = { headers: tempo.pages, ...requestsForRows(settlements, tempo) };
  const total = requests.headers + requests.rows + requests.proofs;
  return {
    settlements: settlements.length,
    /** Rows that the headers announce. */
    transactions: announcedRows(settlements),
    /** For the list of settlements, as many as the plan took; for pages of rows; for proofs. */
    requests: { ...requests, total },
    /** Roughly, in milliseconds. */
    ms: timeFor(total, tempo),
    tempo,
    /** Whether it is certain that all settlements were listed, and all could be read. */
    complete: unsteady === undefined && unreadable.length === 0,
  };
}

/** The requests that reading the rows of settlements takes, by what their headers announce. */
export function requestsForRows(settlements: readonly Settlement[], { rowsPerPage }: Tempo) {
  const pagesOf = (one: Settlement) => Math.ceil(one.transactions / rowsPerPage);
  return {
    rows: settlements.reduce((sum, one) => sum + pagesOf(one), 0),
    // The empty page behind the last row of each settlement proves that it is the last.
    proofs: settlements.length,
  };
}

/** How long so many requests take, roughly, in milliseconds. */
export function timeFor(requests: number, { pageMs, concurrency, perSecond }: Tempo): number {
  return Math.max((requests * pageMs) / concurrency, (requests * 1000) / perSecond);
}
