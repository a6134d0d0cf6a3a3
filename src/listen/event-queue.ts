import { backoff } from '../base/backoff.ts';
import type { Clock } from '../base/clock.ts';
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

export interface EventQueueOptions {
  readonly clock: Clock;
  /** A number from 0 to below 1. */
  readonly random: () => number;
  /** Events at a time that have failed before. */
  readonly mostRetries: number;
}

const mostInMemory = 256;
const minuteMs = 60_000;
/** How long an event rests after each failure; after all further ones as long as after the last. */
const restsMs = [minuteMs / 2, minuteMs, 2 * minuteMs, 4 * minuteMs, 8 * minuteMs, 15 * minuteMs];
const pause = { baseMs: 5_000, capMs: minuteMs };

/**
 * Hands out events: new ones as they came, and beside them, few at a time, those that have failed
 * and rested since. So what fails keeps nothing else from being answered.
 */
export class EventQueue {
  readonly #options: EventQueueOptions;
  /** The events that are to be answered, those under way included. */
  readonly #known = new Set<string>();
  readonly #fresh: QueuedEvent[] = [];
  /** By their failures, so that each list is in the order of its times. */
  readonly #resting = restsMs.map((): QueuedEvent[] => []);
  readonly #retriesUnderWay = new Set<QueuedEvent>();
  #pausedUntil = 0;
  #pausesInARow = 0;

  constructor(options: EventQueueOptions) {
    this.#options = options;
  }

  /** An event to be answered; one that is known is left as it is. Of many, only names are kept. */
  add(name: string, event?: JournalEvent): void {
    if (this.#known.has(name)) return;
    this.#known.add(name);
    const isNext = this.#fresh.length < mostInMemory;
    this.#fresh.push({
      name,
      event: isNext ? event : undefined,
      left: undefined,
      failures: 0,
      restsUntil: 0,
      reasons: new Set(),
    });
  }

  /** The next one; undefined where there is none, or where all have to wait. */
  next(): QueuedEvent | undefined {
    if (this.#msUntil(this.#pausedUntil) > 0) return undefined;
    const isFull = this.#retriesUnderWay.size >= this.#options.mostRetries;
    const rested = this.#resting.find(([first]) => first && this.#msUntil(first.restsUntil) === 0);
    const retry = isFull ? undefined : rested?.shift();
    if (retry) this.#retriesUnderWay.add(retry);
    return retry ?? this.#fresh.shift();
  }

  /** Milliseconds until something that waits may go on; undefined where nothing waits for the time. */
  get waitMs(): number | undefined {
    const times = this.#resting.flatMap(([first]) => (first ? [first.restsUntil] : []));
    const waits = [...times, this.#pausedUntil].map((time) => this.#msUntil(time));
    const longer = waits.filter((ms) => ms > 0);
    return longer.length === 0 ? undefined : Math.min(...longer);
  }

  /** It is dealt with. Where its file could not be moved away, it is not handed out again. */
  ended(task: QueuedEvent, isAway = true): void {
    this.#retriesUnderWay.delete(task);
    if (isAway) this.#known.delete(task.name);
    this.#pausesInARow = 0;
  }

  /** What is left of it can't be answered now. */
  failed(task: QueuedEvent): void {
    this.#retriesUnderWay.delete(task);
    task.failures += 1;
    const place = Math.min(task.failures, restsMs.length) - 1;
    task.restsUntil = this.#options.clock.monotonic() + (restsMs[place] ?? 0);
    this.#resting[place]?.push(task);
  }

  /** Nothing can be answered now, as with refused credentials: all wait, and this one is no failure. */
  refused(task: QueuedEvent): void {
    this.#retriesUnderWay.delete(task);
    this.#fresh.push(task);
    // Readings that were under way together fail together.
    if (this.#msUntil(this.#pausedUntil) > 0) return;
    this.#pausesInARow += 1;
    const { clock, random } = this.#options;
    const ms = backoff(this.#pausesInARow, pause, () => 0.5 + random() / 2);
    this.#pausedUntil = clock.monotonic() + ms;
  }

  #msUntil(time: number): number {
    return Math.max(0, time - this.#options.clock.monotonic());
  }
}
