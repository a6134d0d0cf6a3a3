import type { Row } from '../model/row.ts';
import { batchOf, type RowBatch, rowsOf } from '../model/row-batch.ts';
import type { Settlement } from '../model/settlement.ts';
import type { Source } from '../model/source.ts';
import type { RowsEnding } from '../reconcile/subject.ts';
import { concernsOneSettlement } from './read-settlements.ts';

/** Some rows of a settlement, or how they ended. */
type Part = RowBatch | RowsEnding;

/** Rows of a settlement that wait for its end, when it is known which content of each stands. */
const rowsHeldBack = 1_000;

/**
 * The rows of a settlement, in batches, and at last how they ended. Each row is as it reads in the
 * end; of a settlement with more of them than are held back, as it was listed first.
 */
export async function* settlementParts(source: Source, settlement: Settlement, priority: number) {
  const parts = heldBack(rowsAndEnding(source, settlement, priority));
  for await (const part of parts) yield { settlement, part };
}

async function* heldBack(parts: AsyncGenerator<Part>): AsyncGenerator<Part, void, void> {
  const held: RowBatch[] = [];
  let rows = 0;
  for await (const part of parts) {
    if (!isEnding(part)) {
      held.push(part);
      rows += part.length;
      if (rows > rowsHeldBack) yield* held.splice(0);
    } else if ('notRead' in part || rows > rowsHeldBack) {
      yield* held;
      yield part;
    } else {
      yield* corrected(held, part.corrections);
      yield { ...part, corrections: [] };
    }
  }
}

function corrected(batches: readonly RowBatch[], corrections: readonly Row[]): readonly RowBatch[] {
  if (corrections.length === 0) return batches;
  const standing = new Map(corrections.map((row) => [row.id, row]));
  return batches.map((batch) => batchOf(rowsOf(batch).map((row) => standing.get(row.id) ?? row)));
}

async function* rowsAndEnding(
  source: Source,
  settlement: Settlement,
  priority: number,
): AsyncGenerator<Part, void, void> {
  try {
    const outcome = yield* source.rows(settlement, priority);
    yield outcome;
  } catch (error) {
    if (!concernsOneSettlement(error)) throw error;
    yield { notRead: error.message };
  }
}

export function isEnding(part: Part): part is RowsEnding {
  return !('length' in part);
}
