import type { PagedSource, SettlementQuery, Tempo } from '../model/source.ts';

/** What a run over a range takes, as far as the headers tell. */
export type RunPlan = Awaited<ReturnType<typeof planRun>>;

/**
 * Reads the headers of a range, and nothing else, and says what reading their rows would take, if the
 * service cuts no page short and lists the same each time.
 */
export async function planRun(source: PagedSource, query: SettlementQuery) {
  const { settlements, unreadable, unsteady } = await source.headers(query);
  const tempo: Tempo = source.tempo();
  const { pages: headers, pageMs, rowsPerPage, concurrency, perSecond } = tempo;
  let transactions = 0;
  let rows = 0;
  for (const settlement of settlements) {
    transactions += settlement.transactions;
    rows += Math.ceil(settlement.transactions / rowsPerPage);
  }
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
