import type { Row } from '../model/row.ts';
import type { RowsOutcome, UnreadableRecord } from '../model/source.ts';
import { type Decoded, decodeRow, sortTextOf } from './decode.ts';
import { divide, type FetchRecords, readableConflicts, unreadableBesides } from './read-headers.ts';
import { readList } from './walk/read-list.ts';

/** The documented maximum; it "may vary with capacity" (doc 4.4). */
export const rowsPerPage = 100;

/**
 * Reads the rows of a settlement that announces `total` of them; yields them when they are first
 * seen, each id once, and returns how the reading ended.
 */
export async function* readRows(
  fetch: FetchRecords,
  total: number,
  ahead: number,
): AsyncGenerator<readonly Row[], RowsOutcome, void> {
  const list = readList<Decoded<Row>>({
    fetchPage: async (offset, limit) => (await fetch(offset, limit)).slice(0, limit).map(decodeRow),
    limit: rowsPerPage,
    total,
    bound: 2 * total + 1_000,
    ahead,
    sortText: sortTextOf,
  });
  const unreadableByKey = new Map<string, UnreadableRecord>();
  let step = await list.next();
  for (; !step.done; step = await list.next()) {
    const { items } = divide(step.value);
    for (const decoded of step.value) {
      if ('unreadable' in decoded) unreadableByKey.set(decoded.key, decoded.unreadable);
    }
    if (items.length > 0) yield items;
  }
  const { unsteady, repeated, conflicts, corrections } = step.value;
  const nowReadable: Row[] = [];
  const corrected: Row[] = [];
  for (const decoded of corrections) {
    if ('unreadable' in decoded) unreadableByKey.set(decoded.key, decoded.unreadable);
    // What only a later walk could read was not handed on before.
    else if (unreadableByKey.delete(decoded.key)) nowReadable.push(decoded.item);
    else corrected.push(decoded.item);
  }
  if (nowReadable.length > 0) yield nowReadable;
  return {
    ...(unsteady && { unsteady }),
    unreadable: [...unreadableByKey.values(), ...unreadableBesides(conflicts)],
    repeated: repeated.flatMap(({ item, copies }) =>
      'item' in item ? [{ row: item.item, copies }] : [],
    ),
    conflicts: readableConflicts(conflicts),
    corrections: corrected,
  };
}
