import { drained } from '../base/ordered.ts';
import {
  type ChargesSeen,
  chargesNamed,
  mostCharges,
  weighCharge,
} from '../explain/charge-evidence.ts';
import { explainDifference, isOpen, type ReadEvidence } from '../explain/explain.ts';
import { type Explained, withProposedRule } from '../explain/explained.ts';
import { thorough } from '../explain/limits.ts';
import type { ChargeSource } from '../model/charge.ts';
import type { DateRange, SettlementQuery, Source } from '../model/source.ts';
import { isAccepted } from '../reconcile/acceptance.ts';
import type { Entry } from '../reconcile/entry.ts';
import type { ReconciledSettlement } from '../reconcile/reconcile-settlement.ts';
import type { RowColumns } from '../reconcile/row-columns.ts';
import { runVerdict, type Verdict } from '../reconcile/verdict.ts';
import { judgeSettlement } from './find-settlement.ts';
import {
  maxNeighbourDays,
  type NeighbourData,
  NeighbourReader,
  type SearchStage,
} from './neighbour-reader.ts';
import { type FailedId, readAll } from './read-settlements.ts';
import {
  type DecidedSettlement,
  type RangeOptions,
  type RangeRun,
  reconcileRange,
} from './reconcile-range.ts';

export interface ExplainRequest
  extends Pick<RangeOptions, 'settings' | 'ageingAndAccepted' | 'fees' | 'ahead' | 'onProgress'> {
  readonly source: Source;
  /** Days around it in which to search for neighbours, 0 for none. If absent, as many as are needed. */
  readonly neighbourDays?: number | undefined;
  /** Whether reading neighbours may take more than `maxRequests`. */
  readonly isDeep: boolean;
  readonly neighbourRows: boolean;
  /** The days of the source, if known: others are not searched for neighbours. */
  readonly within?: DateRange | undefined;
  readonly charges?: ChargeSource | undefined;
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
  const { source, settings, ageingAndAccepted, fees } = request;
  const judged = await judgeSettlement(source, id, settings, ageingAndAccepted, fees);
  const { findings } = judged;
  return { ...(await explainRead(judged, request, reader)), findings };
}

async function explainRead(
  {
    reconciled,
    rows,
    outcome,
    patterns,
  }: Pick<DecidedSettlement, 'reconciled' | 'rows' | 'outcome'> & Pick<ReadEvidence, 'patterns'>,
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
    explainDifference(reconciled, rows, { outcome, patterns, ...evidence }, options);
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
  const ask = (id: string) => source.charge(id);
  const { results, failures } = await readAll({ of: 'charge', ids, ahead, ask });
  return {
    named: named.length,
    weighed: results.map(({ id, result }) => weighCharge(result, id, rows)),
    unread: failures.map(({ id, error }) => ({ id, notRead: error.message })),
  };
}

export interface ExplainedSettlements {
  /** In the order of the request; for a range, those out of balance, by date and id. */
  readonly settlements: readonly SettlementExplanation[];
  readonly failures: readonly FailedId[];
  readonly verdict: Verdict;
  /** The range and its run; absent if settlements were requested by their ids. */
  readonly range?: (DateRange & { readonly run: RangeRun }) | undefined;
}

/** Explains settlements by their ids. What cannot be read is among the failures. */
export async function explainIds(
  ids: readonly string[],
  request: ExplainRequest,
): Promise<ExplainedSettlements> {
  const reader = new NeighbourReader({ ...request, filters: {} });
  const ask = (id: string) => explainSettlement(id, request, reader);
  // In turn: each is read with all parallel requests.
  const { results, failures } = await readAll({ of: 'settlement', ids, ahead: 1, ask });
  const settlements = results.map(({ result }) => result);
  const alarming = settlements.filter(({ reconciled }) => !isAccepted(reconciled));
  const verdicts = alarming.map(({ reconciled }) => reconciled.verdict);
  const missing = failures.length > 0 ? (['incomplete'] as const) : [];
  const findings = settlements.flatMap((one) => one.findings);
  return { settlements, failures, verdict: runVerdict([...verdicts, ...missing], findings) };
}

/** Explains the settlements of a range that are out of balance. Throws ReconError if the run cannot go on. */
export async function explainRange(
  query: SettlementQuery,
  request: ExplainRequest,
): Promise<ExplainedSettlements> {
  const { source, neighbourDays: known = maxNeighbourDays } = request;
  const reader = new NeighbourReader({ ...request, filters: query.filters, known });
  const headers = await source.headers(query);
  reader.list(query.range, headers);
  const off: Pick<DecidedSettlement, 'reconciled' | 'outcome'>[] = [];
  const all = reconcileRange({ ...request, query, headers, explains: true });
  const run = await drained(all, (one) => {
    reader.judge(one);
    const { reconciled, outcome } = one;
    if (reconciled.verdict === 'out_of_balance') off.push({ reconciled, outcome });
  });
  // Neighbours are compared by what patterns leave of them.
  for (const { reconciled } of off) {
    const parts = run.partsOf.get(reconciled.settlement.id);
    if (parts) reader.leave(reconciled, parts);
  }
  const settlements: SettlementExplanation[] = [];
  for (const one of off) {
    const { settlement } = one.reconciled;
    const rows = await reader.rowsOf(settlement);
    const patterns = run.partsOf.get(settlement.id);
    const found = await explainRead({ ...one, rows, patterns }, request, reader);
    const { explained } = found;
    const isByRule = run.explained.get(settlement.id)?.byRule === true;
    settlements.push(isByRule ? { ...found, explained: withProposedRule(explained) } : found);
  }
  return { settlements, failures: [], verdict: run.verdict, range: { ...query.range, run } };
}

/** The days around it that are read first. */
const firstDays = 3;
