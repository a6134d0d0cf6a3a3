import { announcedRows, type Settlement } from '../model/settlement.ts';
import type { PagedSource, SettlementQuery } from '../model/source.ts';

/** What a run over a range takes, as far as the headers tell. */
export type RunPlan = Awaited<ReturnType<typeof planRun>>;

/**
 * Reads the headers of a range, and nothing else, and says what reading their rows would take, if the
 * service cuts no page short and lists the same each time.
 */
export async function planRun(source: PagedSource, query: SettlementQuery) {
  const { settlements, unreadable, unsteady } = await source.headers(query);
  const tempo = source.tempo();
  const { pages: headers, pageMs, rowsPerPage, concurrency, perSecond } = tempo;
  const transactions = announcedRows(settlements);
  const pagesOf = (one: Settlement) => Math.ceil(one.transactions / rowsPerPage);
  const rows = settlements.reduce((sum, one) => sum + pagesOf(one), 0);
  // The empty page behind the last row of each settlement proves that it is the last.
  const proofs = settlements.length;
  const total = headers + rows + proofs;
  return {
    settlements: settlements.length,
    /** Rows that the headers announce. */
    transactions,
    /** For the list of settlements, as many as the plan took; for pages of rows; for proofs. */
    requests: { headers, rows, proofs, total },
    /** Roughly, in milliseconds. */
    ms: Math.max((total * pageMs) / concurrency, (total * 1000) / perSecond),
    tempo,
    /** Whether it is certain that all settlements were listed, and all could be read. */
    complete: unsteady === undefined && unreadable.length === 0,
  };
}
