import { ReconError } from '../base/errors.ts';
import { inert } from '../render/inert.ts';
import { exitCodeOfFailure, exitCodeOfInterruption, exitCodes } from './exit-codes.ts';
import type { Interruption } from './host.ts';
import { ClosedPipe } from './output.ts';

/** The run was interrupted from outside. */
export class Interrupted extends Error {
  readonly signal: Interruption;

  constructor(signal: Interruption) {
    super(`interrupted by ${signal}`);
    this.signal = signal;
  }
}

/** How a failed run ends: its exit code, and what is said about it on standard error. */
export interface Ending {
  readonly exitCode: number;
  readonly text: string;
}

/** What to say of a failure: what happened, where, and what to do next. */
export function endingOf(error: unknown): Ending {
  if (error instanceof ClosedPipe) return { exitCode: exitCodes.ok, text: '' };
  if (error instanceof Interrupted) {
    return { exitCode: exitCodeOfInterruption(error.signal), text: 'recon: interrupted\n' };
  }
  if (error instanceof Error && error.name === 'TimeoutError') return endingOf(outOfTime());
  if (error instanceof ReconError) {
    return { exitCode: exitCodeOfFailure(error.failure), text: failureText(error) };
  }
  const details = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return {
    exitCode: exitCodes.bug,
    text: `recon: this is a bug in recon, please report it:\n${details}\n`,
  };
}

function outOfTime(): ReconError {
  return new ReconError('network', 'The run did not end within the time that it was given.', {
    where: '--timeout',
    hint: 'Give it more time, or ask for a shorter range.',
  });
}

function failureText({ message, where, hint }: ReconError): string {
  const lines = [`error: ${message}`];
  if (where) lines.push(`  at:  ${where}`);
  if (hint) lines.push(`  try: ${hint}`);
  return lines.map((line) => `${inert(line)}\n`).join('');
}
