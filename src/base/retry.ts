import type { Clock } from './clock.ts';

/** What a retry loop needs beside the work itself. */
export interface RetryOptions {
  /**
   * Milliseconds to wait before the next attempt, or undefined to give up and throw the error.
   * `attempt` counts from 1 and is the one that has just failed.
   */
  readonly delay: (error: unknown, attempt: number) => number | undefined;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** Calls `work` until it succeeds, `delay` gives up, or the signal aborts. */
export async function retry<Result>(
  work: (attempt: number) => Promise<Result>,
  { delay, clock, signal }: RetryOptions,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work(attempt);
    } catch (error) {
      signal.throwIfAborted();
      const ms = delay(error, attempt);
      if (ms === undefined) throw error;
      await clock.sleep(ms, signal);
    }
  }
}

/**
 * Exponential backoff with full jitter: a random wait of at most `base` × 2^(attempt−1)
 * milliseconds, capped. `random` gives a number from 0 to below 1.
 */
export function backoff(
  attempt: number,
  { baseMs, capMs }: { readonly baseMs: number; readonly capMs: number },
  random: () => number,
): number {
  return Math.round(random() * Math.min(capMs, baseMs * 2 ** (attempt - 1)));
}
