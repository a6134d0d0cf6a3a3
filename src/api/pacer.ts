import type { Clock } from '../base/clock.ts';
import type { Spacing } from './auth/authorizers.ts';
import { Pace } from './pace.ts';

/** Where a request stands in the line: the lowest goes first, number by number. */
export type Priority = readonly [settlement: number, offset: number];

/** Timers wake in whole milliseconds, and a little late: what that costs is made up for. */
const timerMs = 2;

interface Waiting {
  readonly priority: Priority;
  readonly spacing: Spacing | undefined;
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
  readonly pace: Pace;
  readonly #concurrency: number;
  readonly #clock: Clock;
  readonly #signal: AbortSignal;
  readonly #waiting: Waiting[] = [];
  #running = 0;
  #lastStart = Number.NEGATIVE_INFINITY;
  readonly #lastStarts = new Map<Spacing, number>();
  #wakesAt = Number.POSITIVE_INFINITY;

  constructor(options: PacerOptions) {
    this.#concurrency = options.concurrency;
    this.#clock = options.clock;
    this.#signal = options.signal;
    this.pace = new Pace(options);
  }

  /**
   * Runs `request` when its turn comes. It holds its place until it has run, or until it calls `leave`:
   * then the next one starts.
   */
  async run<Result>(
    priority: Priority,
    request: (leave: () => void) => Promise<Result>,
    spacing?: Spacing,
  ): Promise<Result> {
    await this.#turn(priority, spacing);
    let isRunning = true;
    const leave = () => {
      if (!isRunning) return;
      isRunning = false;
      this.#running -= 1;
      this.#startNext();
    };
    try {
      this.#signal.throwIfAborted();
      return await request(leave);
    } finally {
      leave();
    }
  }

  /** Resolves when no pause is on: for who takes no turn, or has waited for something else since. */
  async mayGo(): Promise<void> {
    for (;;) {
      this.#signal.throwIfAborted();
      const { pauseMs } = this.pace;
      if (pauseMs === 0) return;
      await this.#clock.sleep(pauseMs, this.#signal);
    }
  }

  #turn(priority: Priority, spacing: Spacing | undefined): Promise<void> {
    return new Promise((start) => {
      const at = this.#waiting.findIndex((other) => isBefore(priority, other.priority));
      this.#waiting.splice(at < 0 ? this.#waiting.length : at, 0, { priority, spacing, start });
      this.#startNext();
    });
  }

  #startNext(): void {
    while (this.#running < (this.pace.isTrying ? 1 : this.#concurrency)) {
      const next = this.#next();
      if (!next) return;
      const now = this.#clock.monotonic();
      const startsAt = this.#startsAt(next);
      if (now < startsAt && !this.#signal.aborted) {
        if (startsAt > this.#startsAt()) next.spacing?.onWait();
        void this.#wakeAt(startsAt);
        return;
      }
      this.#waiting.splice(this.#waiting.indexOf(next), 1);
      const lateMs = now - this.#lastStart - this.pace.gapMs;
      this.#lastStart = lateMs > timerMs ? now : this.#lastStart + this.pace.gapMs;
      if (next.spacing) this.#lastStarts.set(next.spacing, now);
      this.#running += 1;
      next.start();
    }
  }

  /** The head of the line; where its spacing holds it back, the first that none does. */
  #next(): Waiting | undefined {
    const startsAt = this.#startsAt();
    return this.#waiting.find((one) => this.#startsAt(one) === startsAt) ?? this.#waiting[0];
  }

  /** When one may start, by the monotonic clock; without one: when any may. */
  #startsAt(one?: Waiting): number {
    const spacing = one?.spacing;
    const ofSpacing = spacing
      ? (this.#lastStarts.get(spacing) ?? Number.NEGATIVE_INFINITY) + spacing.gapMs
      : 0;
    return Math.max(this.pace.resumesAt, this.#lastStart + this.pace.gapMs, ofSpacing);
  }

  async #wakeAt(startsAt: number): Promise<void> {
    if (startsAt >= this.#wakesAt) return;
    this.#wakesAt = startsAt;
    // An aborted run wakes everyone: each sees the signal for itself.
    await this.#clock
      .sleep(Math.ceil(startsAt - this.#clock.monotonic()), this.#signal)
      .catch(() => {});
    // Who was to be woken later than another leaves it to that one.
    if (this.#wakesAt !== startsAt) return;
    this.#wakesAt = Number.POSITIVE_INFINITY;
    this.#startNext();
  }
}

function isBefore(one: Priority, other: Priority): boolean {
  return one[0] < other[0] || (one[0] === other[0] && one[1] < other[1]);
}
