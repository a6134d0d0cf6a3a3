import type { Spacing } from './auth/authorizers.ts';
import { KeySeconds } from './auth/v1-token.ts';
import { Pace, type PaceOptions } from './pace.ts';

/** Where a request stands in the line: the lowest goes first, number by number. */
export type Priority = readonly [settlement: number, offset: number];

/** Timers wake in whole milliseconds, and a little late: what that costs is made up for. */
const timerMs = 2;

interface Waiting {
  readonly priority: Priority;
  readonly spacing: Spacing | undefined;
  readonly signal: AbortSignal;
  readonly start: () => void;
  readonly giveUp: (reason: unknown) => void;
}

interface PacerOptions extends PaceOptions {
  readonly signal: AbortSignal;
}

/**
 * The one gate for all requests of a run to a service, also of several profiles: bounds how many are
 * under way, lets the head of the line go first, and slows everyone down when the service says that
 * its rate limit is reached.
 */
export class Pacer {
  readonly pace: Pace;
  readonly #options: PacerOptions;
  readonly #waiting: Waiting[] = [];
  /** Those that end waiting requests. */
  readonly #signals = new WeakSet<AbortSignal>();
  #running = 0;
  #lastStart = Number.NEGATIVE_INFINITY;
  readonly #lastStarts = new Map<object, number>();
  readonly #seconds = new Map<string, KeySeconds>();
  #wakesAt = Number.POSITIVE_INFINITY;

  constructor(options: PacerOptions) {
    this.#options = options;
    this.pace = new Pace(options);
  }

  /** So many requests are under way at most. */
  get concurrency(): number {
    return this.#options.concurrency;
  }

  /**
   * Runs `request` when its turn comes. It holds its place until it has run, or until it calls `leave`:
   * then the next one starts. `signal` ends its wait, and no other.
   */
  async run<Result>(
    priority: Priority,
    request: (leave: () => void) => Promise<Result>,
    spacing?: Spacing,
    signal = this.#options.signal,
  ): Promise<Result> {
    await this.#turn(priority, spacing, signal);
    let isRunning = true;
    const leave = () => {
      if (isRunning) this.#running -= 1;
      isRunning = false;
      this.#startNext();
    };
    try {
      signal.throwIfAborted();
      return await request(leave);
    } finally {
      // Whoever left before its answer was read may have opened the way for more than one.
      leave();
    }
  }

  /** Resolves when no pause is on: for who takes no turn, or has waited for something else since. */
  async mayGo(signal = this.#options.signal): Promise<void> {
    for (;;) {
      signal.throwIfAborted();
      const { pauseMs } = this.pace;
      if (pauseMs === 0) return;
      await this.#options.clock.sleep(pauseMs, signal);
    }
  }

  /** The seconds of a V1 key, the same for all who come to this gate with it. */
  secondsOf(publicKey: string): KeySeconds {
    const seconds = this.#seconds.get(publicKey) ?? new KeySeconds();
    this.#seconds.set(publicKey, seconds);
    return seconds;
  }

  async #turn(
    priority: Priority,
    spacing: Spacing | undefined,
    signal: AbortSignal,
  ): Promise<void> {
    signal.throwIfAborted();
    // Once for all that wait: Node warns of many listeners.
    if (!this.#signals.has(signal)) signal.addEventListener('abort', () => this.#giveUp(signal));
    this.#signals.add(signal);
    await new Promise<void>((start, giveUp) => {
      const at = this.#waiting.findIndex((other) => isBefore(priority, other.priority));
      const waiting = { priority, spacing, signal, start, giveUp };
      this.#waiting.splice(at < 0 ? this.#waiting.length : at, 0, waiting);
      this.#startNext();
    });
  }

  #giveUp(signal: AbortSignal): void {
    for (const one of this.#waiting.filter((waiting) => waiting.signal === signal)) {
      this.#waiting.splice(this.#waiting.indexOf(one), 1);
      one.giveUp(signal.reason);
    }
  }

  #startNext(): void {
    while (this.#running < (this.pace.isTrying ? 1 : this.#options.concurrency)) {
      const next = this.#next();
      if (!next) return;
      const now = this.#options.clock.monotonic();
      const startsAt = this.#startsAt(next);
      if (now < startsAt) {
        if (startsAt > this.#startsAt()) next.spacing?.onWait();
        void this.#wakeAt(startsAt);
        return;
      }
      this.#waiting.splice(this.#waiting.indexOf(next), 1);
      const lateMs = now - this.#lastStart - this.pace.gapMs;
      this.#lastStart = lateMs > timerMs ? now : this.#lastStart + this.pace.gapMs;
      if (next.spacing) this.#lastStarts.set(next.spacing.of, now);
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
      ? (this.#lastStarts.get(spacing.of) ?? Number.NEGATIVE_INFINITY) + spacing.gapMs
      : 0;
    return Math.max(this.pace.resumesAt, this.#lastStart + this.pace.gapMs, ofSpacing);
  }

  async #wakeAt(startsAt: number): Promise<void> {
    if (startsAt >= this.#wakesAt) return;
    this.#wakesAt = startsAt;
    // When the run is aborted nobody waits any longer.
    await this.#options.clock
      .sleep(Math.ceil(startsAt - this.#options.clock.monotonic()), this.#options.signal)
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
