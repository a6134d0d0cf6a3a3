import { addDays } from '../base/calendar.ts';
import { mapped } from '../base/ordered.ts';
import { isOpen, withCounterparts } from '../explain/counterparts.ts';
import type {
  ReconciledRun,
  ReconciledSettlement,
  ReconcileSettings,
} from '../reconcile/reconciled.ts';
import { farthest, KnownNeighbours, rangeAround } from './neighbour-reader.ts';
import type { DecidedSettlement } from './reconcile-range.ts';

type Told = Pick<DecidedSettlement, 'reconciled' | 'explained'>;

/**
 * Explains the settlements of a run by each other too: those that are off by opposite amounts, up to
 * `farthest` days apart, are named as each other's counterparts. The order stays. A settlement whose
 * explanation is open waits, without its rows, until its counterpart can't come any more.
 */
export function nameCounterparts(
  run: AsyncGenerator<DecidedSettlement, ReconciledRun, void>,
  settings: Pick<ReconcileSettings, 'identity' | 'rules'>,
): AsyncGenerator<Told, ReconciledRun, void> {
  const known = new KnownNeighbours();
  const held = heldBack(run, farthest, ({ reconciled, explained }) => {
    known.judge(reconciled);
    const waits = explained !== undefined && isOpen(explained);
    return { kept: { reconciled, explained }, waits };
  });
  return mapped(held, ({ reconciled, explained }) => {
    if (explained === undefined || !isOpen(explained)) return { reconciled, explained };
    const { settlement } = reconciled;
    const others = known.around(settlement, rangeAround(settlement, farthest));
    return { reconciled, explained: withCounterparts(explained, reconciled, others, settings) };
  });
}

/** Of a settlement that was decided, what is handed on, and whether it waits for those after it. */
interface Held<Kept> {
  readonly kept: Kept;
  readonly waits: boolean;
}

/**
 * Takes the settlements of a run as they come, and yields in their order what is kept of them. What
 * `waits`, and all behind it, comes only when every settlement of the next `days` days has been
 * taken, or the run has ended.
 */
export async function* heldBack<
  One extends { readonly reconciled: Pick<ReconciledSettlement, 'settlement'> },
  End,
  Kept,
>(
  run: AsyncGenerator<One, End, void>,
  days: number,
  take: (one: One) => Held<Kept> | undefined,
): AsyncGenerator<Kept, End, void> {
  const held: { readonly kept: Kept; readonly until: string }[] = [];
  let step = await run.next();
  for (; !step.done; step = await run.next()) {
    const { date } = step.value.reconciled.settlement;
    const taken = take(step.value);
    if (taken === undefined) continue;
    held.push({ kept: taken.kept, until: taken.waits ? addDays(date, days) : '' });
    for (let first = held[0]; first && first.until < date; first = held[0]) {
      yield first.kept;
      held.shift();
    }
  }
  for (const { kept } of held) yield kept;
  return step.value;
}
