import { rowAt } from '../explain/explained.ts';
import type { Settlement } from '../model/settlement.ts';
import type { DateRange, Source } from '../model/source.ts';
import { headerFindings } from '../reconcile/reconcile-run.ts';
import { isWhole, readSettlements } from './read-settlements.ts';

type ChargeRow = { readonly settlement: Settlement; readonly row: ReturnType<typeof rowAt> };

export type ChargeRows = Awaited<ReturnType<typeof findChargeRows>>;

/** Reads all settlements of a range and keeps the rows of these charges. */
export async function findChargeRows(
  source: Source,
  range: DateRange,
  chargeIds: readonly string[],
  ahead: number,
) {
  const list = await source.headers({ range, filters: {} });
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
  return {
    range,
    settlements: list.settlements.length,
    /** Whether all settlements were read completely, so a row that is not found is missing. */
    complete,
    /** By charge id in lower case; by date and id of the settlement. */
    rows,
  };
}
