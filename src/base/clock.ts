import { setMaxListeners } from 'node:events';
import { setImmediate, setTimeout } from 'node:timers/promises';

/** Time as the tool sees it. Everything that reads the time or waits is given one of these. */
export interface Clock {
  /** The wall clock, milliseconds since the epoch: for what is shown or signed. It may be set back. */
  now(): number;
  /** Milliseconds since some moment: for waits and durations. It never goes back. */
  monotonic(): number;
  /** Resolves after `ms` milliseconds; rejects with the signal's reason as soon as it aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** Resolves in the next turn of the event loop, when all that has arrived by now was received. */
export async function nextTurn(): Promise<void> {
  await setImmediate();
}

/** The machine's own clock. A sleeper keeps the process alive. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  async sleep(ms, signal) {
    // Many sleep until the same signal: Node warns of a leak at more than ten listeners.
    if (signal) setMaxListeners(0, signal);
    await setTimeout(ms, undefined, signal && { signal }).catch(() => {
      throw signal?.reason;
    });
  },
};

/** A random wait in milliseconds of at most `baseMs` × 2^(attempt−1), capped. `random`: from 0 to below 1. */
export function backoff(
  attempt: number,
  { baseMs, capMs }: { readonly baseMs: number; readonly capMs: number },
  random: () => number,
): number {
  return Math.round(random() * Math.min(capMs, baseMs * 2 ** (attempt - 1)));
}
