import { byDateThenId, type Settlement } from '../model/settlement.ts';
import {
  type Allowance,
  type HeaderList,
  mostSettlements,
  type UnreadableRecord,
} from '../model/source.ts';
import { type Decoded, decodeHeader, isUnreadable, sortTextOf } from './decode.ts';
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
  let step = await list.next();
  for (; !step.done; step = await list.next()) {
    const { page, indexes } = step.value;
    for (const index of indexes) byKey.set(keyOf(page.item(index)), page.item(index));
  }
  const { unsteady, conflicts, corrections } = step.value;
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
export function readableConflicts<Item extends object>(
  conflicts: readonly (readonly Decoded<Item>[])[],
): readonly (readonly Item[])[] {
  return conflicts.map((contents) => divide(contents).items).filter((items) => items.length > 1);
}

/** The unreadable ones of several contents, but for the first: that one stands for its id. */
export function unreadableBesides(
  conflicts: readonly (readonly Decoded<object>[])[],
): readonly UnreadableRecord[] {
  return conflicts.flatMap(([, ...others]) => divide(others).unreadable);
}

function keyOf(decoded: Decoded<Settlement>): string {
  return isUnreadable(decoded) ? decoded.key : decoded.id;
}
