import { concernsOneId, type FailedId, type Ids, readEach } from '../app/read-each.ts';
import type { Context } from './context.ts';
import { failureText } from './failure.ts';

/**
 * Asks for what the ids of a command line name, in their order. What fails is to be told after the others; where nothing else is left, or
 * the run can't go on, it is thrown.
 */
export async function answersTo<Result>(ids: Ids<Result>, context: Context) {
  const results: Result[] = [];
  const failures: FailedId[] = [];
  for await (const reading of readEach(ids)) {
    if ('result' in reading) results.push(reading.result);
    else if (concernsOneId(reading.error)) failures.push(reading);
    else throw reading.error;
  }
  context.messages.stop();
  const last = failures.at(-1);
  if (!last || results.length > 0) return { results, failures };
  tellFailures(failures.slice(0, -1), context);
  throw last.error;
}

/** Says why there is nothing for some of the ids. */
export function tellFailures(failures: readonly FailedId[], { host }: Context): void {
  for (const { error } of failures) host.stderr.write(failureText(error, host));
}
