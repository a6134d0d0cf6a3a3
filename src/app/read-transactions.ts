import { chainOrdered } from '../base/ordered.ts';
import type { RowBatch } from '../model/row-batch.ts';
import { announcedRows, type Settlement } from '../model/settlement.ts';
import type { RowsOutcome, SettlementQuery, Source } from '../model/source.ts';
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
import { mostFailuresInARow, notTried, type Progress } from './read-settlements.ts';
import { isEnding, settlementParts } from './settlement-parts.ts';

/** Which transactions are read, and how. */
export interface TransactionsRequest {
  readonly source: Source;
  /** The settlements of a query, or a single one. */
  readonly of: SettlementQuery | { readonly settlement: string };
  /** Settlements that are read at the same time. */
  readonly ahead: number;
  readonly onProgress: (progress: Progress) => void;
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

/** A settlement that lists a transaction with different contents, of which one was handed on. */
interface ConflictingSettlement {
  readonly settlement: Settlement;
  readonly entry: Entry<'conflicting_transaction'>;
}

/** How reading the transactions ended. */
export interface TransactionsRead {
  readonly settlements: number;
  /** Rows that were handed on. */
  readonly transactions: number;
  readonly partial: readonly PartialSettlement[];
  readonly conflicting: readonly ConflictingSettlement[];
  /** What leaves it open whether all settlements were listed. */
  readonly findings: readonly Entry[];
  readonly complete: boolean;
}

// How far reading may run ahead of whoever takes the rows: batches a settlement, and announced rows
// of the settlements that wait.
const batchesReady = 4;
const rowsWaitingPerSettlement = 200;

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
  onProgress,
}: TransactionsRequest): AsyncGenerator<TransactionBatch, TransactionsRead, void> {
  const { settlements, contents, findings } = await headersOf(source, of);
  const partial: PartialSettlement[] = [];
  const conflicting: ConflictingSettlement[] = [];
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
    const conflicts = 'notRead' in ended ? [] : conflictingTransaction({ outcome: ended });
    conflicting.push(...conflicts.map((found) => ({ settlement, entry: found })));
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
  const parts = chainOrdered(settlements, lookAhead, (settlement, index) =>
    settlementParts(source, settlement, index),
  );
  tell();
  for await (const { settlement, part } of parts) {
    if (isEnding(part)) end(settlement, part);
    else {
      rows += part.length;
      transactions += part.length;
      yield { settlement, rows: part };
    }
    tell();
    if (failuresInARow >= mostFailuresInARow) break;
  }
  for (const settlement of settlements.slice(decided)) end(settlement, { notRead: notTried });
  const complete = findings.length === 0 && partial.every(({ isPending }) => isPending);
  const count = settlements.length;
  return { settlements: count, transactions, partial, conflicting, findings, complete };
}

interface Headers {
  readonly settlements: readonly Settlement[];
  /** All contents of those that are listed with several, by id. */
  readonly contents: ReadonlyMap<string, readonly Settlement[]>;
  readonly findings: readonly Entry[];
}

async function headersOf(source: Source, of: TransactionsRequest['of']): Promise<Headers> {
  if ('settlement' in of) {
    const { settlement, conflicts = [], findings } = await findSettlement(source, of.settlement);
    return {
      settlements: [settlement],
      contents: new Map(conflicts.length > 0 ? [[settlement.id, conflicts]] : []),
      findings,
    };
  }
  const headers = await source.headers(of);
  return {
    settlements: headers.settlements,
    contents: new Map(headers.conflicts.map((all) => [all[0]?.id ?? '', all])),
    findings: headerFindings(headers),
  };
}

/** Keeps of an ending only what is to be said of it: a settlement may have a million faults. */
function partialOf(ending: RowsEnding): Pick<PartialSettlement, 'entries' | 'changed'> {
  const changed = 'notRead' in ending ? [] : changedIds(ending);
  return {
    entries: entriesOf(ending),
    changed: { count: changed.length, examples: smallestIds(changed) },
  };
}

/** Of a conflict, either content may have been handed on; that there is one is said apart. */
function changedIds({ corrections, conflicts }: RowsOutcome): readonly string[] {
  const conflicting = new Set(conflicts.map(([first]) => first?.id));
  return corrections.map(({ id }) => id).filter((id) => !conflicting.has(id));
}

function entriesOf(ending: RowsEnding): PartialSettlement['entries'] {
  if ('notRead' in ending) return [entry('not_read', 1, { reason: ending.notRead })];
  return [...unreadableRecord({ outcome: ending }), ...unsteadyRead({ outcome: ending })];
}
