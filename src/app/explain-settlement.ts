import { addDays } from '../base/calendar.ts';
import type { Neighbour, Neighbourhood, Obstacle } from '../explain/case.ts';
import {
  type ChargesSeen,
  chargesNamed,
  mostCharges,
  type WeighedCharge,
  weighCharge,
} from '../explain/charge-evidence.ts';
import { explainDifference } from '../explain/explain.ts';
import type { Explained } from '../explain/explained.ts';
import { thorough } from '../explain/limits.ts';
import type { ChargeSource } from '../model/charge.ts';
import type { Settlement } from '../model/settlement.ts';
import type { Source } from '../model/source.ts';
import type { Entry } from '../reconcile/entry.ts';
import { reconcileSettlement } from '../reconcile/reconcile-settlement.ts';
import type { ReconciledSettlement, ReconcileSettings } from '../reconcile/reconciled.ts';
import type { RowColumns } from '../reconcile/row-columns.ts';
import { asReported, type WhenReported } from '../reconcile/when-reported.ts';
import { findSettlement } from './find-settlement.ts';
import { readEach } from './read-each.ts';
import {
  concernsOneSettlement,
  isWhole,
  readSettlement,
  readSettlements,
} from './read-settlements.ts';

/** How a settlement is read and explained. */
export interface ExplainRequest {
  readonly source: Source;
  readonly settings: ReconcileSettings;
  readonly whenReported?: WhenReported | undefined;
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
  /** What leaves its header open: with any of these, nothing is concluded. */
  readonly findings: readonly Entry[];
  readonly explained: Explained;
  /** Settlements that were looked at beside it; absent where none were asked for, or none read. */
  readonly neighbours: number | undefined;
  /** Days around it that the source doesn't hold, and that were not searched. */
  readonly missingDays: readonly string[];
  /** What the charges of its rows say; absent where none were asked for. */
  readonly charges: ChargesSeen | undefined;
}

/**
 * Reads one settlement, reconciles it and says why it does not balance. Throws ReconError if it
 * cannot be found. What is around it only helps: where that can't be read, the explanation says so.
 */
export async function explainSettlement(
  id: string,
  { source, settings, ahead, ...asked }: ExplainRequest,
): Promise<SettlementExplanation> {
  const { settlement, conflicts, findings } = await findSettlement(source, id);
  const reading = await readSettlement(source, settlement, 0, () => {});
  const judged = reconcileSettlement({ ...reading, headerConflicts: conflicts, settings });
  const reconciled = asReported(judged, asked.whenReported);
  const isOff = reconciled.verdict !== 'balanced' && reconciled.complete;
  const around =
    isOff && asked.neighbourDays > 0
      ? await readNeighbours(settlement, { source, settings, ahead, ...asked })
      : undefined;
  const explained = explainDifference(
    reconciled,
    reading.rows,
    { outcome: reading.outcome, ...around },
    { ...settings, effort: thorough },
  );
  const { neighbours, missingDays = [] } = around ?? {};
  const charges =
    asked.charges && (await seeCharges(asked.charges, explained, reading.rows, ahead));
  return { reconciled, findings, explained, neighbours: neighbours?.length, missingDays, charges };
}

/** Charges that can't be read are part of what is seen: they change nothing else. */
async function seeCharges(
  source: ChargeSource,
  explained: Explained,
  rows: RowColumns,
  ahead: number,
): Promise<ChargesSeen> {
  const named = chargesNamed(explained, rows);
  const ids = named.slice(0, mostCharges);
  const weighed: WeighedCharge[] = [];
  const unread: { readonly id: string; readonly notRead: string }[] = [];
  const ask = (id: string) => source.charge(id);
  for await (const one of readEach({ of: 'charge', ids, ahead, ask })) {
    if ('result' in one) weighed.push(weighCharge(one.result, one.id, rows));
    else unread.push({ id: one.id, notRead: one.error.message });
  }
  return { named: named.length, weighed, unread };
}

/** The settlements of the same accounting token and currency, some days before and after. */
async function readNeighbours(
  { id, date, accountingToken, currency }: Settlement,
  { source, neighbourDays, neighbourRows, ahead }: ExplainRequest,
): Promise<Neighbourhood & { readonly missingDays?: readonly string[] }> {
  const range = { from: addDays(date, -neighbourDays), to: addDays(date, neighbourDays) };
  const list = await source.headers({ range, filters: {} }).catch((error) => {
    if (!concernsOneSettlement(error)) throw error;
    return { notRead: error.message };
  });
  if ('notRead' in list) {
    return { obstacles: [{ reason: 'neighbours_not_read', failure: list.notRead }] };
  }
  const { unsteady, unreadable, missingDays = [] } = list;
  const obstacles: Obstacle[] = [];
  if (unsteady !== undefined || unreadable.length > 0) {
    obstacles.push({ reason: 'neighbours_uncertain' });
  }
  if (missingDays.length > 0) obstacles.push({ reason: 'missing_days', days: missingDays });
  const settlements = list.settlements.filter(
    (one) => one.id !== id && one.accountingToken === accountingToken && one.currency === currency,
  );
  if (!neighbourRows) {
    return {
      neighbours: settlements.map((settlement) => ({ settlement })),
      missingDays,
      obstacles,
    };
  }
  const neighbours: Neighbour[] = [];
  let unread = 0;
  for await (const { settlement, rows, outcome } of readSettlements(settlements, {
    source,
    ahead,
  })) {
    if (isWhole(outcome)) rows.replace(outcome.corrections);
    else unread += 1;
    neighbours.push({ settlement, rows: isWhole(outcome) ? rows : undefined });
  }
  if (unread > 0) {
    obstacles.push({ reason: 'neighbour_rows_not_read', unread, neighbours: neighbours.length });
  }
  return { neighbours, missingDays, obstacles };
}
