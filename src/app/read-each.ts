import { ReconError } from '../base/errors.ts';
import { mapOrdered } from '../base/ordered.ts';
import { concernsOneSettlement, FailuresInARow } from './read-settlements.ts';

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

/** Reads each id in order. Stops trying after a failure that concerns all, or five in a row. */
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

async function askFor<Result>(id: string, ask: (id: string) => Promise<Result>) {
  try {
    return { id, result: await ask(id) };
  } catch (error) {
    if (error instanceof ReconError) return { id, error };
    throw error;
  }
}

/** Whether a failure concerns this id only, so that the others can be read. */
export function concernsOneId(error: ReconError): boolean {
  return error.failure === 'not_found' || concernsOneSettlement(error);
}
