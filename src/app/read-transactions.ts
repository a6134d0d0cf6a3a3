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
  const ledger = new TransactionsLedger();
  let decided = 0;
  let transactions = 0;
  let rows = 0;
  const failures = new FailuresInARow();
  const expectedRows = announcedRows(settlements);
  const notify = () =>
    onProgress({ settlements: settlements.length, decided, rows: transactions, expectedRows });
  const end = (settlement: Settlement, ended: RowsEnding) => {
    const isPending = decisiveStatus(contents.get(settlement.id) ?? [settlement]) === 'pending';
    ledger.end({ settlement, isPending, rows }, ended);
    failures.add('notRead' in ended);
    decided += 1;
    rows = 0;
  };
  const lookAhead = {
    ahead,
    ready: batchesReady,
    weigh: (one: Settlement) => one.transactions ?? 0,
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
  return ledger.read(findings);
}

/** What is told of settlements whose rows were read. */
export class TransactionsLedger {
  readonly #partial: PartialSettlement[] = [];
  readonly #conflicting: TransactionsRead['conflicting'][number][] = [];
  #settlements = 0;
  #transactions = 0;

  end(one: Pick<PartialSettlement, 'settlement' | 'isPending' | 'rows'>, ended: RowsEnding): void {
    this.#settlements += 1;
    this.#transactions += one.rows;
    const partial = { ...partialOf(ended), ...one };
    if (partial.entries.length > 0 || partial.changed.count > 0) this.#partial.push(partial);
    const found = 'notRead' in ended ? [] : conflictingTransactions(ended);
    const { settlement } = one;
    append(
      this.#conflicting,
      found.map((entry) => ({ settlement, entry })),
    );
  }

  read(findings: readonly Entry[]): TransactionsRead {
    const [partial, conflicting] = [this.#partial, this.#conflicting];
    const isListed = findings.every(({ weight }) => weight !== 'incomplete');
    return {
      settlements: this.#settlements,
      transactions: this.#transactions,
      partial,
      conflicting,
      findings,
      complete: isListed && partial.every(({ isPending }) => isPending),
    };
  }
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

async function* withCorrections(parts: AsyncGenerator<Part>): AsyncGenerator<Part, void, void> {
  const held = new HeldRows();
  for await (const part of parts) {
    if (!isEnding(part)) yield* held.add(part);
    else if ('notRead' in part || held.areTooMany) {
      yield* held.end([]);
      yield part;
    } else {
      yield* held.end(part.corrections);
      yield { ...part, corrections: [] };
    }
  }
}

/** Holds rows of a settlement back to give them with their corrections, unless there are too many. */
export class HeldRows {
  readonly #held: RowBatch[] = [];
  #rows = 0;

  get areTooMany(): boolean {
    return this.#rows > rowsHeldBack;
  }

  /** The rows that need not wait any longer. */
  add(batch: RowBatch): readonly RowBatch[] {
    this.#held.push(batch);
    this.#rows += batch.length;
    return this.areTooMany ? this.#held.splice(0) : [];
  }

  /** The rows that are left. */
  end(corrections: readonly Row[]): readonly RowBatch[] {
    return corrected(this.#held.splice(0), corrections);
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
