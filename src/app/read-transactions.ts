import { append } from '../base/lists.ts';
import { chainOrdered } from '../base/ordered.ts';
import type { Row } from '../model/row.ts';
import { batchOf, type RowBatch, rowsOf } from '../model/row-batch.ts';
import { announcedRows, type Settlement } from '../model/settlement.ts';
import type { SettlementQuery, Source } from '../model/source.ts';
import {
  conflictingTransaction,
  unreadableRecord,
  unsteadyRead,
} from '../reconcile/checks/reading.ts';
import { type Entry, entry } from '../reconcile/entry.ts';
import { smallestIds } from '../reconcile/examples.ts';
import { headerFindings } from '../reconcile/reconcile-run.ts';
import type { RowsEnding } from '../reconcile/subject.ts';
import { opinionThatCounts } from '../reconcile/verdict.ts';
import { findSettlement } from './find-settlement.ts';
import {
  concernsOneSettlement,
  conflictsById,
  mostFailuresInARow,
  notTried,
  type ReadingOptions,
} from './read-settlements.ts';

/** Which transactions are read, and how. */
export interface TransactionsRequest extends ReadingOptions {
  readonly source: Source;
  /** The settlements of a query, or a single one. */
  readonly of: SettlementQuery | { readonly settlement: string };
}

/** Some rows of a settlement. */
export interface TransactionBatch {
  readonly settlement: Settlement;
  readonly rows: RowBatch;
}

/** A settlement whose rows, as they were handed on, need not be all, or need not be right. */
export interface PartialSettlement {
  readonly settlement: Settlement;
  /** What isn't settled yet may change: such a settlement leaves the run complete. */
  readonly isPending: boolean;
  /** How many of its rows were handed on. */
  readonly rows: number;
  /** What leaves it open whether all were read. */
  readonly entries: readonly Entry<'not_read' | 'unsteady_read' | 'unreadable_record'>[];
  /** Rows that read otherwise after they were handed on: how many, and the smallest ids. */
  readonly changed: { readonly count: number; readonly examples: readonly string[] };
}

/** How reading the transactions ended. */
export interface TransactionsRead {
  readonly settlements: number;
  /** Rows that were handed on. */
  readonly transactions: number;
  readonly partial: readonly PartialSettlement[];
  /** Settlements that list a transaction with different contents, of which one was handed on. */
  readonly conflicting: readonly {
    readonly settlement: Settlement;
    readonly entry: Entry<'conflicting_transaction'>;
  }[];
  /** What leaves it open whether all settlements were listed, and which days were published incomplete. */
  readonly findings: readonly Entry[];
  readonly complete: boolean;
}

// How far reading may run ahead of whoever takes the rows: batches a settlement, and announced rows
// of the settlements that wait.
const batchesReady = 4;
const rowsWaitingPerSettlement = 200;
/** Rows of a settlement that wait for its end, when it is known which content of each stands. */
const rowsHeldBack = 1_000;

/**
 * Yields the rows of settlements as they are read: by date, settlement and place in its list, each
 * transaction id once a settlement. Where the service lists an id with different contents, the one
 * that counts is yielded; of a settlement with more rows than can be held back, the one listed first.
 * Throws ReconError where the run as a whole can't go on.
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
  let failuresInARow = 0;
  const expectedRows = announcedRows(settlements);
  const tell = () =>
    onProgress({ settlements: settlements.length, decided, rows: transactions, expectedRows });
  const end = (settlement: Settlement, ended: RowsEnding) => {
    const isPending = opinionThatCounts(contents.get(settlement.id) ?? [settlement]) === 'pending';
    const one = { ...partialOf(ended), settlement, isPending, rows };
    if (one.entries.length > 0 || one.changed.count > 0) partial.push(one);
    const found = 'notRead' in ended ? [] : conflictingTransaction({ outcome: ended });
    append(
      conflicting,
      found.map((one) => ({ settlement, entry: one })),
    );
    failuresInARow = 'notRead' in ended ? failuresInARow + 1 : 0;
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
    const held = heldBack(rowsAndEnding(source, settlement, index));
    for await (const part of held) yield { settlement, part };
  });
  tell();
  for await (const { settlement, part } of parts) {
    if (isEnding(part)) end(settlement, part);
    else {
      rows += part.length;
      transactions += part.length;
      yield { settlement, rows: part };
    }
    tell();
    if (failuresInARow >= mostFailuresInARow && !source.isRecord) break;
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

/** Some rows of a settlement, or how they ended. */
type Part = RowBatch | RowsEnding;

function isEnding(part: Part): part is RowsEnding {
  return !('length' in part);
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

/** Each row as it reads in the end; where there are more than are held back, as it was listed first. */
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

/** Keeps of an ending only what is to be said of it: a settlement may have a million faults. */
function partialOf(ending: RowsEnding): Pick<PartialSettlement, 'entries' | 'changed'> {
  if ('notRead' in ending) {
    const entries = [entry('not_read', 1, { reason: ending.notRead })];
    return { entries, changed: { count: 0, examples: [] } };
  }
  // Of a conflict, either content may have been handed on; that there is one is said apart.
  const conflicting = new Set(ending.conflicts.map(([first]) => first?.id));
  const changed = ending.corrections.map(({ id }) => id).filter((id) => !conflicting.has(id));
  const subject = { outcome: ending };
  return {
    entries: [...unreadableRecord(subject), ...unsteadyRead(subject)],
    changed: { count: changed.length, examples: smallestIds(changed) },
  };
}
