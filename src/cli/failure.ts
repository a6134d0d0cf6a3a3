import { parseArgs } from 'node:util';
import { ReconError } from '../base/errors.ts';
import { ndjsonLine } from '../render/json.ts';
import { codesByFailure, codesByInterruption, exitCodes } from './exit-codes.ts';
import { ClosedPipe, type Host, Interrupted, linesFor } from './host.ts';

/**
 * How a failed run ends: its exit code, and what there is to say (what happened, where, what to do
 * next), unless nobody can read it any longer.
 */
export function endingOf(error: unknown) {
  if (error instanceof ClosedPipe) return { exitCode: exitCodes.ok };
  if (error instanceof Interrupted) {
    const message = 'The run was interrupted.';
    const failure = { cause: 'interrupted', message, where: undefined, hint: undefined };
    return { exitCode: codesByInterruption[error.signal], failure };
  }
  if (error instanceof ReconError) {
    const { failure: cause, message, where, hint } = error;
    return { exitCode: codesByFailure[cause], failure: { cause, message, where, hint } };
  }
  const isError = error instanceof Error;
  const failure = {
    cause: 'bug',
    message: isError ? `${error.name}: ${error.message}` : String(error),
    where: isError ? error.stack?.split('\n')[1]?.trim() : undefined,
    hint: 'This is a bug in recon. Report it with the command that you ran.',
  };
  return { exitCode: exitCodes.bug, failure };
}

/** Why something failed, in the form that whoever called can read: JSON, or lines for people. */
export function failureText(error: unknown, { argv, stderr }: Pick<Host, 'argv' | 'stderr'>) {
  const { exitCode, failure } = endingOf(error);
  if (!failure) return '';
  if (asksForJson(argv)) return ndjsonLine({ error: { ...failure, exitCode } });
  const { message, where, hint } = failure;
  return [
    linesFor(stderr, message, 'error: '),
    where ? linesFor(stderr, where, '  at:  ') : '',
    hint ? linesFor(stderr, hint, '  try: ') : '',
  ].join('');
}

/**
 * Whether whoever called wants JSON, by `--format` or `--json`: the suffix of a file says nothing of
 * who reads standard error. What is wrong may be the command line itself, so its words count.
 */
export function asksForJson(argv: readonly string[]): boolean {
  const { format, json } = parseArgs({
    args: argv.slice(2),
    strict: false,
    options: { format: { type: 'string' }, json: { type: 'boolean' } },
  }).values;
  return json === true || /^(nd)?json$/i.test(String(format));
}

/** The time that the run was given is over; `cause` is the last request that failed, if one did. */
export function outOfTime(cause: string | undefined): ReconError {
  const said = cause === undefined ? '' : ` Last failed request: ${cause}`;
  return new ReconError('network', `The run exceeded its time limit.${said}`, {
    where: '--timeout',
    hint: 'Use a longer --timeout or a shorter range.',
    endsRun: true,
  });
}
