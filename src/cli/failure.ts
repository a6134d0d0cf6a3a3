import { ReconError } from '../base/errors.ts';
import { inert } from '../render/inert.ts';
import { ndjsonLine } from '../render/ndjson.ts';
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

/** How a failed run ends: its exit code, and what there is to say. */
export interface Ending {
  readonly exitCode: number;
  /** Absent where there is nobody left to tell. */
  readonly failure?: {
    readonly cause: string;
    /** What happened. */
    readonly message: string;
    readonly where?: string | undefined;
    /** What to do next. */
    readonly hint?: string | undefined;
  };
}

export function endingOf(error: unknown): Ending {
  if (error instanceof ClosedPipe) return { exitCode: exitCodes.ok };
  if (error instanceof Interrupted) {
    const failure = { cause: 'interrupted', message: 'The run was interrupted.' };
    return { exitCode: exitCodeOfInterruption(error.signal), failure };
  }
  if (error instanceof Error && error.name === 'TimeoutError') return endingOf(outOfTime());
  if (error instanceof ReconError) {
    const { failure: cause, message, where, hint } = error;
    return { exitCode: exitCodeOfFailure(cause), failure: { cause, message, where, hint } };
  }
  return { exitCode: exitCodes.bug, failure: bug(error) };
}

/** An ending for people: what happened, where, and what to do. */
function plainText({ failure }: Ending): string {
  if (!failure) return '';
  const { message, where, hint } = failure;
  const lines = [`error: ${message}`];
  if (where) lines.push(`  at:  ${where}`);
  if (hint) lines.push(`  try: ${hint}`);
  return lines.map((line) => `${inert(line)}\n`).join('');
}

/** An error in the form that whoever called can read: JSON, or lines for people. */
export function failureText(error: unknown, argv: readonly string[]): string {
  const ending = endingOf(error);
  return asksForJson(argv) ? jsonText(ending) : plainText(ending);
}

/** The same for programs, as one JSON object on a line. */
function jsonText({ exitCode, failure }: Ending): string {
  return failure ? ndjsonLine({ error: { ...failure, exitCode } }) : '';
}

/** Whether whoever called wants JSON. What is wrong may be the command line itself, so its words count. */
function asksForJson(argv: readonly string[]): boolean {
  return argv.some(
    (word, at) =>
      /^--format=(nd)?json$/.test(word) ||
      (word === '--format' && /^(nd)?json$/.test(argv[at + 1] ?? '')),
  );
}

function outOfTime(): ReconError {
  return new ReconError('network', 'The run did not end within the time that it was given.', {
    where: '--timeout',
    hint: 'Give it more time, or ask for a shorter range.',
  });
}

function bug(error: unknown) {
  return {
    cause: 'bug',
    message: error instanceof Error ? `${error.name}: ${error.message}` : String(error),
    where: error instanceof Error ? error.stack?.split('\n')[1]?.trim() : undefined,
    hint: 'This is a bug in recon: please report it with the command that you ran.',
  };
}
