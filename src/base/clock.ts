import { setMaxListeners } from 'node:events';
import { setImmediate, setTimeout } from 'node:timers/promises';

/** Time as the tool sees it. Everything that reads the time or waits is handed one of these. */
export interface Clock {
  /** The wall clock, milliseconds since the epoch: for what is shown or signed. It may be set back. */
  now(): number;
  /** Milliseconds from 0 on, since any moment: for waits and durations. It never goes back. */
  monotonic(): number;
  /** Resolves after `ms` milliseconds; rejects with the signal's reason as soon as it aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** Resolves when all that has arrived by now was received: in the next turn of the event loop. */
export async function nextTurn(): Promise<void> {
  await setImmediate();
}

/** The machine's own clock. A sleeper keeps the process alive. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  async sleep(ms, signal) {
    // Many sleep until the same signal: Node warns of more than ten listeners as of a leak.
    if (signal) setMaxListeners(0, signal);
    await setTimeout(ms, undefined, signal && { signal }).catch(() => {
      throw signal?.reason;
    });
  },
};
