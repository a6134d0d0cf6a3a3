import { drained } from '../base/ordered.ts';
import {
  type ChargesSeen,
  chargesNamed,
  mostCharges,
  type WeighedCharge,
  weighCharge,
} from '../explain/charge-evidence.ts';
import { isOpen } from '../explain/counterparts.ts';
import { explainDifference } from '../explain/explain.ts';
import type { Explained } from '../explain/explained.ts';
import { thorough } from '../explain/limits.ts';
import type { ChargeSource } from '../model/charge.ts';
import type { DateRange, SettlementQuery, Source } from '../model/source.ts';
import type { Entry } from '../reconcile/entry.ts';
import type {
  ReconciledRun,
  ReconciledSettlement,
  ReconcileSettings,
} from '../reconcile/reconciled.ts';
import type { RowColumns } from '../reconcile/row-columns.ts';
import type { WhenReported } from '../reconcile/when-reported.ts';
import { judgeSettlement } from './find-settlement.ts';
import { heldBack } from './name-counterparts.ts';
import { type Around, farthest, type Look, NeighbourReader, nearest } from './neighbour-reader.ts';
import { readEach } from './read-each.ts';
import type { Progress } from './read-settlements.ts';
import { type DecidedSettlement, reconcileRange } from './reconcile-range.ts';

/** How settlements are read and explained. */
export interface ExplainRequest {
  readonly source: Source;
  readonly settings: ReconcileSettings;
  readonly whenReported?: WhenReported | undefined;
  /**
   * Days before and after in which neighbours are looked for, 0 for none. Where absent, they are more
   * and more as long as no explanation is certain, and then the rows of a few are read too.
   */
  readonly neighbourDays?: number | undefined;
  /** Whether neighbours may take more than `mostRequests`. */
  readonly isDeep: boolean;
  /** Whether the rows of all neighbours are read. */
  readonly neighbourRows: boolean;
  /** The days that the source can have, where that is known: neighbours are looked for in no others. */
  readonly within?: DateRange | undefined;
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
  /** What was looked at; how many neighbours is absent where none were asked for, or none could be listed. */
  readonly around: Omit<Around, 'neighbours' | 'obstacles'> &
    Record<'neighbours', number | undefined>;
  /** What the charges of its rows say; absent where none were asked for. */
  readonly charges: ChargesSeen | undefined;
}

/**
 * Reads one settlement, reconciles it and says why it does not balance. Throws ReconError if it
 * cannot be found. What is around it only helps: where that can't be read, the explanation says so.
 */
export async function explainSettlement(
  id: string,
  request: ExplainRequest,
  reader = new NeighbourReader({ ...request, filters: {} }),
): Promise<SettlementExplanation> {
  const { source, settings, whenReported } = request;
  const judged = await judgeSettlement(source, id, settings, whenReported);
  const { findings } = judged;
  return { ...(await explainRead(judged, request, reader)), findings };
}

/** Explains a settlement that was read, by what is around it as far as it takes that. */
async function explainRead(
  { reconciled, rows, outcome }: Pick<DecidedSettlement, 'reconciled' | 'rows' | 'outcome'>,
  request: ExplainRequest,
  reader: NeighbourReader,
): Promise<SettlementExplanation> {
  const options = { ...request.settings, effort: thorough };
  const isOff = reconciled.verdict !== 'balanced' && reconciled.complete;
  const [first, ...others] = isOff ? looksOf(request) : [nowhere];
  const allowance = request.isDeep ? undefined : { left: mostRequests };
  const look = (how: Look) => reader.look(reconciled.settlement, { ...how, allowance });
  const explainBy = (evidence: Around) =>
    explainDifference(reconciled, rows, { outcome, ...evidence }, options);
  let found = await look(first);
  let explained = explainBy(found);
  for (const next of others) {
    const isHindered = found.obstacles?.some(({ reason }) => reason === 'neighbours_not_read');
    if (isHindered || !isOpen(explained)) break;
    const before = found;
    const isTooMuch = allowance && allowance.left < listing && next.days > nearest;
    found = await look(isTooMuch && before.days === nearest ? { ...next, days: nearest } : next);
    if (tellsMore(found, before)) explained = explainBy(found);
  }
  const { charges: source, ahead } = request;
  const charges = source && (await seeCharges(source, explained, rows, ahead));
  const { days, neighbours, rowsRead, missingDays } = found;
  const around = { days, neighbours: neighbours?.length, rowsRead, missingDays };
  return { reconciled, findings: [], explained, around, charges };
}

/** Neighbours take so many requests at most, for each settlement that is explained. */
const mostRequests = 20;

/** So many requests list the farthest days, where the nearest ones took a page or two. */
const listing = 14;

const nowhere: Look = { days: 0, rows: 'none' };

/** Where to look one after the other. What costs least comes first: headers before rows. */
function looksOf(request: ExplainRequest): readonly [Look, ...(readonly Look[])] {
  const { neighbourDays: days, neighbourRows } = request;
  const rows = neighbourRows ? 'all' : 'none';
  if (days !== undefined) return [{ days, rows }];
  const around: readonly [Look, Look] = [
    { days: nearest, rows },
    { days: farthest, rows },
  ];
  return neighbourRows ? around : [nowhere, ...around, { days: farthest, rows: 'few' }];
}

/** Whether there is more to explain it by, or more to say of what could not be read. */
function tellsMore(now: Around, before: Around): boolean {
  const known = ({ neighbours, rowsRead, obstacles }: Around) =>
    JSON.stringify([neighbours?.length, rowsRead, obstacles]);
  return known(now) !== known(before);
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

/** A range, and those of its settlements that are out of balance with their explanations. */
export interface ExplainedRange {
  readonly run: ReconciledRun;
  readonly settlements: readonly SettlementExplanation[];
}

/**
 * Reads the settlements of a range, each once, and explains those that are out of balance: the others
 * of the range are what is around each of them. Throws ReconError where the run can't go on.
 */
export async function explainRange(
  query: SettlementQuery,
  request: ExplainRequest,
  onProgress: (progress: Progress) => void,
): Promise<ExplainedRange> {
  const { source, neighbourDays: known = farthest } = request;
  const reader = new NeighbourReader({ ...request, filters: query.filters, known });
  const headers = await source.headers(query);
  reader.list(query.range, headers);
  const settlements: SettlementExplanation[] = [];
  const run = reconcileRange({ ...request, query, headers, explains: false, onProgress });
  const held = heldBack(run, farthest, (one) => {
    reader.judge(one);
    // What is off by the opposite may come later.
    return one.reconciled.verdict === 'out_of_balance' ? { kept: one, waits: true } : undefined;
  });
  const ended = await drained(held, async (one) => {
    settlements.push(await explainRead(one, request, reader));
  });
  return { run: ended, settlements };
}
