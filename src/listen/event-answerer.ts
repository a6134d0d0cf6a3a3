import { backoff, type Clock } from '../base/clock.ts';
import { ReconError } from '../base/errors.ts';
import { smallestOf } from '../base/lists.ts';
import { type Hint, isId } from '../model/webhook.ts';
import type { Journal, JournalEvent } from './journal.ts';
import { shareWork } from './share-work.ts';

interface QueuedEvent {
  readonly name: string;
  /** What is still to be answered; undefined before the first reading. */
  left: readonly Hint[] | undefined;
  failures: number;
  /** When it may be tried again, on the monotonic clock. */
  restsUntil: number;
  /** Why it is to be set aside when nothing is left. */
  readonly reasons: Set<string>;
}

/** The answer for one of the things that an event names. */
export interface HintAnswer<Answer> {
  readonly hint: Hint;
  readonly answer: Answer | ReconError;
}

interface AnswererOptions<Answer> {
  readonly journal: Pick<Journal, 'unanswered' | 'read' | 'answered' | 'setAside'>;
  /** Asks the API. Throws ReconError. */
  readonly read: (hint: Hint) => Promise<Answer>;
  /** Reports an event's answers. Returns the reason to set it aside, if any. Its errors end the work. */
  readonly tell: (
    event: JournalEvent,
    answered: readonly HintAnswer<Answer>[],
  ) => Promise<string | undefined>;
  /** Called once for each event that stays in the journal and is tried again. */
  readonly onFailure: (event: JournalEvent, failure: ReconError) => void;
  readonly ahead: number;
  readonly clock: Clock;
  readonly random: () => number;
  readonly signal: AbortSignal;
}

const mostUnderWay = 256;

/** Events that are put back by hand are found within this time. */
const lookEveryMs = 30_000;

/** Both must be reached. Age alone does not count, because the listener may have been off for days. */
const givenUp = { afterMs: 3 * 24 * 3_600_000, failures: 6 };

/** Answers the events of the journal: reads what each names until that succeeds or is given up. */
export class EventAnswerer<Answer> {
  readonly #options: AnswererOptions<Answer>;
  readonly #queue: EventQueue;
  readonly #share: ReturnType<typeof shareWork<Answer>>;
  readonly #underWay = new Set<Promise<void>>();
  #fault: { readonly error: unknown } | undefined;
  #wake = () => {};

  constructor(options: AnswererOptions<Answer>) {
    const { clock, random, ahead } = options;
    this.#options = options;
    this.#queue = new EventQueue(clock, random, Math.ceil(ahead / 2));
    this.#share = shareWork<Answer>(ahead);
  }

  add(name: string): void {
    this.#queue.add(name);
    this.#wake();
  }

  /** Works until the signal aborts; unanswered events stay in the journal. */
  async work(): Promise<void> {
    const { signal } = this.#options;
    const onAbort = () => this.#wake();
    signal.addEventListener('abort', onAbort);
    await this.#addUnanswered();
    // A failure is reported as soon as an event cannot be kept.
    const looking = setInterval(() => this.#addUnanswered().catch(() => {}), lookEveryMs);
    while (!signal.aborted && !this.#fault) {
      const task = this.#underWay.size < mostUnderWay ? this.#queue.next() : undefined;
      if (task) this.#begin(task);
      else await this.#rest();
    }
    clearInterval(looking);
    signal.removeEventListener('abort', onAbort);
    if (this.#fault) throw this.#fault.error;
    await Promise.all(this.#underWay);
  }

  async #addUnanswered(): Promise<void> {
    for (const name of await this.#options.journal.unanswered()) this.#queue.add(name);
    this.#wake();
  }

  #begin(task: QueuedEvent): void {
    const answering = this.#answer(task)
      .catch((error: unknown) => {
        if (error !== this.#options.signal.reason) this.#fault ??= { error };
      })
      .finally(() => {
        this.#underWay.delete(answering);
        this.#wake();
      });
    this.#underWay.add(answering);
  }

  /** Waits until an event is added, answered, or may be tried again. */
  async #rest(): Promise<void> {
    const waitMs = this.#queue.waitMs();
    const woken = new AbortController();
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
      if (waitMs !== undefined) {
        this.#options.clock.sleep(waitMs, woken.signal).then(resolve, resolve);
      }
    });
    woken.abort();
  }

