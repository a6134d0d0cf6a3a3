import { drained } from '../base/ordered.ts';
import {
  type ChargesSeen,
  chargesNamed,
  mostCharges,
  type WeighedCharge,
  weighCharge,
} from '../explain/charge-evidence.ts';
import { explainDifference, isOpen } from '../explain/explain.ts';
import type { Explained } from '../explain/explained.ts';
import { thorough } from '../explain/limits.ts';
import type { ChargeSource } from '../model/charge.ts';
import type { DateRange, SettlementQuery, Source } from '../model/source.ts';
import type { FeeCheck } from '../reconcile/agreed/check-fees.ts';
import type { Entry } from '../reconcile/entry.ts';
import type { ReconciledRun } from '../reconcile/reconcile-run.ts';
import type { ReconciledSettlement } from '../reconcile/reconcile-settlement.ts';
import type { RowColumns } from '../reconcile/row-columns.ts';
import type { ReconcileSettings } from '../reconcile/subject.ts';
import type { WhenReported } from '../reconcile/when-reported.ts';
import { judgeSettlement } from './find-settlement.ts';
import {
  heldBack,
  maxNeighbourDays,
  type NeighbourData,
  NeighbourReader,
  type SearchStage,
} from './neighbour-reader.ts';
import { type Progress, readEach } from './read-settlements.ts';
import { type DecidedSettlement, reconcileRange } from './reconcile-range.ts';

export interface ExplainRequest {
  readonly source: Source;
  readonly settings: ReconcileSettings;
  readonly whenReported?: WhenReported | undefined;
  readonly fees?: FeeCheck | undefined;
  /** Days around it in which to search for neighbours, 0 for none. If absent, as many as are needed. */
  readonly neighbourDays?: number | undefined;
  /** Whether reading neighbours may take more than `maxRequests`. */
  readonly isDeep: boolean;
  readonly neighbourRows: boolean;
  /** The days of the source, if known: others are not searched for neighbours. */
  readonly within?: DateRange | undefined;
  readonly charges?: ChargeSource | undefined;
  readonly ahead: number;
}

export interface SettlementExplanation {
  readonly reconciled: ReconciledSettlement;
  /** Why its header is uncertain: if there are any, nothing is concluded. */
  readonly findings: readonly Entry[];
  readonly explained: Explained;
  /** What was read; `neighbours` is absent if they were not requested or could not be listed. */
  readonly around: Omit<NeighbourData, 'neighbours' | 'obstacles'> &
    Record<'neighbours', number | undefined>;
  readonly charges: ChargesSeen | undefined;
}

/** Reads and reconciles one settlement, and explains it. Throws ReconError if it cannot be found. */
export async function explainSettlement(
  id: string,
  request: ExplainRequest,
  reader = new NeighbourReader({ ...request, filters: {} }),
): Promise<SettlementExplanation> {
  const { source, settings, whenReported, fees } = request;
  const judged = await judgeSettlement(source, id, settings, whenReported, fees);
  const { findings } = judged;
  return { ...(await explainRead(judged, request, reader)), findings };
}

async function explainRead(
  { reconciled, rows, outcome }: Pick<DecidedSettlement, 'reconciled' | 'rows' | 'outcome'>,
  request: ExplainRequest,
  reader: NeighbourReader,
): Promise<SettlementExplanation> {
  const options = { ...request.settings, effort: thorough };
  const isOff = reconciled.verdict !== 'balanced' && reconciled.complete;
  const [first, ...others] = isOff ? searchStages(request) : [noSearch];
  const allowance = request.isDeep ? undefined : { left: maxRequests };
  const readStage = (stage: SearchStage) =>
    reader.read(reconciled.settlement, { ...stage, allowance });
  const explainBy = (evidence: NeighbourData) =>
    explainDifference(reconciled, rows, { outcome, ...evidence }, options);
  let found = await readStage(first);
  let explained = explainBy(found);
  for (const next of others) {
    const isHindered = found.obstacles?.some(({ reason }) => reason === 'neighbours_not_read');
    if (isHindered || !isOpen(explained)) break;
    const before = found;
    const isTooMuch = allowance && allowance.left < listingRequests && next.days > firstDays;
    found = await readStage(
      isTooMuch && before.days === firstDays ? { ...next, days: firstDays } : next,
    );
    if (hasNewEvidence(found, before)) explained = explainBy(found);
  }
  const { charges: source, ahead } = request;
  const charges = source && (await fetchCharges(source, explained, rows, ahead));
  const { days, neighbours, rowsRead, missingDays } = found;
  const around = { days, neighbours: neighbours?.length, rowsRead, missingDays };
  return { reconciled, findings: [], explained, around, charges };
}

/** The most requests for the neighbours of one settlement. */
const maxRequests = 20;

/** Requests that list all days up to `maxNeighbourDays`, if the first days took a page or two. */
const listingRequests = 14;

const noSearch: SearchStage = { days: 0, rows: 'none' };

/** The stages of the search. The cheapest comes first: headers before rows. */
function searchStages(
  request: ExplainRequest,
): readonly [SearchStage, ...(readonly SearchStage[])] {
  const { neighbourDays: days, neighbourRows } = request;
  const rows = neighbourRows ? 'all' : 'none';
  if (days !== undefined) return [{ days, rows }];
  const stages: readonly [SearchStage, SearchStage] = [
    { days: firstDays, rows },
    { days: maxNeighbourDays, rows },
  ];
  return neighbourRows ? stages : [noSearch, ...stages, { days: maxNeighbourDays, rows: 'few' }];
}

function hasNewEvidence(now: NeighbourData, before: NeighbourData): boolean {
  const known = ({ neighbours, rowsRead, obstacles }: NeighbourData) =>
    JSON.stringify([neighbours?.length, rowsRead, obstacles]);
  return known(now) !== known(before);
}

/** Reads the charges of rows in an explanation; a failure is part of the result. */
async function fetchCharges(
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

export interface ExplainedRange {
  readonly run: ReconciledRun;
  readonly settlements: readonly SettlementExplanation[];
}

/** Explains the settlements of a range that are out of balance. Throws ReconError if the run cannot go on. */
export async function explainRange(
  query: SettlementQuery,
  request: ExplainRequest,
  onProgress: (progress: Progress) => void,
): Promise<ExplainedRange> {
  const { source, neighbourDays: known = maxNeighbourDays } = request;
  const reader = new NeighbourReader({ ...request, filters: query.filters, known });
  const headers = await source.headers(query);
  reader.list(query.range, headers);
  const settlements: SettlementExplanation[] = [];
  const run = reconcileRange({ ...request, query, headers, explains: false, onProgress });
  const held = heldBack(run, maxNeighbourDays, (one) => {
    reader.judge(one);
    // Its counterpart may come later.
    return one.reconciled.verdict === 'out_of_balance' ? { kept: one, waits: true } : undefined;
  });
  const ended = await drained(held, async (one) => {
    settlements.push(await explainRead(one, request, reader));
  });
  return { run: ended, settlements };
}

/** The days around it that are read first. */
const firstDays = 3;
