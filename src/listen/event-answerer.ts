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
export function createAnswerer<Answer>(options: AnswererOptions<Answer>) {
  const { journal, read, tell, onFailure, ahead, clock, random, signal } = options;
  const queue = createEventQueue(clock, random, Math.ceil(ahead / 2));
  const share = shareWork<Answer>(ahead);
  const underWay = new Set<Promise<void>>();
  let fault: { readonly error: unknown } | undefined;
  let wake = () => {};

  const readOnce = async (hint: Hint): Promise<Answer | ReconError> => {
    // An invalid id is never requested, so it needs no turn.
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
    { failures }: QueuedEvent,
    { receivedAt }: JournalEvent,
    { endsRun }: ReconError,
  ) => {
    const age = clock.now() - Date.parse(receivedAt);
    return !endsRun && failures + 1 >= givenUp.failures && age >= givenUp.afterMs;
  };

  const answer = async (task: QueuedEvent): Promise<void> => {
    const event = await journal.read(task.name);
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

  const begin = (task: QueuedEvent) => {
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
    add: (name: string): void => {
      queue.add(name);
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

const minuteMs = 60_000;
/** How long an event rests after each failure; after further ones as long as after the last. */
const restsMs = [minuteMs / 2, minuteMs, 2 * minuteMs, 4 * minuteMs, 8 * minuteMs, 15 * minuteMs];
const pause = { baseMs: 5_000, capMs: minuteMs };

/**
 * Hands out new events in their order, and besides at most `mostRetries` at a time that have failed and
 * rested since, so failures do not hold up the others. `random` gives a number from 0 to below 1.
 */
function createEventQueue(clock: Clock, random: () => number, mostRetries: number) {
  const known = new Set<string>();
  const fresh: QueuedEvent[] = [];
  /** By number of failures, so each list is sorted by the end of its rest. */
  const resting = restsMs.map((): QueuedEvent[] => []);
  const retriesUnderWay = new Set<QueuedEvent>();
  let pausedUntil = 0;
  let pausesInARow = 0;
  const msUntil = (time: number) => Math.max(0, time - clock.monotonic());
  return {
    /** Adds an event, unless it is known. Many may wait, so only their names are kept. */
    add: (name: string): void => {
      if (known.has(name)) return;
      known.add(name);
      fresh.push({ name, left: undefined, failures: 0, restsUntil: 0, reasons: new Set() });
    },
    /** The next event; undefined if there is none, or all have to wait. */
    next: (): QueuedEvent | undefined => {
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
    ended: (task: QueuedEvent, isAway = true): void => {
      retriesUnderWay.delete(task);
      if (isAway) known.delete(task.name);
      pausesInARow = 0;
    },
    failed: (task: QueuedEvent): void => {
      retriesUnderWay.delete(task);
      task.failures += 1;
      const place = Math.min(task.failures, restsMs.length) - 1;
      task.restsUntil = clock.monotonic() + (restsMs[place] ?? 0);
      resting[place]?.push(task);
    },
    /** Nothing can be answered now, as with rejected credentials: all wait, and this is no failure. */
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
