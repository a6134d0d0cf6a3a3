import { mapOrdered } from '../base/ordered.ts';
import type { HeaderList, SettlementQuery, Source } from '../model/source.ts';
import type { Explained } from '../reconcile/explain/explained.ts';
import { quick } from '../reconcile/explain/limits.ts';
import { reconcileRun } from '../reconcile/reconcile-run.ts';
import { reconcileSettlement } from '../reconcile/reconcile-settlement.ts';
import type {
  ReconciledRun,
  ReconciledSettlement,
  ReconcileSettings,
} from '../reconcile/reconciled.ts';
import { RowColumns } from '../reconcile/row-columns.ts';
import { SharedTransactions } from '../reconcile/shared-transactions.ts';
import { explainReading } from './explain-reading.ts';
import { mostFailuresInARow, notTried } from './failures-in-a-row.ts';
import { readSettlement, type SettlementReading } from './read-settlement.ts';

/** How far a run has come. */
export interface Progress {
  /** The day that is read, where days are read one after the other. */
  readonly day?: string;
  /** Settlements in the range. */
  readonly settlements: number;
  readonly decided: number;
  /** Rows received. */
  readonly rows: number;
  /** Rows that the headers announce. */
  readonly expectedRows: number;
}

export interface RangeOptions {
  readonly source: Source;
  readonly query: SettlementQuery;
  readonly settings: ReconcileSettings;
  /** Whether to look for what makes a settlement out of balance, without another request. */
  readonly explains: boolean;
  /** Settlements that are read at the same time. */
  readonly ahead: number;
  readonly onProgress: (progress: Progress) => void;
}

/** A settlement, decided; `explained` where that was asked for and it is out of balance. */
export interface DecidedSettlement {
  readonly reconciled: ReconciledSettlement;
  readonly explained: Explained | undefined;
}

/**
 * Reconciles the settlements of a range: yields each as soon as it is decided, by date and id, and
 * returns the run. Throws ReconError where the run as a whole can't go on.
 */
export async function* reconcileRange(
  options: RangeOptions,
): AsyncGenerator<DecidedSettlement, ReconciledRun, void> {
  const { source, query, settings, explains } = options;
  const headers = await source.headers(query);
  const headerConflicts = conflictsById(headers);
  const shared = new SharedTransactions();
  const settlements: ReconciledSettlement[] = [];
  for await (const reading of readInOrder(options, headers)) {
    const { settlement, rows, outcome } = reading;
    const settled = reconcileSettlement({
      settlement,
      rows,
      outcome,
      headerConflicts: headerConflicts.get(settlement.id),
      range: query.range,
      settings,
    });
    if (!('notRead' in outcome)) shared.add(settlement.id, rows);
    settlements.push(settled);
    const isExplained = explains && settled.verdict === 'out_of_balance';
    yield {
      reconciled: settled,
      explained: isExplained ? explainReading(settled, reading, settings, quick) : undefined,
    };
  }
  return reconcileRun({ settlements, headers, shared, settings });
}

/** The settlements of a list with their rows, several read at the same time. */
async function* readInOrder(
  { source, ahead, onProgress }: RangeOptions,
  { settlements }: HeaderList,
): AsyncGenerator<SettlementReading, void, void> {
  let rows = 0;
  let decided = 0;
  let failuresInARow = 0;
  const expectedRows = settlements.reduce((sum, { transactions }) => sum + transactions, 0);
  const tell = () => onProgress({ settlements: settlements.length, decided, rows, expectedRows });
  const readings = mapOrdered(settlements, ahead, (settlement, index) =>
    readSettlement(source, settlement, index, (received) => {
      rows += received;
      tell();
    }),
  );
  tell();
  for await (const reading of readings) {
    failuresInARow = 'notRead' in reading.outcome ? failuresInARow + 1 : 0;
    yield reading;
    decided += 1;
    tell();
    if (failuresInARow >= mostFailuresInARow) break;
  }
  for (const settlement of settlements.slice(decided)) {
    yield { settlement, rows: new RowColumns(), outcome: { notRead: notTried } };
  }
}

function conflictsById({ conflicts }: HeaderList) {
  return new Map(conflicts.map((contents) => [contents[0]?.id, contents] as const));
}
