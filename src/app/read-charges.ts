import { ReconError } from '../base/errors.ts';
import { mapOrdered } from '../base/ordered.ts';

/** What was asked for by a charge's id: the result, or why there is none. */
export type Reading<Result> =
  | { readonly id: string; readonly result: Result }
  | { readonly id: string; readonly failure: ReconError };

/** After so many faults of network or service in a row, the rest is not tried. */
const mostFaultsInARow = 5;

/**
 * Asks for each charge, several at the same time, and yields what came of it in the order of the
 * ids. A refusal of the credentials, or many faults in a row, concern the others too: these are not
 * tried then. What is no failure of a request is thrown.
 */
export async function* readCharges<Result>(
  ids: readonly string[],
  ahead: number,
  ask: (id: string) => Promise<Result>,
): AsyncGenerator<Reading<Result>, void, void> {
  let faultsInARow = 0;
  let done = 0;
  let last: ReconError | undefined;
  for await (const reading of mapOrdered(ids, ahead, (id) => askFor(id, ask))) {
    yield reading;
    done += 1;
    if (!('failure' in reading)) {
      faultsInARow = 0;
      continue;
    }
    last = reading.failure;
    if (last.failure !== 'not_found') faultsInARow += 1;
    const isFinal = last.endsRun || last.failure === 'authentication';
    if (isFinal || faultsInARow >= mostFaultsInARow) break;
  }
  for (const id of ids.slice(done)) yield { id, failure: notTried(id, last) };
}

async function askFor<Result>(
  id: string,
  ask: (id: string) => Promise<Result>,
): Promise<Reading<Result>> {
  try {
    return { id, result: await ask(id) };
  } catch (error) {
    if (error instanceof ReconError) return { id, failure: error };
    throw error;
  }
}

function notTried(id: string, last: ReconError | undefined): ReconError {
  return new ReconError(last?.failure ?? 'service', `Charge ${id} was not tried any more.`, {
    hint: 'Look at the failures before it, then ask for it again.',
    reason: last,
  });
}
