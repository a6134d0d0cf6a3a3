import { drained } from '../base/ordered.ts';
import type { Row } from '../model/row.ts';
import { batchOf, type RowBatch } from '../model/row-batch.ts';
import { byDateThenId, type Settlement } from '../model/settlement.ts';
import {
  type Allowance,
  type HeaderList,
  mostSettlements,
  type RowsOutcome,
  type UnreadableRecord,
} from '../model/source.ts';
import { type Decoded, decodeHeader, decodeRow, isUnreadable, sortTextOf } from './decode.ts';
import { ScannedPage } from './scan/scanned-page.ts';
import { type FetchRecords, readList } from './walk/read-list.ts';

/** The documented default; the maximum is not shown (doc 8). */
const headersPerPage = 50;

/** Reads a list of settlement headers. It has no total, so it is walked until two walks agree. */
export async function readHeaders(
  fetch: FetchRecords<Decoded<Settlement>>,
  ahead: number,
  allowance?: Allowance,
): Promise<HeaderList> {
  const list = readList<Decoded<Settlement>>({
    fetch,
    decode: decodeHeader,
    limit: headersPerPage,
    total: undefined,
    bound: mostSettlements,
    ahead,
    allowance,
    sortText: sortTextOf,
  });
  const byKey = new Map<string, Decoded<Settlement>>();
  const { unsteady, conflicts, corrections } = await drained(list, ({ page, indexes }) => {
    for (const index of indexes) byKey.set(keyOf(page.item(index)), page.item(index));
  });
  for (const decoded of corrections) byKey.set(keyOf(decoded), decoded);
  const { items, unreadable } = divide([...byKey.values()]);
  return {
    settlements: items.sort(byDateThenId),
    conflicts: readableConflicts(conflicts),
    unreadable: [...unreadable, ...unreadableBesides(conflicts)],
    ...(unsteady && { unsteady }),
  };
}

/** Parts what was read from what couldn't be. */
export function divide<Item extends object>(decoded: readonly Decoded<Item>[]) {
  return {
    items: decoded.flatMap((one) => (isUnreadable(one) ? [] : [one])),
    unreadable: decoded.flatMap((one) => (isUnreadable(one) ? [one.unreadable] : [])),
  };
}

/** Ids with several contents that could be read. */
function readableConflicts<Item extends object>(
  conflicts: readonly (readonly Decoded<Item>[])[],
): readonly (readonly Item[])[] {
  return conflicts.map((contents) => divide(contents).items).filter((items) => items.length > 1);
}

/** The unreadable ones of several contents, but for the first: that one stands for its id. */
function unreadableBesides(
  conflicts: readonly (readonly Decoded<object>[])[],
): readonly UnreadableRecord[] {
  return conflicts.flatMap(([, ...others]) => divide(others).unreadable);
}

function keyOf(decoded: Decoded<Settlement>): string {
  return isUnreadable(decoded) ? decoded.key : decoded.id;
}

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
