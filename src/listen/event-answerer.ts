import type { Clock } from '../base/clock.ts';
import { ReconError } from '../base/errors.ts';
import { type Hint, isId } from '../model/webhook.ts';
import { EventQueue, type QueuedEvent } from './event-queue.ts';
import type { Journal, JournalEvent } from './journal.ts';
import { SharedWork } from './shared-work.ts';

/** What came of one of the things that an event names. */
export interface HintAnswer<Answer> {
  readonly hint: Hint;
  /** Why it can't be answered, where it was given up. */
  readonly answer: Answer | ReconError;
}

export interface AnswererOptions<Answer> {
  readonly journal: Pick<Journal, 'unanswered' | 'read' | 'answered' | 'setAside'>;
  /** Asks the API. Throws ReconError where it can't be asked. */
  readonly read: (hint: Hint) => Promise<Answer>;
  /**
   * Says what came of an event, or of what was left of it. Resolves with the reason to set it aside,
   * if there is one. What it throws ends the work.
   */
  readonly tell: (
    event: JournalEvent,
    answered: readonly HintAnswer<Answer>[],
  ) => Promise<string | undefined>;
  /** An event stays in the journal, and is tried again. Called once for each. */
  readonly onFailure: (event: JournalEvent, failure: ReconError) => void;
  /** Readings at a time. */
  readonly ahead: number;
  readonly clock: Clock;
  /** A number from 0 to below 1. */
  readonly random: () => number;
  readonly signal: AbortSignal;
}

/** So many events are in memory at most. */
const mostUnderWay = 256;

/** What is put back by hand is found within this time. */
const lookEveryMs = 30_000;

/**
 * An event that fails is given up when this time has gone by since it came, and when it has failed
 * so often since the start: a journal may have been at rest for days.
 */
const givenUp = { afterMs: 3 * 24 * 3_600_000, failures: 6 };

/**
 * Answers the events of the journal: each by reading what it names, again and again until that
 * succeeds or is given up. An event leaves the journal's queue when it has been told.
 */
export class EventAnswerer<Answer> {
  readonly #options: AnswererOptions<Answer>;
  readonly #queue: EventQueue;
  readonly #readings: SharedWork<Answer>;
  readonly #underWay = new Set<Promise<void>>();
  #fault: { readonly error: unknown } | undefined;
  #wake = () => {};

  constructor(options: AnswererOptions<Answer>) {
    const { ahead, clock, random } = options;
    this.#options = options;
    this.#queue = new EventQueue({ clock, random, mostRetries: Math.ceil(ahead / 2) });
    this.#readings = new SharedWork(ahead);
  }

  /** An event has come in. */
  add(event: JournalEvent): void {
    this.#queue.add(event.name, event);
    this.#wake();
  }

  /** Works until the signal aborts; what is then under way stays in the journal. */
  async work(): Promise<void> {
    const { signal } = this.#options;
    const wake = () => this.#wake();
    signal.addEventListener('abort', wake);
    await this.#look();
    // Where it fails, that is said as soon as an event can't be kept.
    const looking = setInterval(() => this.#look().catch(() => {}), lookEveryMs);
    while (!signal.aborted && !this.#fault) {
      const task = this.#underWay.size < mostUnderWay ? this.#queue.next() : undefined;
      if (task) this.#begin(task);
      else await this.#rest();
    }
    clearInterval(looking);
    signal.removeEventListener('abort', wake);
    if (this.#fault) throw this.#fault.error;
    await Promise.all(this.#underWay);
  }

  /** Resolves when something has happened, or the next event may be tried again. */
  async #rest(): Promise<void> {
    const { waitMs } = this.#queue;
    const woken = new AbortController();
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
      if (waitMs !== undefined) {
        this.#options.clock.sleep(waitMs, woken.signal).then(resolve, resolve);
      }
    });
    woken.abort();
  }

  async #look(): Promise<void> {
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

  /** Throws the reason of the signal where it has aborted meanwhile. */
  async #answer(task: QueuedEvent): Promise<void> {
    const { journal, onFailure, tell } = this.#options;
    const event = task.event ?? (await journal.read(task.name));
    if (!event) return this.#queue.ended(task);
    const answered = await Promise.all(
      (task.left ?? event.webhook.hints).map(async (hint) => ({
        hint,
        answer: await this.#read(hint),
      })),
    );
    const failed = answered.filter(hasFailed);
    const [failure] = failed;
    const isOver = !failure || this.#isGivenUp(task, event, failure.answer);
    const told = isOver ? answered : answered.filter((one) => !hasFailed(one));
    if (isOver || told.length > 0) {
      const reason = await tell(event, told);
      if (reason !== undefined) task.reasons.add(reason);
    }
    if (isOver) return this.#putAway(task);
    if (!task.left) onFailure(event, failure.answer);
    task.left = failed.map(({ hint }) => hint);
    if (failure.answer.endsRun) this.#queue.refused(task);
    else this.#queue.failed(task);
  }

  async #read(hint: Hint): Promise<Answer | ReconError> {
    const { read, signal } = this.#options;
    // What can't be one is not asked for, so that it needs no turn.
    if (!isId(hint)) return read(hint);
    const subject = `${hint.kind} ${hint.id.toLowerCase()}`;
    try {
      return await this.#readings.do(subject, async () => {
        signal.throwIfAborted();
        return read(hint);
      });
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof ReconError) return error;
      throw error;
    }
  }

  #isGivenUp(
    { failures }: QueuedEvent,
    { receivedAt }: JournalEvent,
    { endsRun }: ReconError,
  ): boolean {
    const age = this.#options.clock.now() - Date.parse(receivedAt);
    return !endsRun && failures + 1 >= givenUp.failures && age >= givenUp.afterMs;
  }

  async #putAway(task: QueuedEvent): Promise<void> {
    const { journal } = this.#options;
    const { name, reasons } = task;
    const isAway =
      reasons.size === 0
        ? await journal.answered(name)
        : await journal.setAside(name, [...reasons].join(' '));
    this.#queue.ended(task, isAway);
  }
}

function hasFailed<Answer>(
  one: HintAnswer<Answer>,
): one is HintAnswer<Answer> & { readonly answer: ReconError } {
  return one.answer instanceof ReconError;
}
