import { setMaxListeners } from 'node:events';
import type { Clock } from '../../src/base/clock.ts';

interface Sleeper {
  readonly until: number;
  readonly wake: () => void;
}

/**
 * Virtual time for things that happen at the same time: it moves on to the next sleeper's end as
 * soon as nothing else is left to do.
 */
export class VirtualClock implements Clock {
  #monotonic = 0;
  /** What the wall clock shows when the monotonic one shows 0. */
  readonly #epoch: number;
  readonly #sleepers: Sleeper[] = [];

  /** `now`: milliseconds since the epoch. */
  constructor(now = Date.UTC(2026, 3, 1)) {
    this.#epoch = now;
  }

  now(): number {
    return this.#epoch + this.#monotonic;
  }

  monotonic(): number {
    return this.#monotonic;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const abort = () => reject(signal?.reason);
      // As many may sleep at once as like.
      if (signal) setMaxListeners(0, signal);
      signal?.addEventListener('abort', abort);
      const wake = () => {
        signal?.removeEventListener('abort', abort);
        resolve();
      };
      const until = this.#monotonic + ms;
      const later = this.#sleepers.findIndex((other) => other.until > until);
      this.#sleepers.splice(later < 0 ? this.#sleepers.length : later, 0, { until, wake });
    });
  }

  /** Lets time pass until `work` is done. Nothing in it may wait for anything but this clock. */
  async passUntil<Result>(work: Promise<Result>): Promise<Result> {
    let isDone = false;
    const done = work.finally(() => {
      isDone = true;
    });
    done.catch(() => {});
    for (;;) {
      await new Promise(setImmediate);
      if (isDone) return done;
      const next = this.#sleepers.shift();
      if (!next) throw new Error('Nothing is left that could end this.');
      this.#monotonic = next.until;
      next.wake();
    }
  }
}
