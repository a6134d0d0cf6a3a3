import type { Readable, Writable } from 'node:stream';
import type { Clock } from '../base/clock.ts';
import { ReconError } from '../base/errors.ts';
import type { FaultKinds } from '../sandbox/faults.ts';

/** The process, as far as the program touches it. */
export interface Host {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Absent where nobody can type. */
  readonly stdin?: Readable & { readonly isTTY?: boolean };
  readonly stdout: Stream;
  readonly stderr: Stream;
  readonly on: (signal: Interruption, listener: () => void) => unknown;
  readonly off: (signal: Interruption, listener: () => void) => unknown;
  readonly getuid?: () => number;
  readonly pid: number;
  readonly kill: (pid: number, signal: 0) => boolean;
}

/** What a run is given from outside. */
export interface Surroundings {
  readonly host: Host;
  readonly clock: Clock;
  readonly random: () => number;
  /** Ends the run: an interruption or the time limit. */
  readonly signal: AbortSignal;
  /** Starts the time limit in milliseconds; `reason` is the error it ends with. */
  readonly limit: (ms: number, reason: () => Error) => void;
  /** The faults of the sandbox; tests have more. */
  readonly faultKinds?: FaultKinds;
}

export const interruptions = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

type Interruption = (typeof interruptions)[number];

export interface Stream extends Writable {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
}

export class Interrupted extends Error {
  readonly signal: Interruption;

  constructor(signal: Interruption) {
    super(`interrupted by ${signal}`);
    this.signal = signal;
  }
}

/** The reader of the output is gone: not an error. */
export class ClosedPipe extends Error {}

/** Writes to standard output. Throws ClosedPipe if its reader is gone. */
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

/** A timer that aborts `end`. */
export function timeLimit(end: AbortController) {
  let timer: NodeJS.Timeout | undefined;
  return {
    limit: (ms: number, reason: () => Error) => {
      clearTimeout(timer);
      timer = setTimeout(() => end.abort(reason()), ms);
      timer.unref();
    },
    clear: () => clearTimeout(timer),
  };
}
