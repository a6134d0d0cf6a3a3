import type { Clock } from '../base/clock.ts';
import { shown } from '../render/inert.ts';
import { wrap } from '../render/wrap.ts';
import type { Host, Stream } from './host.ts';

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
