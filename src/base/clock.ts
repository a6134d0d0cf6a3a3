/** Time as the tool sees it. Everything that reads the time or waits is handed one of these. */
export interface Clock {
  /** The wall clock, milliseconds since the epoch: for what is shown or signed. It may be set back. */
  now(): number;
  /** Milliseconds from 0 on, since any moment: for waits and durations. It never goes back. */
  monotonic(): number;
  /** Resolves after `ms` milliseconds; rejects with the signal's reason as soon as it aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** The machine's own clock. A sleeper keeps the process alive. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) {
        reject(signal.reason);
        return;
      }
      const sleepers = signal && sleepersOf(signal);
      const abort = () => {
        clearTimeout(timer);
        reject(signal?.reason);
      };
      const timer = setTimeout(() => {
        sleepers?.delete(abort);
        resolve();
      }, ms);
      sleepers?.add(abort);
    }),
};

/** Who is woken when a signal aborts. */
const sleeping = new WeakMap<AbortSignal, Set<() => void>>();

/** A signal has one listener for all its sleepers: Node warns of more than ten of them as of a leak. */
function sleepersOf(signal: AbortSignal): Set<() => void> {
  const known = sleeping.get(signal);
  if (known) return known;
  const sleepers = new Set<() => void>();
  sleeping.set(signal, sleepers);
  const wakeAll = () => {
    for (const wake of sleepers) wake();
  };
  signal.addEventListener('abort', wakeAll, { once: true });
  return sleepers;
}
