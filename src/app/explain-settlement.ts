import { addDays } from '../base/calendar.ts';
import { mapOrdered } from '../base/ordered.ts';
import type { ChargeSource } from '../model/charge.ts';
import type { Settlement } from '../model/settlement.ts';
import type { Source } from '../model/source.ts';
import { chargesNamed, mostCharges, weighCharges } from '../reconcile/explain/charge-evidence.ts';
import type { ChargeReading, ChargesSeen, Neighbour } from '../reconcile/explain/evidence.ts';
import type { Explained } from '../reconcile/explain/explained.ts';
import { thorough } from '../reconcile/explain/limits.ts';
import { reconcileSettlement } from '../reconcile/reconcile-settlement.ts';
import type { ReconciledSettlement, ReconcileSettings } from '../reconcile/reconciled.ts';
import type { RowColumns } from '../reconcile/row-columns.ts';
import { explainReading } from './explain-reading.ts';
import { findSettlement } from './find-settlement.ts';
import { readCharges } from './read-charges.ts';
import { readSettlement } from './read-settlement.ts';

/** How a settlement is read and explained. */
export interface ExplainRequest {
  readonly source: Source;
  readonly settings: ReconcileSettings;
  /** Days before and after in which neighbours are looked for; 0 for none. */
  readonly neighbourDays: number;
  /** Whether the neighbours' rows are read too. */
  readonly neighbourRows: boolean;
  /** Where the charges of rows that hypotheses name are read; absent where they are not asked for. */
  readonly charges?: ChargeSource | undefined;
  /** Settlements that are read at the same time. */
  readonly ahead: number;
}

/** A settlement with its explanation. */
export interface SettlementExplanation {
  readonly reconciled: ReconciledSettlement;
  readonly explained: Explained;
  /** Settlements that were looked at beside it; absent where none were asked for. */
  readonly neighbours: number | undefined;
  /** What the charges of its rows say; absent where none were asked for. */
  readonly charges: ChargesSeen | undefined;
}

/**
 * Reads one settlement, reconciles it and says why it doesn't add up. Throws ReconError: `not_found`
 * where the service returns nothing for the id, since nothing there is not the same as balanced.
 */
export async function explainSettlement(
  id: string,
  { source, settings, ahead, ...asked }: ExplainRequest,
): Promise<SettlementExplanation> {
  const { settlement, conflicts } = await findSettlement(source, id);
  const reading = await readSettlement(source, settlement, 0, () => {});
  const reconciled = reconcileSettlement({
    ...reading,
    headerConflicts: conflicts,
    settings,
  });
  const isOff = reconciled.verdict !== 'balanced' && reconciled.complete;
  const neighbours =
    isOff && asked.neighbourDays > 0
      ? await readNeighbours(settlement, { source, settings, ahead, ...asked })
      : undefined;
  const explained = explainReading(reconciled, reading, settings, thorough, neighbours);
  const charges =
    asked.charges && (await seeCharges(asked.charges, explained, reading.rows, ahead));
  return { reconciled, explained, neighbours: neighbours?.length, charges };
}

/** Charges that can't be read are part of what is seen: they change nothing else. */
async function seeCharges(
  source: ChargeSource,
  explained: Explained,
  rows: RowColumns,
  ahead: number,
): Promise<ChargesSeen> {
  const named = chargesNamed(explained, rows);
  const readings: ChargeReading[] = [];
  const asked = named.slice(0, mostCharges);
  for await (const one of readCharges(asked, ahead, (id) => source.charge(id))) {
    const { id } = one;
    readings.push(
      'result' in one ? { id, charge: one.result } : { id, notRead: one.failure.message },
    );
  }
  return weighCharges(named.length, readings, rows);
}

/** The settlements of the same accounting token and currency, some days before and after. */
async function readNeighbours(
  { id, date, accountingToken, currency }: Settlement,
  { source, neighbourDays, neighbourRows, ahead }: ExplainRequest,
): Promise<readonly Neighbour[]> {
  const range = { from: addDays(date, -neighbourDays), to: addDays(date, neighbourDays) };
  const { settlements } = await source.headers({ range, filters: {} });
  const neighbours = settlements.filter(
    (one) => one.id !== id && one.accountingToken === accountingToken && one.currency === currency,
  );
  if (!neighbourRows) return neighbours.map((settlement) => ({ settlement }));
  const read: Neighbour[] = [];
  for await (const { settlement, rows, outcome } of mapOrdered(neighbours, ahead, (one, index) =>
    readSettlement(source, one, index, () => {}),
  )) {
    const isWhole = !('notRead' in outcome) && !outcome.unsteady && outcome.unreadable.length === 0;
    if (isWhole) rows.replace(outcome.corrections);
    read.push(isWhole ? { settlement, rows } : { settlement });
  }
  return read;
}
