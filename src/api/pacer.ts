import type { Clock } from '../base/clock.ts';

/** Answers in a row after which one more request at a time is tried again. */
const recovery = 20;

/** Where a request stands in the line: the lowest goes first, number by number. */
export type Priority = readonly [settlement: number, offset: number];

interface Waiting {
  readonly priority: Priority;
  readonly start: () => void;
}

/**
 * The one gate for all requests of a run: bounds how many are under way, lets the head of the line
 * go first, and slows everyone down when the service says that its rate limit is reached.
 */
export class Pacer {
  readonly #ceiling: number;
  readonly #clock: Clock;
  readonly #signal: AbortSignal;
  readonly #waiting: Waiting[] = [];
  #allowed: number;
  #running = 0;
  #answersInARow = 0;
  #pausedUntil = 0;
  #pausing = false;

  constructor(options: { concurrency: number; clock: Clock; signal: AbortSignal }) {
    this.#ceiling = options.concurrency;
    this.#allowed = options.concurrency;
    this.#clock = options.clock;
    this.#signal = options.signal;
  }

  /** Runs `request` when its turn comes. A place is held only as long as the request runs. */
  async run<Result>(priority: Priority, request: () => Promise<Result>): Promise<Result> {
    await this.#turn(priority);
    try {
      this.#signal.throwIfAborted();
      return await request();
    } finally {
      this.#running -= 1;
      this.#startNext();
    }
  }

  /** The service answered well: after a while, as many requests as before may run again. */
  answered(): void {
    this.#answersInARow += 1;
    if (this.#answersInARow % recovery === 0 && this.#allowed < this.#ceiling) this.#allowed += 1;
  }

  /** The rate limit is reached: nobody starts for `ms` milliseconds, and then half as many at once. */
  limited(ms: number): void {
    const until = this.#clock.now() + ms;
    // Requests that were under way together are refused together: that is one event.
    if (this.#clock.now() >= this.#pausedUntil) {
      this.#allowed = Math.max(1, Math.floor(this.#allowed / 2));
    }
    this.#answersInARow = 0;
    this.#pausedUntil = Math.max(this.#pausedUntil, until);
  }

  /** Resolves when no pause is on: for who has a place, and waited for something else meanwhile. */
  async mayGo(): Promise<void> {
    for (;;) {
      this.#signal.throwIfAborted();
      const pauseMs = this.#pausedUntil - this.#clock.now();
      if (pauseMs <= 0) return;
      await this.#clock.sleep(pauseMs, this.#signal);
    }
  }

  #turn(priority: Priority): Promise<void> {
    return new Promise((start) => {
      const at = this.#waiting.findIndex((other) => isBefore(priority, other.priority));
      this.#waiting.splice(at < 0 ? this.#waiting.length : at, 0, { priority, start });
      this.#startNext();
    });
  }

  #startNext(): void {
    if (this.#pausing) return;
    const pauseMs = this.#pausedUntil - this.#clock.now();
    if (pauseMs > 0 && this.#waiting.length > 0 && !this.#signal.aborted) {
      void this.#pause(pauseMs);
      return;
    }
    while (this.#running < this.#allowed) {
      const next = this.#waiting.shift();
      if (!next) return;
      this.#running += 1;
      next.start();
    }
  }

  async #pause(ms: number): Promise<void> {
    this.#pausing = true;
    // An aborted run wakes everyone: each sees the signal for itself.
    await this.#clock.sleep(ms, this.#signal).catch(() => {});
    this.#pausing = false;
    this.#startNext();
  }
}

function isBefore(one: Priority, other: Priority): boolean {
  return one[0] < other[0] || (one[0] === other[0] && one[1] < other[1]);
}
