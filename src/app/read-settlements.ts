import { ReconError } from '../base/errors.ts';
import { drained, mapOrdered } from '../base/ordered.ts';
import { announcedRows, type Settlement } from '../model/settlement.ts';
import type { HeaderList, RowsOutcome, Source } from '../model/source.ts';
import { RowColumns } from '../reconcile/row-columns.ts';
import type { SettlementInput } from '../reconcile/subject.ts';

/** After so many in a row that can't be read, the rest is not tried: settlements, or charges. */
export const mostFailuresInARow = 5;

/** Why the rest of the settlements wasn't read. */
export const notTried = `skipped after ${mostFailuresInARow} settlements in a row could not be read`;

/** One settlement's rows, and how reading them ended. */
export type SettlementReading = Pick<SettlementInput, 'settlement' | 'rows' | 'outcome'>;

/**
 * Reads the rows of a settlement into columns. A failure that concerns this settlement alone is
 * part of the reading; any other is thrown. `onRows` hears how many rows have come in.
 */
export async function readSettlement(
  source: Pick<Source, 'rows'>,
  settlement: Settlement,
  priority: number,
  onRows: (rows: number) => void,
): Promise<SettlementReading> {
  const rows = new RowColumns(settlement.transactions);
  try {
    const outcome = await drained(source.rows(settlement, priority), (batch) => {
      rows.add(batch);
      onRows(batch.length);
    });
    return { settlement, rows, outcome };
  } catch (error) {
    if (!concernsOneSettlement(error)) throw error;
    return { settlement, rows, outcome: { notRead: error.message } };
  }
}

/** Whether all of a settlement's rows were read: only then can one be said to be missing. */
export function isWhole(outcome: SettlementReading['outcome']): outcome is RowsOutcome {
  return !('notRead' in outcome) && !outcome.unsteady && outcome.unreadable.length === 0;
}

/** Whether a failure leaves the other settlements to be read. */
export function concernsOneSettlement(error: unknown): error is ReconError {
  return (
    error instanceof ReconError && !error.endsRun && ['network', 'service'].includes(error.failure)
  );
}

/** All contents of the settlements that are listed with several, by id. */
export function conflictsById(conflicts: HeaderList['conflicts']) {
  return new Map(conflicts.map((contents) => [contents[0]?.id, contents] as const));
}

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
  readonly source: Pick<Source, 'rows' | 'isRecord'>;
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
    if (failuresInARow >= mostFailuresInARow && !source.isRecord) break;
  }
  for (const settlement of settlements.slice(decided)) {
    yield { settlement, rows: new RowColumns(), outcome: { notRead: notTried } };
  }
}
