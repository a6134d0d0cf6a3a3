import type { Obstacle } from './case.ts';

/** How far the search goes. Every bound is a count, so that the same data give the same answer. */

/** Settlements with more rows are not explained. */
export const mostRowsExplained = 200_000;

/** Two rows at once are tried up to so many rows: among more, pairs fit by chance. */
export const mostRowsForTwo = 500;

/** Three rows at once, and two rows beside another cause. */
export const mostRowsForThree = 60;

/** One row beside a cause of the settlement as a whole. */
export const mostRowsForMixed = 20_000;

/** Groups of rows are tried while types, states and the like make no more cells than this. */
export const mostCells = 500;

/** How many candidates may be tried. */
export interface Effort {
  readonly candidates: number;
}

/** For `recon explain`: a few seconds at most. */
export const thorough: Effort = { candidates: 5_000_000 };

/** For each settlement of a run: 2 to 100 ms, the most where it is the first, and has 5,000 rows. */
export const quick: Effort = { candidates: 50_000 };

/** Counts what the search tries. */
export class Budget {
  #left: number;

  constructor({ candidates }: Effort) {
    this.#left = candidates;
  }

  /** Takes so many candidates; where so many aren't left, it takes nothing and says so. */
  take(candidates: number): Obstacle | undefined {
    if (candidates > this.#left) return { reason: 'too_many_candidates', candidates };
    this.#left -= candidates;
    return undefined;
  }
}
