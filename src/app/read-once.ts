import { drained, mapped } from '../base/ordered.ts';
import type { KeptRows } from './kept-rows.ts';
import { nameCounterparts } from './neighbour-reader.ts';
import {
  type DecidedSettlement,
  type RangeOptions,
  type RangeRun,
  reconcileRange,
} from './reconcile-range.ts';

export type Explaining = Pick<DecidedSettlement, 'reconciled' | 'explained'>;

/** One use case of a reading. */
export interface Pass {
  /** Gets each settlement with its rows as soon as it is reconciled, in order. */
  readonly add?: (one: DecidedSettlement) => void | Promise<void>;
  /** Gets each settlement later, without rows, when its explanation can name others with the opposite difference. */
  readonly explain?: (one: Explaining) => void | Promise<void>;
  /** Gets a settlement again, after the others, if patterns of the whole range explain it. */
  readonly explainAgain?: (one: Explaining) => void;
}

/** A source, and how it is read. */
export type Reading = Pick<RangeOptions, 'source' | 'ahead' | 'onProgress'>;

export interface ReadOnceOptions extends RangeOptions {
  /** Keeps the rows that a report lists. */
  readonly kept?: KeptRows | undefined;
}

/** Reconciles a range once for several use cases. Throws ReconError if the run cannot go on. */
export async function readOnce(
  passes: readonly Pass[],
  { kept, ...options }: ReadOnceOptions,
): Promise<RangeRun> {
  const { source, settings } = options;
  const keeping = kept && { source: kept.keeping(source), earlierSource: source };
  const all = reconcileRange({ ...options, ...keeping });
  const added = mapped(kept?.droppingUnneeded(all) ?? all, async (one) => {
    for (const { add } of passes) await add?.(one);
    return one;
  });
  if (!passes.some(({ explain }) => explain)) return drained(added);
  const run = await drained(nameCounterparts(added, settings), async (one) => {
    for (const { explain } of passes) await explain?.(one);
  });
  for (const reconciled of run.settlements) {
    const explained = run.explained.get(reconciled.settlement.id);
    if (!explained) continue;
    for (const { explainAgain } of passes) await explainAgain?.({ reconciled, explained });
  }
  return run;
}
