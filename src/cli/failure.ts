import { constants } from 'node:os';
import type { Progress } from '../app/read-settlements.ts';
import { ReconError } from '../base/errors.ts';
import { ndjsonLine } from '../render/json.ts';
import { grouped, many } from '../report/common/phrase.ts';
import { codesByFailure, exitCodes } from './exit-codes.ts';
import { ClosedPipe, type Host, Interrupted } from './host.ts';
import { asksForJson, linesFor } from './messages.ts';

/**
 * How a failed run ends: its exit code, and what there is to say (what happened, where, what to do
 * next), unless nobody can read it any longer.
 */
export function endingOf(error: unknown) {
  if (error instanceof ClosedPipe) return { exitCode: exitCodes.ok };
  if (error instanceof Interrupted) {
    const message = 'The run was interrupted.';
    const failure = { cause: 'interrupted', message, where: undefined, hint: undefined };
    // As shells have it.
    return { exitCode: 128 + constants.signals[error.signal], failure };
  }
  const { failure: cause, message, where, hint } = asReconError(error);
  return { exitCode: codesByFailure[cause], failure: { cause, message, where, hint } };
}

/** A failure typed by its cause: what nobody has foreseen is a bug. */
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
 * The time that the run was given is over, after so many good answers; `cause` is the last request that
 * failed, if one did.
 */
export function outOfTime(
  answers: number,
  progress: Progress | undefined,
  cause: string | undefined,
): ReconError {
  const said = cause === undefined ? '' : ` Last failed request: ${cause}`;
  const done = progress
    ? `${progress.day === undefined ? '' : `of ${progress.day}, `}${grouped(progress.decided)} of ${many(progress.settlements, 'settlement')} and ${grouped(progress.rows)} of ${many(progress.expectedRows, 'row')} were read`
    : `${many(answers, 'request')} answered`;
  return new ReconError('network', `The run exceeded its time limit. Until then, ${done}.${said}`, {
    where: '--timeout',
    hint: 'Use a longer --timeout or a shorter range.',
    endsRun: true,
  });
}
