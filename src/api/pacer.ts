import type { Clock } from '../base/clock.ts';
import { Pace, type Sent } from './pace.ts';

/** Where a request stands in the line: the lowest goes first, number by number. */
export type Priority = readonly [settlement: number, offset: number];

interface Waiting {
  readonly priority: Priority;
  readonly start: () => void;
}

export interface PacerOptions {
  /** Requests at a time. */
  readonly concurrency: number;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** A number from 0 to below 1. */
  readonly random: () => number;
}

/**
 * The one gate for all requests of a run: bounds how many are under way, lets the head of the line
 * go first, and slows everyone down when the service says that its rate limit is reached.
 */
export class Pacer {
  readonly #concurrency: number;
  readonly #clock: Clock;
  readonly #signal: AbortSignal;
  readonly #pace: Pace;
  readonly #waiting: Waiting[] = [];
  #running = 0;
  #lastStart = Number.NEGATIVE_INFINITY;
  #isSleeping = false;

  constructor(options: PacerOptions) {
    this.#concurrency = options.concurrency;
    this.#clock = options.clock;
    this.#signal = options.signal;
    this.#pace = new Pace(options);
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

  /** To be called when a request is sent, for `answered` or `limited` afterwards. */
  send(): Sent {
    return this.#pace.send(this.#clock.now());
  }

  /** The service answered well. */
  answered(sent: Sent): void {
    this.#pace.answered(sent, this.#clock.now());
  }

  /**
   * The rate limit is reached: nobody starts for as long as the service asks, or as long as it makes
   * sense, and then more slowly. Returns that pause in milliseconds; undefined where it was known.
   */
  limited(sent: Sent, askedMs: number | undefined): number | undefined {
    return this.#pace.limited(sent, this.#clock.now(), askedMs);
  }

  /** Nobody starts for so many milliseconds. */
  pause(ms: number): void {
    this.#pace.pause(this.#clock.now(), ms);
  }

  /** Requests a second that the service lets through; infinite while no limit was met. */
  get perSecond(): number {
    return 1000 / this.#pace.gapMs;
  }

  /** How often in a row the service has refused, with nothing let through in between. */
  get refusalsInARow(): number {
    return this.#pace.refusalsInARow;
  }

  /** Milliseconds until a pause is over; 0 where none is on. */
  get pauseMs(): number {
    return Math.max(0, this.#pace.resumesAt - this.#clock.now());
  }

  /** Resolves when no pause is on: for who takes no turn, or has waited for something else since. */
  async mayGo(): Promise<void> {
    for (;;) {
      this.#signal.throwIfAborted();
      const { pauseMs } = this;
      if (pauseMs === 0) return;
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
    if (this.#isSleeping) return;
    while (this.#running < (this.#pace.isTrying ? 1 : this.#concurrency)) {
      const now = this.#clock.now();
      const nextStart = Math.max(this.#pace.resumesAt, this.#lastStart + this.#pace.gapMs);
      if (now < nextStart && this.#waiting.length > 0 && !this.#signal.aborted) {
        void this.#sleep(Math.ceil(nextStart - now));
        return;
      }
      const next = this.#waiting.shift();
      if (!next) return;
      this.#lastStart = now;
      this.#running += 1;
      next.start();
    }
  }

  async #sleep(ms: number): Promise<void> {
    this.#isSleeping = true;
    // An aborted run wakes everyone: each sees the signal for itself.
    await this.#clock.sleep(ms, this.#signal).catch(() => {});
    this.#isSleeping = false;
    this.#startNext();
  }
}

function isBefore(one: Priority, other: Priority): boolean {
  return one[0] < other[0] || (one[0] === other[0] && one[1] < other[1]);
}
