import type { Clock } from '../base/clock.ts';
import { backoff } from '../base/retry.ts';

/** After so many failures in a row it is the service that fails, and no single event. */
const mostFailuresInARow = 5;

/** How long a lane rests, milliseconds. */
export interface Rest {
  readonly baseMs: number;
  readonly capMs: number;
}

/** A row of events that are read one after the other, and rests while the service fails. */
export class Lane {
  #failuresInARow = 0;
  #restingUntil = 0;
  readonly #rest: Rest;
  readonly #clock: Clock;
  readonly #random: () => number;

  constructor(rest: Rest, clock: Clock, random: () => number) {
    this.#rest = rest;
    this.#clock = clock;
    this.#random = random;
  }

  /** Milliseconds until it goes on; 0 where it needn't wait. */
  get restsFor(): number {
    return Math.max(0, this.#restingUntil - this.#clock.now());
  }

  succeeded(): void {
    this.#failuresInARow = 0;
  }

  /** `concernsAll`: none of the others would fare better, such as with refused credentials. */
  failed(concernsAll: boolean): void {
    this.#failuresInARow = concernsAll
      ? Math.max(this.#failuresInARow + 1, mostFailuresInARow)
      : this.#failuresInARow + 1;
    const beyond = this.#failuresInARow - mostFailuresInARow;
    // Readings that were under way together fail together: that is one failure.
    if (beyond >= 0 && this.restsFor === 0) this.rest(beyond + 1);
  }

  /** Rests for a while: longer with each attempt, the first of which is 1. */
  rest(attempt: number): void {
    const ms = backoff(attempt, this.#rest, () => 0.5 + this.#random() / 2);
    this.#restingUntil = this.#clock.now() + ms;
  }
}
