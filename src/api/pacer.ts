import { Pace } from './pace.ts';

/** The order in the queue: the lowest goes first, number by number. */
export type Priority = readonly [settlement: number, offset: number];

/** A minimum interval between requests with the same `key`, on top of the pace of all. */
export interface Spacing {
  readonly key: object;
  readonly gapMs: number;
  /** Called when a request waits only for this. */
  onWait(): void;
}

/** Timers wake in whole milliseconds, and a little late: later starts make up for it. */
const timerMs = 2;

interface Waiting {
  readonly priority: Priority;
  readonly spacing: Spacing | undefined;
  readonly signal: AbortSignal;
  readonly start: () => void;
  readonly giveUp: (reason: unknown) => void;
}

interface QueueOptions {
  readonly spacing?: Spacing | undefined;
  /** Ends the wait of this request only. */
  readonly signal?: AbortSignal;
}

type PacerOptions = ConstructorParameters<typeof Pace>[0] & { readonly signal: AbortSignal };

/** The seconds for which tokens of a V1 key are signed: those used, and the queue for the next. */
export class SigningSeconds {
  readonly used = new Set<number>();
  /** Resolves when the last waiting request has its second. */
  queue: Promise<unknown> = Promise.resolve();
  /** Claims the current second for this process; false if another process has it. */
  claim?: (second: number, signal: AbortSignal) => Promise<boolean>;
}

/** The queue for all requests to one service, by priority; it slows all down at a rate limit. */
export class Pacer {
  readonly pace: Pace;
  readonly #options: PacerOptions & { concurrency: number };
  readonly #waiting: Waiting[] = [];
  readonly #signals = new WeakSet<AbortSignal>();
  #running = 0;
  /** When the pace let the last request start; it may have started a little later. */
  #lastSlotAt = Number.NEGATIVE_INFINITY;
  readonly #lastStartByKey = new Map<object, number>();
  readonly #seconds = new Map<string, SigningSeconds>();
  #wakesAt = Number.POSITIVE_INFINITY;

  constructor(options: PacerOptions) {
    this.#options = { ...options };
    this.pace = new Pace(this.#options);
  }

  get concurrency(): number {
    return this.#options.concurrency;
  }

  limitConcurrency(most: number): void {
    this.#options.concurrency = Math.min(this.#options.concurrency, most);
  }

  /** Runs `request` in its turn. It holds a slot until it has run, or calls `releaseSlot`. */
  async run<Result>(
    priority: Priority,
    request: (releaseSlot: () => void) => Promise<Result>,
    { spacing, signal = this.#options.signal }: QueueOptions = {},
  ): Promise<Result> {
    await this.#turn(priority, spacing, signal);
    let isRunning = true;
    const releaseSlot = () => {
      if (isRunning) this.#running -= 1;
      isRunning = false;
      this.#startNext();
    };
    try {
      signal.throwIfAborted();
      return await request(releaseSlot);
    } finally {
      // Also after an early release: reading the answer may have let more than one start.
      releaseSlot();
    }
  }

  async waitForPause(signal = this.#options.signal): Promise<void> {
    for (;;) {
      signal.throwIfAborted();
      const { pauseMs } = this.pace;
      if (pauseMs === 0) return;
      await this.#options.clock.sleep(pauseMs, signal);
    }
  }

  /** Shared by all that use a V1 key here. */
  signingSeconds(publicKey: string): SigningSeconds {
    const seconds = this.#seconds.get(publicKey) ?? new SigningSeconds();
    this.#seconds.set(publicKey, seconds);
    return seconds;
  }

  async #turn(priority: Priority, spacing: Spacing | undefined, signal: AbortSignal) {
    signal.throwIfAborted();
    // One listener for all requests: Node warns of many.
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
      const lateMs = now - this.#lastSlotAt - this.pace.gapMs;
      this.#lastSlotAt = lateMs > timerMs ? now : this.#lastSlotAt + this.pace.gapMs;
      if (next.spacing) this.#lastStartByKey.set(next.spacing.key, now);
      this.#running += 1;
      next.start();
    }
  }

  /** The head of the queue, or the first request that its spacing does not delay. */
  #next(): Waiting | undefined {
    const startsAt = this.#startsAt();
    return this.#waiting.find((one) => this.#startsAt(one) === startsAt) ?? this.#waiting[0];
  }

  /** When a request may start, by the monotonic clock; without one: the earliest for any. */
  #startsAt(one?: Waiting): number {
    const spacing = one?.spacing;
    const afterSpacing = spacing
      ? (this.#lastStartByKey.get(spacing.key) ?? Number.NEGATIVE_INFINITY) + spacing.gapMs
      : 0;
    return Math.max(this.pace.resumesAt, this.#lastSlotAt + this.pace.gapMs, afterSpacing);
  }

  async #wakeAt(startsAt: number): Promise<void> {
    if (startsAt >= this.#wakesAt) return;
    this.#wakesAt = startsAt;
    // An aborted run has ended all waiting requests.
    await this.#options.clock
      .sleep(Math.ceil(startsAt - this.#options.clock.monotonic()), this.#options.signal)
      .catch(() => {});
    // An earlier wake-up has replaced this one.
    if (this.#wakesAt !== startsAt) return;
    this.#wakesAt = Number.POSITIVE_INFINITY;
    this.#startNext();
  }
}

function isBefore(one: Priority, other: Priority): boolean {
  return one[0] < other[0] || (one[0] === other[0] && one[1] < other[1]);
}
