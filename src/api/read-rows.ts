import type { Row } from '../model/row.ts';
import type { RowsOutcome, UnreadableRecord } from '../model/source.ts';
import { type SourceRow, wholeRow } from '../model/source-row.ts';
import { type Decoded, decodeRow, isUnreadable, sortTextOf } from './decode.ts';
import { FoundRow } from './fast/found-row.ts';
import { divide, readableConflicts, unreadableBesides } from './read-headers.ts';
import { type FetchRecords, readList } from './walk/read-list.ts';
import type { Listed } from './walk/walk-pages.ts';

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
): AsyncGenerator<readonly SourceRow[], RowsOutcome, void> {
  const list = readList<Decoded<SourceRow>>({
    fetch,
    decode: listed,
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
      if (isUnreadable(decoded)) unreadableByKey.set(decoded.key, decoded.unreadable);
    }
    if (items.length > 0) yield items;
  }
  const { unsteady, repeated, conflicts, corrections } = step.value;
  const nowReadable: Row[] = [];
  const corrected: Row[] = [];
  for (const decoded of corrections) {
    if (isUnreadable(decoded)) {
      unreadableByKey.set(decoded.key, decoded.unreadable);
      continue;
    }
    const row = wholeRow(decoded);
    // What only a later walk could read was not handed on before.
    if (unreadableByKey.delete(row.id)) nowReadable.push(row);
    else corrected.push(row);
  }
  if (nowReadable.length > 0) yield nowReadable;
  return {
    ...(unsteady && { unsteady }),
    unreadable: [...unreadableByKey.values(), ...unreadableBesides(conflicts)],
    repeated: repeated.flatMap(({ item, copies }) =>
      isUnreadable(item) ? [] : [{ row: wholeRow(item), copies }],
    ),
    conflicts: readableConflicts(conflicts).map((rows) => rows.map(wholeRow)),
    corrections: corrected,
  };
}

/** A record of a page: a row that was found in its bytes, or what JSON has there. */
function listed(record: unknown): Listed<Decoded<SourceRow>> {
  return record instanceof FoundRow ? record : decodeRow(record);
}
