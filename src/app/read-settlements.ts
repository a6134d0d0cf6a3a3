import { mapOrdered } from '../base/ordered.ts';
import { announcedRows, type Settlement } from '../model/settlement.ts';
import type { Source } from '../model/source.ts';
import { RowColumns } from '../reconcile/row-columns.ts';
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

/** How settlements are read. */
export interface ReadingOptions {
  readonly source: Source;
  /** Settlements that are read at the same time. */
  readonly ahead: number;
  readonly onProgress?: (progress: Progress) => void;
}

/**
 * Settlements with their rows, in their order, several read at the same time. After many failures in
 * a row, the rest is not tried.
 */
export async function* readSettlements(
  settlements: readonly Settlement[],
  { source, ahead, onProgress = () => {} }: ReadingOptions,
): AsyncGenerator<SettlementReading, void, void> {
  let rows = 0;
  let decided = 0;
  let failuresInARow = 0;
  const expectedRows = announcedRows(settlements);
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