  async #answer(task: QueuedEvent): Promise<void> {
    const { journal, tell, onFailure } = this.#options;
    const event = await journal.read(task.name);
    if (!event) return this.#queue.ended(task);
    const hints = task.left ?? event.webhook.hints;
    const answered = await Promise.all(
      hints.map(async (hint) => ({ hint, answer: await this.#read(hint) })),
    );
    const failed = answered.filter(hasFailed);
    const [failure] = failed;
    const isOver = !failure || this.#isGivenUp(task, event, failure.answer);
    const told = isOver ? answered : answered.filter((one) => !hasFailed(one));
    if (isOver || told.length > 0) {
      const reason = await tell(event, told);
      if (reason !== undefined) task.reasons.add(reason);
    }
    if (isOver) return this.#queue.ended(task, await this.#moveAway(task));
    if (!task.left) onFailure(event, failure.answer);
    task.left = failed.map(({ hint }) => hint);
    if (failure.answer.endsRun) this.#queue.refused(task);
    else this.#queue.failed(task);
  }

  async #read(hint: Hint): Promise<Answer | ReconError> {
    const { read, signal } = this.#options;
    // An invalid id is never requested, so it needs no turn.
    if (!isId(hint)) return read(hint);
    try {
      return await this.#share(`${hint.kind} ${hint.id.toLowerCase()}`, async () => {
        signal.throwIfAborted();
        return read(hint);
      });
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof ReconError) return error;
      throw error;
    }
  }

  #isGivenUp({ failures }: QueuedEvent, { receivedAt }: JournalEvent, { endsRun }: ReconError) {
    const age = this.#options.clock.now() - Date.parse(receivedAt);
    return !endsRun && failures + 1 >= givenUp.failures && age >= givenUp.afterMs;
  }

  /** Moves an event out of the journal. Returns whether it is gone from there. */
  #moveAway({ name, reasons }: QueuedEvent): Promise<boolean> {
    const { journal } = this.#options;
    if (reasons.size === 0) return journal.answered(name);
    return journal.setAside(name, [...reasons].join(' '));
  }
}

function hasFailed<Answer>(
  one: HintAnswer<Answer>,
): one is HintAnswer<Answer> & { readonly answer: ReconError } {
  return one.answer instanceof ReconError;
}

const minuteMs = 60_000;
/** How long an event rests after each failure; after further ones as long as after the last. */
const restsMs = [minuteMs / 2, minuteMs, 2 * minuteMs, 4 * minuteMs, 8 * minuteMs, 15 * minuteMs];
const pause = { baseMs: 5_000, capMs: minuteMs };

/**
 * Hands out new events in their order, and besides at most `mostRetries` at a time that have failed and
 * rested since, so failures do not hold up the others. `random` gives a number from 0 to below 1.
 */
class EventQueue {
  readonly #clock: Clock;
  readonly #random: () => number;
  readonly #mostRetries: number;
  readonly #known = new Set<string>();
  readonly #fresh: QueuedEvent[] = [];
  /** By number of failures, so each list is sorted by the end of its rest. */
  readonly #resting = restsMs.map((): QueuedEvent[] => []);
  readonly #retriesUnderWay = new Set<QueuedEvent>();
  #pausedUntil = 0;
  #pausesInARow = 0;

  constructor(clock: Clock, random: () => number, mostRetries: number) {
    this.#clock = clock;
    this.#random = random;
    this.#mostRetries = mostRetries;
  }

  /** Adds an event, unless it is known. Many may wait, so only their names are kept. */
  add(name: string): void {
    if (this.#known.has(name)) return;
    this.#known.add(name);
    this.#fresh.push({ name, left: undefined, failures: 0, restsUntil: 0, reasons: new Set() });
  }

  /** The next event; undefined if there is none, or all have to wait. */
  next(): QueuedEvent | undefined {
    if (this.#msUntil(this.#pausedUntil) > 0) return undefined;
    const rested = this.#resting.find(([first]) => first && this.#msUntil(first.restsUntil) === 0);
    const retry = this.#retriesUnderWay.size < this.#mostRetries ? rested?.shift() : undefined;
    if (retry) this.#retriesUnderWay.add(retry);
    return retry ?? this.#fresh.shift();
  }

  /** Milliseconds until an event may be tried again; undefined if none waits for that. */
  waitMs(): number | undefined {
    const times = this.#resting.flatMap(([first]) => (first ? [first.restsUntil] : []));
    const waits = [...times, this.#pausedUntil]
      .map((time) => this.#msUntil(time))
      .filter((ms) => ms > 0);
    return waits.length === 0 ? undefined : smallestOf(waits);
  }

  /** The event is done. If its file could not be moved away, it is not handed out again. */
  ended(task: QueuedEvent, isAway = true): void {
    this.#retriesUnderWay.delete(task);
    if (isAway) this.#known.delete(task.name);
    this.#pausesInARow = 0;
  }

  failed(task: QueuedEvent): void {
    this.#retriesUnderWay.delete(task);
    task.failures += 1;
    const place = Math.min(task.failures, restsMs.length) - 1;
    task.restsUntil = this.#clock.monotonic() + (restsMs[place] ?? 0);
    this.#resting[place]?.push(task);
  }

  /** Nothing can be answered now, as with rejected credentials: all wait, and this is no failure. */
  refused(task: QueuedEvent): void {
    this.#retriesUnderWay.delete(task);
    this.#fresh.push(task);
    // Readings that were under way together fail together.
    if (this.#msUntil(this.#pausedUntil) > 0) return;
    this.#pausesInARow += 1;
    const ms = backoff(this.#pausesInARow, pause, () => 0.5 + this.#random() / 2);
    this.#pausedUntil = this.#clock.monotonic() + ms;
  }

  #msUntil(time: number): number {
    return Math.max(0, time - this.#clock.monotonic());
  }
}
