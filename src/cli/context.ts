import type { Clock } from '../base/clock.ts';
import { inert } from '../render/inert.ts';
import type { Host } from './host.ts';

/** What a command runs with. */
export interface Context {
  readonly host: Host;
  readonly clock: Clock;
  /** A number from 0 to below 1. */
  readonly random: () => number;
  /** Ends the run: the user's interruption, or the time that `--timeout` allows. */
  readonly signal: AbortSignal;
}

/** Says something to the person at the terminal. Data never go this way. */
export function say(host: Host, text: string): void {
  host.stderr.write(`${inert(text)}\n`);
}
