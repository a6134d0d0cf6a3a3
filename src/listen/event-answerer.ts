import type { Clock } from '../base/clock.ts';
import { ReconError } from '../base/errors.ts';
import { type Hint, isId } from '../model/webhook.ts';
import type { Journal, JournalEvent } from './journal.ts';
import { createEventQueue, type QueuedEvent, shareWork } from './work-queue.ts';

/** The answer for one of the things that an event names. */
export interface HintAnswer<Answer> {
  readonly hint: Hint;
  /** Or why there is none. */
  readonly answer: Answer | ReconError;
}

export interface AnswererOptions<Answer> {
  readonly journal: Pick<Journal, 'unanswered' | 'read' | 'answered' | 'setAside'>;
  /** Asks the API. Throws ReconError. */
  readonly read: (hint: Hint) => Promise<Answer>;
  /**
   * Reports the answers of an event, or of what was left of it. Returns the reason to set it aside, if
   * there is one. What it throws ends the work.
   */
  readonly tell: (
    event: JournalEvent,
    answered: readonly HintAnswer<Answer>[],
  ) => Promise<string | undefined>;
  /** Called once for each event that stays in the journal and is tried again. */
  readonly onFailure: (event: JournalEvent, failure: ReconError) => void;
  /** Readings at a time. */
  readonly ahead: number;
  readonly clock: Clock;
  /** A number from 0 to below 1. */
  readonly random: () => number;
  readonly signal: AbortSignal;
}

const mostUnderWay = 256;

/** Events that are put back by hand are found within this time. */
const lookEveryMs = 30_000;

/** Both must be reached: nobody may have listened for days, so age alone does not count. */
const givenUp = { afterMs: 3 * 24 * 3_600_000, failures: 6 };

/** Answers the events of the journal: reads what each names until that succeeds or is given up. */
export function createAnswerer<Answer>(options: AnswererOptions<Answer>) {
  const { journal, read, tell, onFailure, ahead, clock, random, signal } = options;
  const queue = createEventQueue<JournalEvent>(clock, random, Math.ceil(ahead / 2));
  const share = shareWork<Answer>(ahead);
  const underWay = new Set<Promise<void>>();
  let fault: { readonly error: unknown } | undefined;
  let wake = () => {};

  const readOnce = async (hint: Hint): Promise<Answer | ReconError> => {
    // Nothing is requested for what cannot be an id, so it needs no turn.
    if (!isId(hint)) return read(hint);
    try {
      return await share(`${hint.kind} ${hint.id.toLowerCase()}`, async () => {
        signal.throwIfAborted();
        return read(hint);
      });
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof ReconError) return error;
      throw error;
    }
  };

  const isGivenUp = (
    { failures }: QueuedEvent<JournalEvent>,
    { receivedAt }: JournalEvent,
    { endsRun }: ReconError,
  ) => {
    const age = clock.now() - Date.parse(receivedAt);
    return !endsRun && failures + 1 >= givenUp.failures && age >= givenUp.afterMs;
  };

  const answer = async (task: QueuedEvent<JournalEvent>): Promise<void> => {
    const event = task.event ?? (await journal.read(task.name));
    if (!event) return queue.ended(task);
    const hints = task.left ?? event.webhook.hints;
    const answered = await Promise.all(
      hints.map(async (hint) => ({ hint, answer: await readOnce(hint) })),
    );
    const failed = answered.filter(hasFailed);
    const [failure] = failed;
    const isOver = !failure || isGivenUp(task, event, failure.answer);
    const told = isOver ? answered : answered.filter((one) => !hasFailed(one));
    if (isOver || told.length > 0) {
      const reason = await tell(event, told);
      if (reason !== undefined) task.reasons.add(reason);
    }
    if (isOver) {
      const { name, reasons } = task;
      const isAway = await (reasons.size === 0
        ? journal.answered(name)
        : journal.setAside(name, [...reasons].join(' ')));
      return queue.ended(task, isAway);
    }
    if (!task.left) onFailure(event, failure.answer);
    task.left = failed.map(({ hint }) => hint);
    if (failure.answer.endsRun) queue.refused(task);
    else queue.failed(task);
  };

  const begin = (task: QueuedEvent<JournalEvent>) => {
    const answering = answer(task)
      .catch((error: unknown) => {
        if (error !== signal.reason) fault ??= { error };
      })
      .finally(() => {
        underWay.delete(answering);
        wake();
      });
    underWay.add(answering);
  };

  /** Waits until something has happened, or the next event may be tried again. */
  const rest = async () => {
    const waitMs = queue.waitMs();
    const woken = new AbortController();
    await new Promise<void>((resolve) => {
      wake = resolve;
      if (waitMs !== undefined) clock.sleep(waitMs, woken.signal).then(resolve, resolve);
    });
    woken.abort();
  };

  const look = async () => {
    for (const name of await journal.unanswered()) queue.add(name);
    wake();
  };

  return {
    add: (event: JournalEvent): void => {
      queue.add(event.name, event);
      wake();
    },
    /** Works until the signal aborts; unanswered events stay in the journal. */
    work: async (): Promise<void> => {
      const onAbort = () => wake();
      signal.addEventListener('abort', onAbort);
      await look();
      // A failure is reported as soon as an event cannot be kept.
      const looking = setInterval(() => look().catch(() => {}), lookEveryMs);
      while (!signal.aborted && !fault) {
        const task = underWay.size < mostUnderWay ? queue.next() : undefined;
        if (task) begin(task);
        else await rest();
      }
      clearInterval(looking);
      signal.removeEventListener('abort', onAbort);
      if (fault) throw fault.error;
      await Promise.all(underWay);
    },
  };
}

function hasFailed<Answer>(
  one: HintAnswer<Answer>,
): one is HintAnswer<Answer> & { readonly answer: ReconError } {
  return one.answer instanceof ReconError;
}
