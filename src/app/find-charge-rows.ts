import type { ExplainedRow } from '../explain/explained.ts';
import { rowAt } from '../explain/explained-rows.ts';
import type { Settlement } from '../model/settlement.ts';
import type { DateRange, Source } from '../model/source.ts';
import { headerFindings } from '../reconcile/reconcile-run.ts';
import { isWhole, readSettlements } from './read-settlements.ts';

/** A row of a charge, and the settlement that lists it. */
interface ChargeRow {
  readonly settlement: Settlement;
  readonly row: ExplainedRow;
}

/** What the settlements of a range list of some charges. */
export interface ChargeRows {
  readonly range: DateRange;
  readonly settlements: number;
  /** Whether all of them were read whole: only then can a row be said to be missing. */
  readonly complete: boolean;
  /** By charge id in small letters; by date and id of the settlement. */
  readonly rows: ReadonlyMap<string, readonly ChargeRow[]>;
}

/** Reads all settlements of a range and keeps the rows of these charges. */
export async function findChargeRows(
  source: Source,
  range: DateRange,
  chargeIds: readonly string[],
  ahead: number,
): Promise<ChargeRows> {
  const list = await source.headers({ range, filters: {} });
  // A UUID is the same in capital and in small letters.
  const rows = new Map<string, ChargeRow[]>(chargeIds.map((id) => [id.toLowerCase(), []]));
  let complete = headerFindings(list).length === 0;
  const readings = readSettlements(list.settlements, { source, ahead });
  for await (const { settlement, rows: columns, outcome } of readings) {
    complete &&= isWhole(outcome);
    if ('notRead' in outcome) continue;
    columns.replace(outcome.corrections);
    const ofCharge = (index: number) => rows.get(columns.chargeId(index).toLowerCase());
    for (const index of columns.where((one) => ofCharge(one) !== undefined)) {
      ofCharge(index)?.push({ settlement, row: rowAt(columns, index) });
    }
  }
  return { range, settlements: list.settlements.length, complete, rows };
}
