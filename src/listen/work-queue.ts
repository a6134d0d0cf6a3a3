import { backoff, type Clock } from '../base/clock.ts';
import { smallestOf } from '../base/lists.ts';
import type { Hint } from '../model/webhook.ts';

/** An event that is to be answered. */
export interface QueuedEvent<Event> {
  readonly name: string;
  /** Absent if it has to be read from the journal. */
  readonly event: Event | undefined;
  /** What is still to be answered; undefined before the first reading. */
  left: readonly Hint[] | undefined;
  failures: number;
  /** When it may be tried again, on the monotonic clock. */
  restsUntil: number;
  /** Why it is to be set aside when nothing is left. */
  readonly reasons: Set<string>;
}

const mostInMemory = 256;
const minuteMs = 60_000;
/** How long an event rests after each failure; after further ones as long as after the last. */
const restsMs = [minuteMs / 2, minuteMs, 2 * minuteMs, 4 * minuteMs, 8 * minuteMs, 15 * minuteMs];
const pause = { baseMs: 5_000, capMs: minuteMs };

/**
 * Hands out new events in their order, and besides at most `mostRetries` at a time that have failed and
 * rested since, so failures do not hold up the others. `random` gives a number from 0 to below 1.
 */
export function createEventQueue<Event>(clock: Clock, random: () => number, mostRetries: number) {
  type Task = QueuedEvent<Event>;
  /** The names of all events that wait or are under way. */
  const known = new Set<string>();
  const fresh: Task[] = [];
  /** By their failures, so each list is in the order of its times. */
  const resting = restsMs.map((): Task[] => []);
  const retriesUnderWay = new Set<Task>();
  let pausedUntil = 0;
  let pausesInARow = 0;
  const msUntil = (time: number) => Math.max(0, time - clock.monotonic());
  return {
    /** Adds an event, unless it is known. Of many waiting events, only names are kept. */
    add: (name: string, event?: Event): void => {
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
    /** The next event; undefined if there is none, or all have to wait. */
    next: (): Task | undefined => {
      if (msUntil(pausedUntil) > 0) return undefined;
      const rested = resting.find(([first]) => first && msUntil(first.restsUntil) === 0);
      const retry = retriesUnderWay.size < mostRetries ? rested?.shift() : undefined;
      if (retry) retriesUnderWay.add(retry);
      return retry ?? fresh.shift();
    },
    /** Milliseconds until an event may be tried again; undefined if none waits for that. */
    waitMs: (): number | undefined => {
      const times = resting.flatMap(([first]) => (first ? [first.restsUntil] : []));
      const waits = [...times, pausedUntil].map(msUntil).filter((ms) => ms > 0);
      return waits.length === 0 ? undefined : smallestOf(waits);
    },
    /** The event is done. If its file could not be moved away, it is not handed out again. */
    ended: (task: Task, isAway = true): void => {
      retriesUnderWay.delete(task);
      if (isAway) known.delete(task.name);
      pausesInARow = 0;
    },
    /** The event rests, and is tried again. */
    failed: (task: Task): void => {
      retriesUnderWay.delete(task);
      task.failures += 1;
      const place = Math.min(task.failures, restsMs.length) - 1;
      task.restsUntil = clock.monotonic() + (restsMs[place] ?? 0);
      resting[place]?.push(task);
    },
    /** Nothing can be answered now, as with rejected credentials: all wait, and this is no failure. */
    refused: (task: Task): void => {
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

/**
 * Runs work, at most `most` pieces at a time. Requests for a subject that waits share one run; a request
 * while it is running starts another run, because the first may not see what the later asker knows.
 */
export function shareWork<Result>(
  most: number,
): (subject: string, work: () => Promise<Result>) => Promise<Result> {
  const waiting = new Map<string, { begin: () => void; result: Promise<Result> }>();
  const running = new Set<string>();
  const beginNext = () => {
    for (const [subject, { begin }] of waiting) {
      if (running.size >= most) return;
      if (running.has(subject)) continue;
      waiting.delete(subject);
      running.add(subject);
      begin();
    }
  };
  return (subject, work) => {
    const same = waiting.get(subject);
    if (same) return same.result;
    let begin = () => {};
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const result = begun.then(work).finally(() => {
      running.delete(subject);
      beginNext();
    });
    waiting.set(subject, { begin, result });
    beginNext();
    return result;
  };
}
