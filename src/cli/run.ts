import { type Clock, systemClock } from '../base/clock.ts';
import { type Context, type Host, type Interruption, interruptions } from './context.ts';
import { endingOf, failureText, Interrupted } from './failure.ts';

export interface RunOptions {
  readonly clock?: Clock;
  /** A number from 0 to below 1. */
  readonly random?: () => number;
}

/** Runs the command that `host` was called with and returns the exit code. Never throws. */
export async function run(
  host: Host,
  { clock = systemClock, random = Math.random }: RunOptions = {},
): Promise<number> {
  const runEnd = new RunEnd();
  const listeners = interruptions.map((by) => ({ by, stop: () => runEnd.interrupt(by) }));
  for (const { by, stop } of listeners) host.on(by, stop);
  try {
    const { signal, limit } = runEnd;
    return await runCommand(host, { clock, random, signal, limit });
  } catch (error) {
    host.stderr.write(failureText(error, host));
    return endingOf(error).exitCode;
  } finally {
    runEnd.clear();
    for (const { by, stop } of listeners) host.off(by, stop);
  }
}

async function runCommand(host: Host, environment: Omit<Context, 'host'>): Promise<number> {
  const { parseCommandLine } = await import('./program.ts');
  return parseCommandLine(host.argv.slice(2), { host, ...environment })();
}

/** Ends a run before it is done: the user interrupts it, or the time that it was given is over. */
class RunEnd {
  readonly #controller = new AbortController();
  #timer: NodeJS.Timeout | undefined;

  /** Everything that waits is handed this, and throws its reason. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  interrupt(by: Interruption): void {
    this.#controller.abort(new Interrupted(by));
  }

  /** Gives the run so many milliseconds from now; `reason` is asked for when they are over. */
  readonly limit = (ms: number, reason: () => Error): void => {
    this.#timer = setTimeout(() => this.#controller.abort(reason()), ms);
    this.#timer.unref();
  };

  /** Stops the time: the run is over. */
  clear(): void {
    clearTimeout(this.#timer);
  }
}
