import { ReconError } from '../base/errors.ts';
import { mapOrdered } from '../base/ordered.ts';
import { concernsOneSettlement, mostFailuresInARow } from './read-settlements.ts';

/** What was asked for by an id: the result, or why there is none. */
export type Reading<Result> = { readonly id: string; readonly result: Result } | FailedId;

export interface FailedId {
  readonly id: string;
  readonly error: ReconError;
}

/** What is asked for by ids, and how. */
export interface Ids<Result> {
  /** What they are the ids of. */
  readonly of: 'charge' | 'settlement';
  readonly ids: readonly string[];
  /** How many are asked for at the same time. */
  readonly ahead: number;
  readonly ask: (id: string) => Promise<Result>;
}

/**
 * Asks for each of the ids, and yields what came of it in their order. A failure that concerns the
 * others too, or many of network or service in a row: then these are not tried. What is no failure
 * of a request is thrown.
 */
export async function* readEach<Result>(
  asked: Ids<Result>,
): AsyncGenerator<Reading<Result>, void, void> {
  const { of, ids, ahead, ask } = asked;
  let failuresInARow = 0;
  let done = 0;
  let last: ReconError | undefined;
  for await (const reading of mapOrdered(ids, ahead, (id) => askFor(id, ask))) {
    yield reading;
    done += 1;
    if (!('error' in reading)) {
      failuresInARow = 0;
      continue;
    }
    last = reading.error;
    if (last.failure !== 'not_found') failuresInARow += 1;
    if (!concernsOneId(last) || failuresInARow >= mostFailuresInARow) break;
  }
  for (const id of ids.slice(done)) {
    const message = `${of === 'charge' ? 'Charge' : 'Settlement'} ${id} was skipped after earlier failures.`;
    const hint = 'Resolve the earlier failures, then try again.';
    const error = new ReconError(last?.failure ?? 'service', message, { hint, reason: last });
    yield { id, error };
  }
}

async function askFor<Result>(
  id: string,
  ask: (id: string) => Promise<Result>,
): Promise<Reading<Result>> {
  try {
    return { id, result: await ask(id) };
  } catch (error) {
    if (error instanceof ReconError) return { id, error };
    throw error;
  }
}

/** Whether a failure leaves the other ids to be asked for. */
export function concernsOneId(error: ReconError): boolean {
  return error.failure === 'not_found' || concernsOneSettlement(error);
}
