import type { PagedSource, SettlementQuery, Tempo } from '../model/source.ts';

/** What a run over a range takes, as far as the headers tell. */
export interface RunPlan {
  readonly settlements: number;
  /** Rows that the headers announce. */
  readonly transactions: number;
  readonly requests: PlannedRequests;
  /** Roughly, in milliseconds. */
  readonly ms: number;
  readonly tempo: Tempo;
  /** Whether it is certain that all settlements were listed, and all could be read. */
  readonly complete: boolean;
}

/** Requests, if the service cuts no page short and lists the same each time. */
interface PlannedRequests {
  /** For the list of settlements: as many as the plan took. */
  readonly headers: number;
  /** For pages of rows. */
  readonly rows: number;
  /** For the empty page behind the last row of each settlement, which proves that it is the last. */
  readonly proofs: number;
  readonly total: number;
}

/** Reads the headers of a range, and nothing else, and says what reading their rows would take. */
export async function planRun(source: PagedSource, query: SettlementQuery): Promise<RunPlan> {
  const { settlements, unreadable, unsteady } = await source.headers(query);
  const tempo = source.tempo();
  const { pages: headers, pageMs, rowsPerPage, concurrency, perSecond } = tempo;
  let transactions = 0;
  let rows = 0;
  for (const settlement of settlements) {
    transactions += settlement.transactions;
    rows += Math.ceil(settlement.transactions / rowsPerPage);
  }
  const proofs = settlements.length;
  const total = headers + rows + proofs;
  const ms = Math.max((total * pageMs) / concurrency, (total * 1000) / perSecond);
  return {
    settlements: settlements.length,
    transactions,
    requests: { headers, rows, proofs, total },
    ms,
    tempo,
    complete: unsteady === undefined && unreadable.length === 0,
  };
}
