import { addDays } from '../base/calendar.ts';
import type { ReconciledSettlement } from '../reconcile/reconciled.ts';

/**
 * Yields the settlements of a run in their order. One that `waits`, and all behind it, come only when
 * every settlement of the next `days` days has been there, or the run has ended.
 */
export async function* heldBack<
  One extends { readonly reconciled: Pick<ReconciledSettlement, 'settlement'> },
  End,
>(
  run: AsyncGenerator<One, End, void>,
  days: number,
  waits: (one: One) => boolean,
): AsyncGenerator<One, End, void> {
  const held: { readonly one: One; readonly until: string }[] = [];
  let step = await run.next();
  for (; !step.done; step = await run.next()) {
    const one = step.value;
    const { date } = one.reconciled.settlement;
    held.push({ one, until: waits(one) ? addDays(date, days) : '' });
    for (let first = held[0]; first && first.until < date; first = held[0]) {
      yield first.one;
      held.shift();
    }
  }
  for (const { one } of held) yield one;
  return step.value;
}
