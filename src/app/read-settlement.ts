import { ReconError } from '../base/errors.ts';
import type { Settlement } from '../model/settlement.ts';
import type { RowsOutcome, Source } from '../model/source.ts';
import { RowColumns } from '../reconcile/row-columns.ts';

/** One settlement's rows, and how reading them ended. */
export interface SettlementReading {
  readonly settlement: Settlement;
  readonly rows: RowColumns;
  readonly outcome: RowsOutcome | { readonly notRead: string };
}

/**
 * Reads the rows of a settlement into columns. A failure that concerns this settlement alone is
 * part of the reading; any other is thrown. `onRows` hears how many rows have come in.
 */
export async function readSettlement(
  source: Source,
  settlement: Settlement,
  priority: number,
  onRows: (rows: number) => void,
): Promise<SettlementReading> {
  const rows = new RowColumns();
  try {
    const reading = source.rows(settlement, priority);
    let step = await reading.next();
    for (; !step.done; step = await reading.next()) {
      for (const row of step.value) rows.add(row);
      onRows(step.value.length);
    }
    return { settlement, rows, outcome: step.value };
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
