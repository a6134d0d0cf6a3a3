import type { Clock } from '../base/clock.ts';
import { ReconError } from '../base/errors.ts';
import { type Hint, isId } from '../model/webhook.ts';
import { Backlog, type Task } from './event-queue.ts';
import type { Journal, JournalEvent } from './journal.ts';
import { Readings } from './shared-work.ts';

/** What came of one of the things that an event names. */
export interface Answered<Answer> {
  readonly hint: Hint;
  /** Why it can't be answered, where it was given up. */
  readonly answer: Answer | ReconError;
}

export interface AnswerOptions<Answer> {
  readonly journal: Pick<Journal, 'unanswered' | 'read' | 'answered' | 'setAside'>;
  /** Asks the API. Throws ReconError where it can't be asked. */
  readonly read: (hint: Hint) => Promise<Answer>;
  /**
   * Says what came of an event, or of what was left of it. Resolves with the reason to set it aside,
   * if there is one. What it throws ends the work.
   */
  readonly tell: (
    event: JournalEvent,
    answered: readonly Answered<Answer>[],
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
export class Answerer<Answer> {
  readonly #options: AnswerOptions<Answer>;
  readonly #backlog: Backlog;
  readonly #readings: Readings<Answer>;
  readonly #underWay = new Set<Promise<void>>();
  #fault: { readonly error: unknown } | undefined;
  #isWoken = false;
  #onWake = () => {};

  constructor(options: AnswerOptions<Answer>) {
    const { ahead, clock, random } = options;
    this.#options = options;
    this.#backlog = new Backlog({ clock, random, mostRetries: Math.ceil(ahead / 2) });
    this.#readings = new Readings(ahead);
  }

  /** An event has come in. */
  add(event: JournalEvent): void {
    this.#backlog.add(event.name, event);
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
      this.#isWoken = false;
      const task = this.#underWay.size < mostUnderWay ? this.#backlog.next() : undefined;
      if (task) this.#begin(task);
      else await this.#untilWoken();
    }
    clearInterval(looking);
    signal.removeEventListener('abort', wake);
    if (this.#fault) throw this.#fault.error;
    await Promise.all(this.#underWay);
  }

  async #look(): Promise<void> {
    for (const name of await this.#options.journal.unanswered()) this.#backlog.add(name);
    this.#wake();
  }

  #begin(task: Task): void {
    const answering = this.#answer(task)
      .catch(this.#stumble)
      .finally(() => {
        this.#underWay.delete(answering);
        this.#wake();
      });
    this.#underWay.add(answering);
  }

  async #answer(task: Task): Promise<void> {
    const { journal, onFailure } = this.#options;
    const event = task.event ?? (await journal.read(task.name));
    if (!event) {
      this.#backlog.ended(task);
      return;
    }
    const answered = await this.#readAll(task.left ?? event.webhook.hints);
    if (!answered) return;
    const failed = answered.filter(hasFailed);
    const [failure] = failed;
    if (!failure || this.#isGivenUp(task, event, failure.answer)) {
      await this.#tell(task, event, answered);
      await this.#putAway(task);
      return;
    }
    const others = answered.filter((one) => !hasFailed(one));
    if (others.length > 0) await this.#tell(task, event, others);
    if (!task.left) onFailure(event, failure.answer);
    task.left = failed.map(({ hint }) => hint);
    if (failure.answer.endsRun) this.#backlog.refused(task);
    else this.#backlog.failed(task);
  }

  /** Undefined where the signal has aborted meanwhile. */
  async #readAll(hints: readonly Hint[]): Promise<readonly Answered<Answer>[] | undefined> {
    try {
      return await Promise.all(
        hints.map(async (hint) => ({ hint, answer: await this.#read(hint) })),
      );
    } catch (error) {
      if (this.#options.signal.aborted) return undefined;
      throw error;
    }
  }

  async #read(hint: Hint): Promise<Answer | ReconError> {
    const { read, signal } = this.#options;
    // What can't be one is not asked for, so that it needs no turn.
    if (!isId(hint)) return read(hint);
    const subject = `${hint.kind} ${hint.id.toLowerCase()}`;
    try {
      return await this.#readings.ask(subject, async () => {
        signal.throwIfAborted();
        return read(hint);
      });
    } catch (error) {
      if (error instanceof ReconError && !signal.aborted) return error;
      throw error;
    }
  }

  #isGivenUp({ failures }: Task, { receivedAt }: JournalEvent, { endsRun }: ReconError): boolean {
    const age = this.#options.clock.now() - Date.parse(receivedAt);
    return !endsRun && failures + 1 >= givenUp.failures && age >= givenUp.afterMs;
  }

  async #tell(
    { reasons }: Task,
    event: JournalEvent,
    answered: readonly Answered<Answer>[],
  ): Promise<void> {
    const reason = await this.#options.tell(event, answered);
    if (reason !== undefined) reasons.add(reason);
  }

  async #putAway(task: Task): Promise<void> {
    const { journal } = this.#options;
    const { name, reasons } = task;
    const isAway =
      reasons.size === 0
        ? await journal.answered(name)
        : await journal.setAside(name, [...reasons].join(' '));
    this.#backlog.ended(task, isAway);
  }

  async #untilWoken(): Promise<void> {
    if (this.#isWoken) return;
    const { waitMs } = this.#backlog;
    const sleep = new AbortController();
    await new Promise<void>((resolve) => {
      this.#onWake = resolve;
      if (waitMs !== undefined) {
        this.#options.clock.sleep(waitMs, sleep.signal).then(resolve, resolve);
      }
    });
    sleep.abort();
    this.#onWake = () => {};
  }

  #wake(): void {
    this.#isWoken = true;
    this.#onWake();
  }

  readonly #stumble = (error: unknown): void => {
    this.#fault ??= { error };
    this.#wake();
  };
}

function hasFailed<Answer>(
  one: Answered<Answer>,
): one is Answered<Answer> & { readonly answer: ReconError } {
  return one.answer instanceof ReconError;
}
