import { constants } from 'node:os';
import { concernsOneId, type FailedId, type Ids, readAll } from '../app/read-settlements.ts';
import { faultOf, ReconError } from '../base/errors.ts';
import { failureCode } from '../base/file-failures.ts';
import { ndjsonLine } from '../render/json.ts';
import type { Context } from './context.ts';
import { codesByFailure, exitCodes } from './exit-codes.ts';
import { ClosedPipe, type Host, Interrupted } from './host.ts';
import { linesFor, wantsJson } from './messages.ts';

/** The exit code of a failed run, and the failure unless the reader of the output is gone. */
export function endingOf(error: unknown) {
  if (error instanceof ClosedPipe) return { exitCode: exitCodes.ok };
  if (error instanceof Interrupted) {
    const message = 'The run was interrupted.';
    const failure = { cause: 'interrupted', message, where: null, hint: null };
    // By the convention of shells.
    return { exitCode: 128 + constants.signals[error.signal], failure };
  }
  const failure = faultOf(asReconError(error));
  return { exitCode: codesByFailure[failure.cause], failure };
}

/** Anything unforeseen is a bug. */
export function asReconError(error: unknown): ReconError {
  if (error instanceof ReconError) return error;
  const isError = error instanceof Error;
  const message = isError ? `${error.name}: ${error.message}` : String(error);
  return new ReconError('bug', message, {
    where: isError ? error.stack?.split('\n')[1]?.trim() : undefined,
    hint: 'This is a bug in recon. Report it with the command that you ran.',
    reason: error,
  });
}

/** A failure as JSON if the command line asks for it, else as lines. */
export function failureText(error: unknown, { argv, stderr }: Pick<Host, 'argv' | 'stderr'>) {
  const { exitCode, failure } = endingOf(error);
  if (!failure) return '';
  if (wantsJson(argv)) return ndjsonLine({ error: { ...failure, exitCode } });
  const { message, where, hint } = failure;
  return [
    linesFor(stderr, message, 'error: '),
    where ? linesFor(stderr, where, '  at:  ') : '',
    hint ? linesFor(stderr, hint, '  try: ') : '',
  ].join('');
}

const otherPort = 'Choose another --port, or 0 for any free port.';
const otherHost = 'Remove --host, or name an address of this machine.';
const reasons: Readonly<Record<string, readonly [what: string, where: string, hint: string]>> = {
  EADDRINUSE: ['the port is in use', '--port', otherPort],
  EACCES: ['permission denied', '--port', otherPort],
  EADDRNOTAVAIL: ['this is not an address of this machine', '--host', otherHost],
  ENOTFOUND: ['host not found', '--host', otherHost],
};
const refused = ['the system refused it', '--host', 'Choose another --host or --port.'] as const;

interface ListeningPlace {
  readonly port?: number | undefined;
  readonly host?: string | undefined;
}

/** Why `who` cannot listen there; `reason` is the system's error. */
export function cannotListen(
  who: string,
  { port = 0, host = '127.0.0.1' }: ListeningPlace,
  reason: unknown,
): ReconError {
  const code = failureCode(reason) ?? 'unknown error';
  const [what, where, hint] = reasons[code] ?? refused;
  const message = `${who} cannot listen on port ${port} of ${host}: ${what} (${code}).`;
  return new ReconError('usage', message, { where, hint, reason });
}

/** Reads what the ids name. Throws as `requireSome`. */
export async function readByIds<Result>(ids: Ids<Result>, context: Context) {
  const read = await readAll(ids);
  requireSome(read.results, read.failures, context);
  return { results: read.results.map(({ result }) => result), failures: read.failures };
}

/** Throws a failure that concerns all, or the last failure if nothing was read. */
export function requireSome(
  results: readonly unknown[],
  failures: readonly FailedId[],
  context: Context,
): void {
  context.messages.stop();
  const last = failures.at(-1);
  const fatal = failures.find(({ error }) => !concernsOneId(error));
  if (fatal) throw fatal.error;
  if (!last || results.length > 0) return;
  printFailures(failures.slice(0, -1), context);
  throw last.error;
}

export function printFailures(failures: readonly FailedId[], { host }: Context): void {
  for (const { error } of failures) host.stderr.write(failureText(error, host));
}
