import type { Clock } from '../base/clock.ts';
import { shown } from '../render/inert.ts';
import { wrap } from '../render/wrap.ts';

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
}

/** Lines are not broken to less. */
const narrowest = 20;
/** Nobody reads more of a sentence; what others wrote may have no end. */
const longestSentence = 2_000;

/** What a command runs with. */
export interface Context {
  readonly host: Host;
  readonly clock: Clock;
  /** A number from 0 to below 1. */
  readonly random: () => number;
  /** Ends the run: the user's interruption, or the time that `--timeout` allows. */
  readonly signal: AbortSignal;
  /** Starts the time that the run is given, milliseconds; `reason` is what it then ends with. */
  readonly limit: (ms: number, reason: () => Error) => void;
}

/** Says something to the person at the terminal. Data never go this way. */
export function say({ stderr }: Pick<Host, 'stderr'>, text: string): void {
  stderr.write(linesFor(stderr, text));
}

/** A sentence as lines; on a terminal they end between words, and go on after the label. */
export function linesFor({ isTTY, columns }: Stream, text: string, label = ''): string {
  const words = shown(text, longestSentence);
  const room = isTTY && columns ? Math.max(columns - label.length, narrowest) : undefined;
  return (room === undefined ? [words] : wrap(words, room))
    .map((line, index) => `${index === 0 ? label : ' '.repeat(label.length)}${line}\n`)
    .join('');
}
