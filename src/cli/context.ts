import type { Pacer } from '../api/pacer.ts';
import type { Clock } from '../base/clock.ts';
import type { Flags } from './flags.ts';
import type { Host } from './host.ts';
import type { Messages } from './messages.ts';

/** What a run is given from outside. */
export interface Surroundings {
  readonly host: Host;
  readonly clock: Clock;
  /** A number from 0 to below 1. */
  readonly random: () => number;
  /** Ends the run: the user's interruption, or the time that `--timeout` allows. */
  readonly signal: AbortSignal;
  /** Starts the time that the run is given, milliseconds; `reason` is what it then ends with. */
  readonly limit: (ms: number, reason: () => Error) => void;
}

/** What a command runs with. */
export interface Context extends Surroundings {
  /** As they were given, and understood one by one. */
  readonly flags: Flags;
  readonly messages: Messages;
  /**
   * The gate for all requests to the service at `baseUrl`, at most `concurrency` at a time. Absent
   * where nobody else of this run asks it.
   */
  readonly pacerOf?: (baseUrl: string, concurrency: number) => Pacer;
}
