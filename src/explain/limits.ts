import type { Obstacle } from './case.ts';

/** How far the search goes. Every bound is a count, so that the same data give the same answer. */

/** The most rows for trying three at once: among more, many sets of three fit by chance. */
export const mostRowsForThree = 500;

export interface Effort {
  readonly candidates: number;
}

/** For `recon explain`: a few seconds at most. */
export const thorough: Effort = { candidates: 5_000_000 };

/** For each settlement of a run: 2 to 100 ms; the first, with 5,000 rows, takes the longest. */
export const quick: Effort = { candidates: 50_000 };

export class Budget {
  #left: number;

  constructor({ candidates }: Effort) {
    this.#left = candidates;
  }

  /** Takes so many candidates; if fewer are left, takes none and returns the obstacle. */
  take(candidates: number): Obstacle | undefined {
    if (candidates > this.#left) return { reason: 'too_many_candidates', candidates };
    this.#left -= candidates;
    return undefined;
  }
}
