import { addDays } from '../base/calendar.ts';
import type { ReconciledSettlement } from '../reconcile/reconciled.ts';

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
