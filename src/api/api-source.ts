import type { HttpAnswer } from '../base/http/transport.ts';
import { drained } from '../base/ordered.ts';
import type { ChargeSource } from '../model/charge.ts';
import type { Row } from '../model/row.ts';
import { batchOf, type RowBatch } from '../model/row-batch.ts';
import { byDateThenId, type Settlement } from '../model/settlement.ts';
import {
  type Allowance,
  type HeaderList,
  mostSettlements,
  type PagedSource,
  pageSizes,
  type RowsOutcome,
  type UnreadableRecord,
} from '../model/source.ts';
import { readCharge, readChargeDocument } from './charge-answer.ts';
import { collectOddAnswers, readEnvelope } from './envelope.ts';
import { quoted } from './fields.ts';
import { type ApiOptions, createOperations, rangeFilter } from './operations.ts';
import {
  type Decoded,
  decodeHeader,
  decodeRow,
  isUnreadable,
  sortTextOf,
  splitUnreadable,
} from './records.ts';
import { RowScanner, ScannedPage } from './scan/row-scanner.ts';
import { type FetchRecords, readList } from './walk/read-list.ts';

/** The service's API as a source of settlements (doc 4). */
export function createApiSource(
  options: ApiOptions,
): PagedSource & ChargeSource & { close(): Promise<void> } {
  const operations = createOperations(options);
  // Twice the requests: the next range is ready when a slot becomes free.
  const ahead = 2 * options.concurrency;
  const { secrets } = operations;
  const odd = collectOddAnswers(secrets);
  const onOdd = odd.add;
  const scanner = new RowScanner(onOdd);
  const redacted = <List extends { readonly unreadable: readonly UnreadableRecord[] }>(
    list: List,
  ) => ({ ...list, unreadable: list.unreadable.map((one) => quoted(one, secrets)) });
  // Without an announced total, any page may be the empty one; another walk confirms it.
  const readHeaderPage = (answer: HttpAnswer) =>
    readEnvelope(answer, { missingIsEmpty: true, onOdd });
  const headers = async (filter: object, subject: string, allowance?: Allowance) => {
    const fetch = (offset: number, limit: number) =>
      operations.headers(filter, { offset, limit }, subject, readHeaderPage);
    return redacted(await readHeaders(fetch, ahead, allowance));
  };
  return {
    headers: (query, allowance) =>
      headers(rangeFilter(query), `${query.range.from} to ${query.range.to}`, allowance),
    // The id alone: what it means together with dates is not documented.
    header: (id) => headers({ settlementId: id }, `settlement ${id}`),
    rows: async function* ({ id, transactions: total = 0 }, priority, allowance) {
      const fetch = (offset: number, limit: number) =>
        operations.rows(id, { offset, limit }, priority, (answer) => {
          const page = scanner.read(answer);
          return page ?? readEnvelope(answer, { missingIsEmpty: offset >= total, onOdd });
        });
      return redacted(yield* readRows(fetch, { total, ahead, allowance }));
    },
    charge: async (id) => {
      const charge = await operations.charge(id, (answer) => readCharge(answer, id));
      return {
        ...charge,
        errorMessage: secrets.redact(charge.errorMessage),
        responses: charge.responses.map((one) => ({
          ...one,
          psp_error: secrets.redact(one.psp_error),
        })),
      };
    },
    oddAnswers: odd.all,
    chargeDocument: (id) => operations.charge(id, readChargeDocument),
    tempo: operations.tempo,
    close: operations.close,
  };
}

/** Reads a list of settlement headers. It has no total, so it is walked until two walks agree. */
export async function readHeaders(
  fetch: FetchRecords<Decoded<Settlement>>,
  ahead: number,
  allowance?: Allowance,
  most = mostSettlements,
): Promise<HeaderList> {
  const list = readList<Decoded<Settlement>>({
    fetch,
    decode: decodeHeader,
    limit: pageSizes.headers,
    total: undefined,
    mostRecords: most,
    ahead,
    allowance,
    sortText: sortTextOf,
  });
  const byKey = new Map<string, Decoded<Settlement>>();
  const add = (one: Decoded<Settlement>) => byKey.set(isUnreadable(one) ? one.key : one.id, one);
  const { unsteady, conflicts, corrections } = await drained(list, ({ page, indexes }) => {
    for (const index of indexes) add(page.item(index));
  });
  for (const decoded of corrections) add(decoded);
  const { items, unreadable } = splitUnreadable([...byKey.values()]);
  return {
    settlements: items.sort(byDateThenId),
    conflicts: readableConflicts(conflicts),
    unreadable: [...unreadable, ...unreadableConflicts(conflicts)],
    ...(unsteady && { unsteady }),
  };
}

function readableConflicts<Item extends object>(conflicts: readonly (readonly Decoded<Item>[])[]) {
  return conflicts
    .map((contents) => splitUnreadable(contents).items)
    .filter((items) => items.length > 1);
}

/** The unreadable ones of several contents, but for the first, which counts as the record. */
function unreadableConflicts(conflicts: readonly (readonly Decoded<object>[])[]) {
  return conflicts.flatMap(([, ...others]) => splitUnreadable(others).unreadable);
}

/** Reads the rows of a settlement that announces `total` of them; yields each id once. */
export async function* readRows(
  fetch: FetchRecords<Decoded<Row>>,
  options: {
    readonly total: number;
    readonly ahead: number;
    readonly allowance?: Allowance | undefined;
  },
): AsyncGenerator<RowBatch, RowsOutcome, void> {
  const list = readList<Decoded<Row>>({
    ...options,
    fetch,
    decode: decodeRow,
    limit: pageSizes.rows,
    mostRecords: 2 * options.total + 1_000,
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
    const { items } = splitUnreadable(decoded);
    if (items.length > 0) yield batchOf(items);
  }
  const { unsteady, repeated, conflicts, corrections } = step.value;
  const nowReadable: Row[] = [];
  const corrected: Row[] = [];
  for (const decoded of corrections) {
    if (isUnreadable(decoded)) unreadableByKey.set(decoded.key, decoded.unreadable);
    // Only a later walk could read it, so it was not yielded before.
    else if (unreadableByKey.delete(decoded.id)) nowReadable.push(decoded);
    else corrected.push(decoded);
  }
  if (nowReadable.length > 0) yield batchOf(nowReadable);
  return {
    ...(unsteady && { unsteady }),
    unreadable: [...unreadableByKey.values(), ...unreadableConflicts(conflicts)],
    repeated: repeated.flatMap(({ item, copies }) =>
      isUnreadable(item) ? [] : [{ row: item, copies }],
    ),
    conflicts: readableConflicts(conflicts),
    corrections: corrected,
  };
}
