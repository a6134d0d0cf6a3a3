import { backoff } from '../base/backoff.ts';
import type { Clock } from '../base/clock.ts';
import { smallestOf } from '../base/lists.ts';
import type { Hint } from '../model/webhook.ts';
import type { JournalEvent } from './journal.ts';

/** An event that is to be answered. */
export interface QueuedEvent {
  readonly name: string;
  /** The event itself, if it needn't be read from the journal. */
  readonly event: JournalEvent | undefined;
  /** What of it is still to be answered; undefined before it was first read. */
  left: readonly Hint[] | undefined;
  /** How often that failed. */
  failures: number;
  /** When it may be tried again, on the monotonic clock. */
  restsUntil: number;
  /** Why it is to be set aside when nothing is left. */
  readonly reasons: Set<string>;
}

const mostInMemory = 256;
const minuteMs = 60_000;
/** How long an event rests after each failure; after all further ones as long as after the last. */
const restsMs = [minuteMs / 2, minuteMs, 2 * minuteMs, 4 * minuteMs, 8 * minuteMs, 15 * minuteMs];
const pause = { baseMs: 5_000, capMs: minuteMs };

/**
 * Hands out events: new ones as they came, and beside them, few at a time (`mostRetries`), those that
 * have failed and rested since. So what fails keeps nothing else from being answered. `random` gives a
 * number from 0 to below 1.
 */
export function createEventQueue(clock: Clock, random: () => number, mostRetries: number) {
  /** The events that are to be answered, those under way included. */
  const known = new Set<string>();
  const fresh: QueuedEvent[] = [];
  /** By their failures, so that each list is in the order of its times. */
  const resting = restsMs.map((): QueuedEvent[] => []);
  const retriesUnderWay = new Set<QueuedEvent>();
  let pausedUntil = 0;
  let pausesInARow = 0;
  const msUntil = (time: number) => Math.max(0, time - clock.monotonic());
  return {
    /** An event to be answered; one that is known is left as it is. Of many, only names are kept. */
    add: (name: string, event?: JournalEvent): void => {
      if (known.has(name)) return;
      known.add(name);
      fresh.push({
        name,
        event: fresh.length < mostInMemory ? event : undefined,
        left: undefined,
        failures: 0,
        restsUntil: 0,
        reasons: new Set(),
      });
    },
    /** The next one; undefined where there is none, or where all have to wait. */
    next: (): QueuedEvent | undefined => {
      if (msUntil(pausedUntil) > 0) return undefined;
      const rested = resting.find(([first]) => first && msUntil(first.restsUntil) === 0);
      const retry = retriesUnderWay.size < mostRetries ? rested?.shift() : undefined;
      if (retry) retriesUnderWay.add(retry);
      return retry ?? fresh.shift();
    },
    /** Milliseconds until something that waits may go on; undefined where nothing waits for the time. */
    waitMs: (): number | undefined => {
      const times = resting.flatMap(([first]) => (first ? [first.restsUntil] : []));
      const waits = [...times, pausedUntil].map(msUntil).filter((ms) => ms > 0);
      return waits.length === 0 ? undefined : smallestOf(waits);
    },
    /** It is dealt with. Where its file could not be moved away, it is not handed out again. */
    ended: (task: QueuedEvent, isAway = true): void => {
      retriesUnderWay.delete(task);
      if (isAway) known.delete(task.name);
      pausesInARow = 0;
    },
    /** What is left of it can't be answered now. */
    failed: (task: QueuedEvent): void => {
      retriesUnderWay.delete(task);
      task.failures += 1;
      const place = Math.min(task.failures, restsMs.length) - 1;
      task.restsUntil = clock.monotonic() + (restsMs[place] ?? 0);
      resting[place]?.push(task);
    },
    /** Nothing can be answered now, as with refused credentials: all wait, and this one is no failure. */
    refused: (task: QueuedEvent): void => {
      retriesUnderWay.delete(task);
      fresh.push(task);
      // Readings that were under way together fail together.
      if (msUntil(pausedUntil) > 0) return;
      pausesInARow += 1;
      const ms = backoff(pausesInARow, pause, () => 0.5 + random() / 2);
      pausedUntil = clock.monotonic() + ms;
    },
  };
}
