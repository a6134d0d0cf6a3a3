import { Interrupted } from './failure.ts';
import type { Interruption } from './host.ts';

/** Ends a run before it is done: the user interrupts it, or the time that it was given is over. */
export class RunEnd {
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
