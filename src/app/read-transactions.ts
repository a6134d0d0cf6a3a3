import { keptReason } from '../base/errors.ts';
import { append } from '../base/lists.ts';
import { chainOrdered } from '../base/ordered.ts';
import type { Row } from '../model/row.ts';
import { batchOf, type RowBatch, rowsOf } from '../model/row-batch.ts';
import { announcedRows, type Settlement } from '../model/settlement.ts';
import type { SettlementQuery, Source } from '../model/source.ts';
import { conflictingTransactions, incompleteRows } from '../reconcile/checks.ts';
import { type Entry, entry, smallestIds } from '../reconcile/entry.ts';
import { headerFindings } from '../reconcile/reconcile-run.ts';
import type { RowsEnding } from '../reconcile/subject.ts';
import { decisiveStatus } from '../reconcile/verdict.ts';
import { findSettlement } from './find-settlement.ts';
import {
  concernsOneSettlement,
  conflictsById,
  FailuresInARow,
  notTried,
  type ReadingOptions,
} from './read-settlements.ts';

export interface TransactionsRequest extends ReadingOptions {
  readonly source: Source;
  readonly of: SettlementQuery | { readonly settlement: string };
}

export interface TransactionBatch {
  readonly settlement: Settlement;
  readonly rows: RowBatch;
}

/** A settlement whose yielded rows may be incomplete or wrong. */
export interface PartialSettlement {
  readonly settlement: Settlement;
  /** Not settled yet, so it may change: the run counts as complete without it. */
  readonly isPending: boolean;
  readonly rows: number;
  readonly entries: readonly Entry<'not_read' | 'unsteady_read' | 'unreadable_record'>[];
  /** Rows that changed after they were yielded: how many, and the smallest ids. */
  readonly changed: { readonly count: number; readonly examples: readonly string[] };
}

export interface TransactionsRead {
  readonly settlements: number;
  readonly transactions: number;
  readonly partial: readonly PartialSettlement[];
  /** Settlements that list a transaction with different contents, of which one was yielded. */
  readonly conflicting: readonly {
    readonly settlement: Settlement;
    readonly entry: Entry<'conflicting_transaction'>;
  }[];
  /** Why it is uncertain that all settlements were listed, and which days were published incomplete. */
  readonly findings: readonly Entry[];
  readonly complete: boolean;
}

/** Batches of a settlement that may wait for the consumer. */
const batchesReady = 4;
/** Announced rows of settlements that may wait, for each that is read ahead. */
const rowsWaitingPerSettlement = 200;
/** Rows of a settlement that wait for its end, when all corrections are known. */
const rowsHeldBack = 1_000;

/**
 * Yields the rows of settlements as they are read, in order, each transaction id once a settlement. If the
 * service lists an id with different contents, the one that counts is yielded, or in a settlement with too
 * many rows to hold back, the first one. Throws ReconError if the run cannot go on.
 */
export async function* readTransactions({
  source,
  of,
  ahead,
  onProgress = () => {},
}: TransactionsRequest): AsyncGenerator<TransactionBatch, TransactionsRead, void> {
  const { settlements, conflicts, findings } = await headersOf(source, of);
  const contents = conflictsById(conflicts);
  const partial: PartialSettlement[] = [];
  const conflicting: TransactionsRead['conflicting'][number][] = [];
  let decided = 0;
  let transactions = 0;
  let rows = 0;
  const failures = new FailuresInARow();
  const expectedRows = announcedRows(settlements);
  const notify = () =>
    onProgress({ settlements: settlements.length, decided, rows: transactions, expectedRows });
  const end = (settlement: Settlement, ended: RowsEnding) => {
    const isPending = decisiveStatus(contents.get(settlement.id) ?? [settlement]) === 'pending';
    const one = { ...partialOf(ended), settlement, isPending, rows };
    if (one.entries.length > 0 || one.changed.count > 0) partial.push(one);
    const found = 'notRead' in ended ? [] : conflictingTransactions(ended);
    append(
      conflicting,
      found.map((one) => ({ settlement, entry: one })),
    );
    failures.add('notRead' in ended);
    decided += 1;
    rows = 0;
  };
  const lookAhead = {
    ahead,
    ready: batchesReady,
    weigh: (one: Settlement) => one.transactions,
    heaviest: ahead * rowsWaitingPerSettlement,
  };
  const parts = chainOrdered(settlements, lookAhead, async function* (settlement, index) {
    const parts = withCorrections(rowsAndEnding(source, settlement, index));
    for await (const part of parts) yield { settlement, part };
  });
  notify();
  for await (const { settlement, part } of parts) {
    if (isEnding(part)) end(settlement, part);
    else {
      rows += part.length;
      transactions += part.length;
      yield { settlement, rows: part };
    }
    notify();
    if (failures.areTooMany && !source.isRecord) break;
  }
  for (const settlement of settlements.slice(decided)) end(settlement, { notRead: notTried });
  const isListed = findings.every(({ weight }) => weight !== 'incomplete');
  const complete = isListed && partial.every(({ isPending }) => isPending);
  const count = settlements.length;
  return { settlements: count, transactions, partial, conflicting, findings, complete };
}

async function headersOf(source: Source, of: TransactionsRequest['of']) {
  if ('settlement' in of) {
    const { settlement, conflicts, findings } = await findSettlement(source, of.settlement);
    return { settlements: [settlement], conflicts: conflicts ? [conflicts] : [], findings };
  }
  const list = await source.headers(of);
  const { settlements, conflicts } = list;
  return { settlements, conflicts, findings: headerFindings(list) };
}

type Part = RowBatch | RowsEnding;

function isEnding(part: Part): part is RowsEnding {
  return !('length' in part);
}

async function* rowsAndEnding(source: Source, settlement: Settlement, priority: number) {
  try {
    const outcome = yield* source.rows(settlement, priority);
    yield outcome;
  } catch (error) {
    if (!concernsOneSettlement(error)) throw error;
    yield { notRead: keptReason(error) };
  }
}

/** Holds rows back to yield them with their corrections, unless there are too many. */
async function* withCorrections(parts: AsyncGenerator<Part>): AsyncGenerator<Part, void, void> {
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
  const byId = new Map(corrections.map((row) => [row.id, row]));
  return batches.map((batch) => batchOf(rowsOf(batch).map((row) => byId.get(row.id) ?? row)));
}

/** A summary of an ending: a settlement may have a million faults. */
function partialOf(ending: RowsEnding): Pick<PartialSettlement, 'entries' | 'changed'> {
  if ('notRead' in ending) {
    const entries = [entry('not_read', 1, { reason: ending.notRead })];
    return { entries, changed: { count: 0, examples: [] } };
  }
  // Conflicts are reported apart.
  const conflicting = new Set(ending.conflicts.map(([first]) => first?.id));
  const changed = ending.corrections.map(({ id }) => id).filter((id) => !conflicting.has(id));
  return {
    entries: incompleteRows(ending),
    changed: { count: changed.length, examples: smallestIds(changed) },
  };
}
