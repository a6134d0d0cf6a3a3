import type { Measure } from '../reconcile/entry.ts';
import type { Identity } from '../reconcile/identity.ts';
import { type Delta, minus, payInContradiction } from './delta.ts';

/** A figure that can differ for a reason of its own; `payIn`: the header contradicts itself. */
export type Figure = 'count' | Measure;

const figures: readonly Figure[] = ['count', 'gross', 'fees', 'tax', 'payIn'];

/**
 * The figures that differ. The pay-in counts only as far as it doesn't follow from the others, so
 * that each figure can be explained by itself.
 */
export function differingFigures(identity: Identity, delta: Delta): readonly Figure[] {
  const { count, gross, fees, tax } = delta;
  const values = { count, gross, fees, tax, payIn: payInContradiction(identity, delta) };
  return figures.filter((figure) => values[figure] !== 0 && values[figure] !== 0n);
}

/**
 * The figures that a candidate accounts for in full, where it is worth telling: at least one is an
 * amount, and no figure that agreed is put out by it. Else none.
 */
export function figuresAccountedFor(
  identity: Identity,
  target: Delta,
  delta: Delta,
): readonly Figure[] {
  if (putsOut(identity, target, delta)) return [];
  const after = differingFigures(identity, minus(target, delta));
  const solved = differingFigures(identity, target).filter((figure) => !after.includes(figure));
  return solved.some((figure) => figure !== 'count') ? solved : [];
}

/** Whether a figure that agreed would differ. A quick look at the amounts sorts out most rows. */
function putsOut(identity: Identity, target: Delta, delta: Delta): boolean {
  if (target.gross === 0n && delta.gross !== 0n) return true;
  if (target.fees === 0n && delta.fees !== 0n) return true;
  if (target.tax === 0n && delta.tax !== 0n) return true;
  if (target.count === 0 && delta.count !== 0) return true;
  return payInContradiction(identity, target) === 0n && payInContradiction(identity, delta) !== 0n;
}
