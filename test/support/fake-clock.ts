import type { Clock } from '../../src/base/clock.ts';

/** Virtual time: a sleep is over at once, moves the time on by its length, and is recorded. */
export class FakeClock implements Clock {
  readonly slept: number[] = [];
  #monotonic = 0;
  /** What the wall clock shows when the monotonic one shows 0. */
  #epoch: number;
  #readings = 0;
  readonly #steps = new Map<number, number>();

  /** `now`: milliseconds since the epoch. */
  constructor(now = Date.UTC(2026, 3, 1)) {
    this.#epoch = now;
  }

  now(): number {
    this.#read();
    return this.#epoch + this.#monotonic;
  }

  monotonic(): number {
    this.#read();
    return this.#monotonic;
  }

  /** Sets the wall clock forward by so many milliseconds, or back, at its next reading or later. */
  step(ms: number, readings = 1): void {
    const at = this.#readings + readings;
    this.#steps.set(at, (this.#steps.get(at) ?? 0) + ms);
  }

  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    this.slept.push(ms);
    this.#monotonic += ms;
    await new Promise((resolve) => setImmediate(resolve));
    signal?.throwIfAborted();
  }

  #read(): void {
    this.#readings += 1;
    this.#epoch += this.#steps.get(this.#readings) ?? 0;
  }
}
