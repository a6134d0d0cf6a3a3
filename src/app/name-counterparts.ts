import { isOpen, withCounterparts } from '../explain/counterparts.ts';
import type { ReconciledRun, ReconcileSettings } from '../reconcile/reconciled.ts';
import { heldBack } from './held-back.ts';
import { farthest, KnownNeighbours, rangeAround } from './known-neighbours.ts';
import type { DecidedSettlement } from './reconcile-range.ts';

type Told = Pick<DecidedSettlement, 'reconciled' | 'explained'>;

/**
 * Explains the settlements of a run by each other too: those that are off by opposite amounts, up to
 * `farthest` days apart, are named as each other's counterparts. The order stays. A settlement whose
 * explanation is open waits, without its rows, until its counterpart can't come any more.
 */
export async function* nameCounterparts(
  run: AsyncGenerator<DecidedSettlement, ReconciledRun, void>,
  settings: Pick<ReconcileSettings, 'identity' | 'rules'>,
): AsyncGenerator<Told, ReconciledRun, void> {
  const known = new KnownNeighbours();
  const held = heldBack(run, farthest, ({ reconciled, explained }) => {
    known.judge(reconciled);
    const waits = explained !== undefined && isOpen(explained);
    return { kept: { reconciled, explained }, waits };
  });
  let step = await held.next();
  for (; !step.done; step = await held.next()) {
    const { reconciled, explained } = step.value;
    if (explained === undefined || !isOpen(explained)) {
      yield step.value;
      continue;
    }
    const { settlement } = reconciled;
    const others = known.around(settlement, rangeAround(settlement, farthest));
    yield { reconciled, explained: withCounterparts(explained, reconciled, others, settings) };
  }
  return step.value;
}
