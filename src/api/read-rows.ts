import type { Row } from '../model/row.ts';
import { batchOf, type RowBatch } from '../model/row-batch.ts';
import type { Allowance, RowsOutcome, UnreadableRecord } from '../model/source.ts';
import { type Decoded, decodeRow, isUnreadable, sortTextOf } from './decode.ts';
import { divide, readableConflicts, unreadableBesides } from './read-headers.ts';
import { ScannedPage } from './scan/scanned-page.ts';
import { type FetchRecords, readList } from './walk/read-list.ts';

/** The documented maximum; it "may vary with capacity" (doc 4.4). */
export const rowsPerPage = 100;

/**
 * Reads the rows of a settlement that announces `total` of them; yields them when they are first
 * seen, each id once, and returns how the reading ended.
 */
export async function* readRows(
  fetch: FetchRecords<Decoded<Row>>,
  total: number,
  ahead: number,
  allowance?: Allowance,
): AsyncGenerator<RowBatch, RowsOutcome, void> {
  const list = readList<Decoded<Row>>({
    fetch,
    decode: decodeRow,
    limit: rowsPerPage,
    total,
    bound: 2 * total + 1_000,
    ahead,
    allowance,
    sortText: sortTextOf,
  });
  const unreadableByKey = new Map<string, UnreadableRecord>();
  let step = await list.next();
  for (; !step.done; step = await list.next()) {
    const { page, indexes } = step.value;
    if (page instanceof ScannedPage && indexes.length === page.length) {
      yield page;
      continue;
    }
    const decoded = indexes.map((index) => page.item(index));
    for (const one of decoded) {
      if (isUnreadable(one)) unreadableByKey.set(one.key, one.unreadable);
    }
    const { items } = divide(decoded);
    if (items.length > 0) yield batchOf(items);
  }
  const { unsteady, repeated, conflicts, corrections } = step.value;
  const nowReadable: Row[] = [];
  const corrected: Row[] = [];
  for (const decoded of corrections) {
    if (isUnreadable(decoded)) unreadableByKey.set(decoded.key, decoded.unreadable);
    // What only a later walk could read was not handed on before.
    else if (unreadableByKey.delete(decoded.id)) nowReadable.push(decoded);
    else corrected.push(decoded);
  }
  if (nowReadable.length > 0) yield batchOf(nowReadable);
  return {
    ...(unsteady && { unsteady }),
    unreadable: [...unreadableByKey.values(), ...unreadableBesides(conflicts)],
    repeated: repeated.flatMap(({ item, copies }) =>
      isUnreadable(item) ? [] : [{ row: item, copies }],
    ),
    conflicts: readableConflicts(conflicts),
    corrections: corrected,
  };
}
