import { keptReason, ReconError } from '../base/errors.ts';
import type { FailureReason } from '../base/failure-reason.ts';
import { drained, mapOrdered } from '../base/ordered.ts';
import { announcedRows, type Settlement } from '../model/settlement.ts';
import type { HeaderList, RowsOutcome, Source } from '../model/source.ts';
import { RowColumns } from '../reconcile/row-columns.ts';
import type { SettlementInput } from '../reconcile/subject.ts';

/** After so many failures in a row, the rest is not tried: the service is down. */
const mostFailuresInARow = 5;

export class FailuresInARow {
  #count = 0;

  add(hasFailed: boolean): void {
    this.#count = hasFailed ? this.#count + 1 : 0;
  }

  get areTooMany(): boolean {
    return this.#count >= mostFailuresInARow;
  }
}

export const notTried: FailureReason = {
  code: 'skipped',
  facts: { failures: String(mostFailuresInARow) },
};

export type SettlementReading = Pick<SettlementInput, 'settlement' | 'rows' | 'outcome'>;

/** Reads the rows of a settlement into columns. Throws failures that concern other settlements too. */
export async function readSettlement(
  source: Pick<Source, 'rows'>,
  settlement: Settlement,
  priority: number,
  onRows: (rows: number) => void,
  keepsDetails = false,
): Promise<SettlementReading> {
  const rows = new RowColumns(settlement.transactions, keepsDetails);
  try {
    const outcome = await drained(source.rows(settlement, priority), (batch) => {
      rows.add(batch);
      onRows(batch.length);
    });
    return { settlement, rows, outcome };
  } catch (error) {
    if (!concernsOneSettlement(error)) throw error;
    return { settlement, rows, outcome: { notRead: keptReason(error) } };
  }
}

/** Whether all rows of a settlement were read, so a row that is not found is missing. */
export function isWhole(outcome: SettlementReading['outcome']): outcome is RowsOutcome {
  return !('notRead' in outcome) && !outcome.unsteady && outcome.unreadable.length === 0;
}

/** Whether a failure concerns this settlement only, so the others can still be read. */
export function concernsOneSettlement(error: unknown): error is ReconError {
  return (
    error instanceof ReconError && !error.endsRun && ['network', 'service'].includes(error.failure)
  );
}

/** The contents of settlements that are listed with different contents, by id. */
export function conflictsById(conflicts: HeaderList['conflicts']) {
  return new Map(conflicts.map((contents) => [contents[0]?.id, contents] as const));
}

/** All contents of each settlement of a list; the first one counts. */
export function contentsOf(list: Pick<HeaderList, 'settlements' | 'conflicts'>) {
  const byId = conflictsById(list.conflicts);
  return list.settlements.map((one) => byId.get(one.id) ?? [one]);
}

export interface Progress {
  /** The day that is read, if days are read one by one. */
  readonly day?: string;
  readonly settlements: number;
  readonly decided: number;
  readonly rows: number;
  readonly expectedRows: number;
}

export interface ReadingOptions {
  readonly source: Pick<Source, 'rows' | 'isRecord'>;
  readonly ahead: number;
  readonly keepsDetails?: boolean;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

/** Reads the rows of settlements, several at a time, in order. Stops after five failures in a row. */
export async function* readSettlements(
  settlements: readonly Settlement[],
  { source, ahead, keepsDetails, onProgress = () => {} }: ReadingOptions,
): AsyncGenerator<SettlementReading, void, void> {
  let rows = 0;
  let decided = 0;
  const failures = new FailuresInARow();
  const expectedRows = announcedRows(settlements);
  const notify = () => onProgress({ settlements: settlements.length, decided, rows, expectedRows });
  const onRows = (received: number) => {
    rows += received;
    notify();
  };
  const readings = mapOrdered(settlements, ahead, (settlement, index) =>
    readSettlement(source, settlement, index, onRows, keepsDetails),
  );
  notify();
  for await (const reading of readings) {
    failures.add('notRead' in reading.outcome);
    yield reading;
    decided += 1;
    notify();
    if (failures.areTooMany && !source.isRecord) break;
  }
  for (const settlement of settlements.slice(decided)) {
    yield { settlement, rows: new RowColumns(), outcome: { notRead: notTried } };
  }
}

type Reading<Result> = { readonly id: string; readonly result: Result } | FailedId;

export interface FailedId {
  readonly id: string;
  readonly error: ReconError;
}

export interface Ids<Result> {
  readonly of: 'charge' | 'settlement';
  readonly ids: readonly string[];
  readonly ahead: number;
  readonly ask: (id: string) => Promise<Result>;
}

/** Reads each id in order. Stops after a failure that concerns all, or five failures in a row. */
export async function* readEach<Result>({
  of,
  ids,
  ahead,
  ask,
}: Ids<Result>): AsyncGenerator<Reading<Result>, void, void> {
  const failures = new FailuresInARow();
  let done = 0;
  let last: ReconError | undefined;
  for await (const reading of mapOrdered(ids, ahead, (id) => askFor(id, ask))) {
    yield reading;
    done += 1;
    if (!('error' in reading)) {
      failures.add(false);
      continue;
    }
    last = reading.error;
    if (last.failure !== 'not_found') failures.add(true);
    if (!concernsOneId(last) || failures.areTooMany) break;
  }
  for (const id of ids.slice(done)) {
    const message = `${of === 'charge' ? 'Charge' : 'Settlement'} ${id} was skipped after earlier failures.`;
    const hint = 'Resolve the earlier failures, then try again.';
    const error = new ReconError(last?.failure ?? 'service', message, { hint, reason: last });
    yield { id, error };
  }
}

/** What each id gives, in order, and the ids that could not be read. */
export async function readAll<Result>(ids: Ids<Result>) {
  const results: { readonly id: string; readonly result: Result }[] = [];
  const failures: FailedId[] = [];
  for await (const one of readEach(ids)) {
    if ('result' in one) results.push(one);
    else failures.push(one);
  }
  return { results, failures };
}

async function askFor<Result>(id: string, ask: (id: string) => Promise<Result>) {
  try {
    return { id, result: await ask(id) };
  } catch (error) {
    if (error instanceof ReconError) return { id, error };
    throw error;
  }
}

/** Whether a failure concerns this id only, so the others can still be read. */
export function concernsOneId(error: ReconError): boolean {
  return error.failure === 'not_found' || concernsOneSettlement(error);
}
