import type { Clock } from '../base/clock.ts';
import { ReconError } from '../base/errors.ts';
import type { Webhook } from '../model/webhook.ts';
import { Backlog, type Due } from './backlog.ts';
import type { Journal } from './journal.ts';
import type { JournalEvent } from './journal-lines.ts';

export interface AnswerOptions<Answer> {
  readonly journal: Pick<Journal, 'cursor' | 'answered'>;
  /** Asks the API. Throws ReconError where it can't be asked. */
  readonly read: (webhook: Webhook) => Promise<Answer>;
  /** Says what came of an event. What it throws ends the work. */
  readonly tell: (event: JournalEvent, answer: Answer) => Promise<void>;
  /** An event stays in the journal, and is tried again. */
  readonly onFailure: (event: JournalEvent, failure: ReconError) => void;
  /** Readings at a time. */
  readonly ahead: number;
  readonly clock: Clock;
  /** A number from 0 to below 1. */
  readonly random: () => number;
  readonly signal: AbortSignal;
}

/** So many events are in memory at most; and for each reading at a time, so many that wait. */
const mostUnderWay = 256;
const mostWaiting = 8;

/**
 * Answers the events of the journal: each by reading what it is about, again and again until that
 * succeeds. Those that wait for the same settlement or charge are answered by one reading, which
 * begins when all of them are there. An event is marked when it has been told.
 */
export class Answerer<Answer> {
  readonly #options: AnswerOptions<Answer>;
  readonly #backlog: Backlog;
  /** By what they are about, in the order in which they came. */
  readonly #waiting = new Map<string, Due[]>();
  readonly #reading = new Map<string, Promise<void>>();
  #underWay = 0;
  #fault: { readonly error: unknown } | undefined;
  #isWoken = false;
  #onWake = () => {};

  constructor(options: AnswerOptions<Answer>) {
    this.#options = options;
    this.#backlog = new Backlog(options.journal, options.clock, options.random);
  }

  /** Something may have changed: an event has come in. */
  wake(): void {
    this.#isWoken = true;
    this.#onWake();
  }

  /** Works until the signal aborts; what is then under way stays in the journal. */
  async work(): Promise<void> {
    const { signal } = this.#options;
    const wake = () => this.wake();
    signal.addEventListener('abort', wake);
    while (!signal.aborted && !this.#fault) {
      this.#isWoken = false;
      const due = this.#hasRoom ? await this.#backlog.next() : undefined;
      if (due) this.#accept(due);
      else await this.#untilWoken();
    }
    signal.removeEventListener('abort', wake);
    if (this.#fault) throw this.#fault.error;
    await Promise.all(this.#reading.values());
  }

  get #hasRoom(): boolean {
    const waiting = this.#waiting.size;
    return this.#underWay < mostUnderWay && waiting < mostWaiting * this.#options.ahead;
  }

  #accept(due: Due): void {
    const about = subjectOf(due.event);
    const waiting = this.#waiting.get(about);
    if (waiting) waiting.push(due);
    else this.#waiting.set(about, [due]);
    this.#underWay += 1;
    this.#startReading();
  }

  #startReading(): void {
    const { ahead, signal } = this.#options;
    if (this.#fault || signal.aborted) return;
    for (const [about, dues] of this.#waiting) {
      if (this.#reading.size >= ahead) return;
      // A reading that has begun may not see what a later event speaks of.
      if (this.#reading.has(about)) continue;
      this.#waiting.delete(about);
      const reading = this.#answer(dues).then(
        () => this.#ended(about, dues),
        (error: unknown) => {
          this.#fault ??= { error };
          this.#ended(about, dues);
        },
      );
      this.#reading.set(about, reading);
    }
  }

  #ended(about: string, dues: readonly Due[]): void {
    this.#reading.delete(about);
    this.#underWay -= dues.length;
    this.#startReading();
    this.wake();
  }

  async #answer(dues: readonly Due[]): Promise<void> {
    const { read, tell, journal, onFailure, signal } = this.#options;
    const [first] = dues;
    if (!first) return;
    let answer: Answer;
    try {
      answer = await read(first.event.webhook);
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof ReconError)) throw error;
      onFailure(first.event, error);
      const concernsAll = error.endsRun || error.failure === 'authentication';
      this.#backlog.failed(dues, concernsAll);
      return;
    }
    for (const due of dues) {
      await tell(due.event, answer);
      journal.answered(due.event.number);
      this.#backlog.answered(due);
    }
  }

  async #untilWoken(): Promise<void> {
    if (this.#isWoken) return;
    const { clock } = this.#options;
    const { waitMs } = this.#backlog;
    const sleep = new AbortController();
    await new Promise<void>((resolve) => {
      this.#onWake = resolve;
      if (waitMs !== undefined) clock.sleep(waitMs, sleep.signal).then(resolve, resolve);
    });
    sleep.abort();
    this.#onWake = () => {};
  }
}

/** Events about the same have the same; of what isn't recognised, each is on its own. */
function subjectOf({ number, webhook }: JournalEvent): string {
  switch (webhook.kind) {
    case 'settlement':
      return `settlement ${webhook.settlementId}`;
    case 'charge':
      return `charge ${webhook.chargeId}`;
    case 'unknown':
      return `event ${number}`;
  }
}
