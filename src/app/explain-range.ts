import type { SettlementQuery } from '../model/source.ts';
import type { ReconciledRun } from '../reconcile/reconciled.ts';
import {
  type ExplainRequest,
  explainRead,
  type SettlementExplanation,
} from './explain-settlement.ts';
import { heldBack } from './held-back.ts';
import { farthest } from './known-neighbours.ts';
import { NeighbourReader } from './neighbour-reader.ts';
import type { Progress } from './read-settlements.ts';
import { reconcileRange } from './reconcile-range.ts';

/** A range, and those of its settlements that are out of balance with their explanations. */
export interface ExplainedRange {
  readonly run: ReconciledRun;
  readonly settlements: readonly SettlementExplanation[];
}

/**
 * Reads the settlements of a range, each once, and explains those that are out of balance: the others
 * of the range are what is around each of them. Throws ReconError where the run can't go on.
 */
export async function explainRange(
  query: SettlementQuery,
  request: ExplainRequest,
  onProgress: (progress: Progress) => void,
): Promise<ExplainedRange> {
  const { source, neighbourDays: known = farthest } = request;
  const reader = new NeighbourReader({ ...request, filters: query.filters, known });
  const headers = await source.headers(query);
  reader.list(query.range, headers);
  const settlements: SettlementExplanation[] = [];
  const run = reconcileRange({ ...request, query, headers, explains: false, onProgress });
  const held = heldBack(run, farthest, (one) => {
    reader.judge(one);
    // What is off by the opposite may come later.
    return one.reconciled.verdict === 'out_of_balance' ? { kept: one, waits: true } : undefined;
  });
  let step = await held.next();
  for (; !step.done; step = await held.next()) {
    settlements.push(await explainRead(step.value, request, reader));
  }
  return { run: step.value, settlements };
}
