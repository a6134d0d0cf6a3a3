import type { Clock } from '../../src/base/clock.ts';

/** Virtual time: a sleep is over at once, moves the time on by its length, and is recorded. */
export class FakeClock implements Clock {
  readonly slept: number[] = [];
  #now: number;

  /** `now`: milliseconds since the epoch. */
  constructor(now = Date.UTC(2026, 3, 1)) {
    this.#now = now;
  }

  now(): number {
    return this.#now;
  }

  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    this.slept.push(ms);
    this.#now += ms;
    await new Promise((resolve) => setImmediate(resolve));
    signal?.throwIfAborted();
  }
}
