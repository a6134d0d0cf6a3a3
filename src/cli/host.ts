import { ReconError } from '../base/errors.ts';

/** The process, as far as the program touches it. Tests bring their own. */
export interface Host {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdout: Stream;
  readonly stderr: Stream;
  readonly on: (signal: Interruption, listener: () => void) => unknown;
  readonly off: (signal: Interruption, listener: () => void) => unknown;
  readonly getuid?: () => number;
  readonly pid: number;
  /** With signal 0 it only says whether the process is there; throws where it isn't. */
  readonly kill: (pid: number, signal: 0) => boolean;
}

/** What ends a run from outside: Ctrl-C, a request to end, a terminal that was closed. */
export const interruptions = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export type Interruption = (typeof interruptions)[number];

export interface Stream extends NodeJS.WritableStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
}

/** The run was interrupted from outside. */
export class Interrupted extends Error {
  readonly signal: Interruption;

  constructor(signal: Interruption) {
    super(`interrupted by ${signal}`);
    this.signal = signal;
  }
}

/** The reader of our output has gone away: nothing is wrong, and there is nothing left to do. */
export class ClosedPipe extends Error {}

/** Writes a piece to standard output, whole. Throws ClosedPipe where nobody reads it any more. */
export function print({ stdout }: Pick<Host, 'stdout'>, piece: string | Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    stdout.write(piece, (error) => {
      if (!error) resolve();
      else if ('code' in error && error.code === 'EPIPE') reject(new ClosedPipe());
      else {
        const hint = 'Free some space, or use --output to write to another place.';
        const message = `Standard output cannot be written: ${error.message}.`;
        reject(new ReconError('output', message, { hint, reason: error }));
      }
    });
  });
}
