import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { ReconError } from '../../src/base/errors.ts';
import { EventAnswerer, type HintAnswer } from '../../src/listen/event-answerer.ts';
import type { Journal } from '../../src/listen/journal.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { dayMs, keep, march4, openJournal } from './journals.ts';

const broken = new ReconError('service', 'It is failing.');

/** The id of a charge that a test calls by a name of up to 12 hexadecimal digits. */
const idOf = (name: string) => `00000000-0000-4000-8000-${name.padStart(12, '0')}`;
const nameOf = (id: string) => /[1-9a-f][0-9a-f]*$/.exec(id)?.[0] ?? id;
const charge = (name: string) => JSON.stringify({ charge_id: idOf(name) });

interface Work {
  /** The charges that were told, and those that were told as failed. */
  readonly told: readonly string[];
  readonly givenUp: readonly string[];
  readonly reads: readonly string[];
  readonly failures: () => number;
  readonly most: () => number;
}

interface Manner {
  readonly read?: (name: string, attempt: number) => Promise<unknown>;
  readonly isDone: (work: Work) => boolean;
  readonly clock?: FakeClock;
  readonly ahead?: number;
}

/** Lets an answerer work until `isDone` says so. */
async function answerAll(journal: Journal, manner: Manner): Promise<Work> {
  const { read = async () => {}, isDone, clock = new FakeClock(march4), ahead = 3 } = manner;
  const stop = new AbortController();
  const told: string[] = [];
  const givenUp: string[] = [];
  const reads: string[] = [];
  let failures = 0;
  let reading = 0;
  let most = 0;
  const work = { told, givenUp, reads, failures: () => failures, most: () => most };
  const look = () => {
    if (isDone(work)) stop.abort();
  };
  const answerer = new EventAnswerer<unknown>({
    journal,
    read: async ({ id }) => {
      const name = nameOf(id);
      reads.push(name);
      reading += 1;
      most = Math.max(most, reading);
      await new Promise((resolve) => setImmediate(resolve));
      try {
        return await read(name, reads.filter((one) => one === name).length);
      } finally {
        reading -= 1;
      }
    },
    tell: async (_, answered: readonly HintAnswer<unknown>[]) => {
      for (const { hint, answer } of answered) {
        (answer instanceof ReconError ? givenUp : told).push(nameOf(hint.id));
      }
      look();
      return answered.some(({ answer }) => answer instanceof ReconError) ? 'It fails.' : undefined;
    },
    onFailure: () => {
      failures += 1;
      look();
    },
    ahead,
    clock,
    random: () => 0.5,
    signal: stop.signal,
  });
  await answerer.work();
  return work;
}

async function journalOf(...names: readonly string[]): Promise<Journal> {
  const { journal } = await openJournal();
  await Promise.all(names.map((name) => keep(journal, charge(name))));
  return journal;
}

const waiting = async (journal: Journal) => (await journal.unanswered()).length;
const names = (count: number, prefix: string) =>
  Array.from({ length: count }, (_, n) => `${prefix}${n + 10}`);

describe('the answerer', () => {
  it('answers each event once, a few at a time, and files it', async () => {
    const all = names(40, 'c');
    const journal = await journalOf(...all);
    const work = await answerAll(journal, { isDone: ({ told }) => told.length === 40 });
    expect([...work.told].sort()).toEqual(all);
    expect([work.most(), work.reads.length, await waiting(journal)]).toEqual([3, 40, 0]);
  });

  it('reads once for events that name the same, and each gets its line', async () => {
    const journal = await journalOf('a', 'b', 'c', ...Array.from({ length: 9 }, () => 'd'));
    const { told, reads } = await answerAll(journal, {
      isDone: (work) => work.told.length === 12,
    });
    expect(told).toHaveLength(12);
    expect(reads.filter((name) => name === 'd').length).toBeLessThan(6);
  });

  it('reads again for an event that arrives during a reading', async () => {
    const { journal } = await openJournal();
    await keep(journal, charge('a'));
    const stop = new AbortController();
    const reads: string[] = [];
    let told = 0;
    const answerer: EventAnswerer<void> = new EventAnswerer<void>({
      journal,
      read: async ({ id }) => {
        reads.push(id);
        if (reads.length === 1) await journal.keep(charge('a'), (name) => answerer.add(name));
      },
      tell: async () => {
        told += 1;
        if (told === 2) stop.abort();
        return undefined;
      },
      onFailure: () => {},
      ahead: 3,
      clock: new FakeClock(),
      random: () => 0.5,
      signal: stop.signal,
    });
    await answerer.work();
    expect(reads).toEqual([idOf('a'), idOf('a')]);
  });

  it('answers all that an event names, and retries alone what fails', async () => {
    const { journal } = await openJournal();
    await keep(journal, `{"list":[${['a', 'b', 'c'].map(charge)}]}`);
    const { told, reads } = await answerAll(journal, {
      read: async (name, attempt) => {
        if (name === 'b' && attempt < 3) throw broken;
      },
      isDone: (work) => work.told.length === 3,
    });
    expect([told, reads]).toEqual([
      ['a', 'c', 'b'],
      ['a', 'b', 'c', 'b', 'b'],
    ]);
    expect(await waiting(journal)).toBe(0);
  });

  it('retries what fails until it is answered, with longer and longer pauses', async () => {
    const journal = await journalOf('a', 'b');
    const clock = new FakeClock(march4);
    const { told, failures } = await answerAll(journal, {
      read: async (name, attempt) => {
        if (name === 'b' && attempt < 6) throw broken;
      },
      isDone: (work) => work.told.length === 2,
      clock,
    });
    // It is said once that it fails.
    expect([told, failures()]).toEqual([['a', 'b'], 1]);
    const rests = clock.slept.filter((ms) => ms > 0);
    expect(rests).toEqual([30_000, 60_000, 120_000, 240_000, 480_000]);
  });

  it.each([-3_600_000, 3_600_000])('pauses as long if the clock is set by %i', async (ms) => {
    const clock = new FakeClock(march4);
    await answerAll(await journalOf('a'), {
      read: async (_, attempt) => {
        clock.step(ms, 4);
        if (attempt < 3) throw broken;
      },
      isDone: (work) => work.told.length === 1,
      clock,
    });
    expect(clock.slept.filter((rest) => rest > 0)).toEqual([30_000, 60_000]);
  });

  it('gives up after three days of failures, and sets the event aside', async () => {
    const { journal } = await openJournal();
    const name = await keep(journal, charge('a'));
    const clock = new FakeClock(march4);
    const { givenUp } = await answerAll(journal, {
      read: async () => {
        throw broken;
      },
      isDone: (work) => work.givenUp.length === 1,
      clock,
    });
    expect(givenUp).toEqual(['a']);
    const days = (clock.now() - march4) / dayMs;
    expect(days).toBeGreaterThanOrEqual(3);
    expect(days).toBeLessThan(3.1);
    expect([await waiting(journal), await journal.read(name)]).toEqual([0, undefined]);
  });

  it('retries an event that is older than three days a few times before it gives up', async () => {
    const journal = await journalOf('a');
    const { reads } = await answerAll(journal, {
      read: async () => {
        throw broken;
      },
      isDone: (work) => work.givenUp.length === 1,
      clock: new FakeClock(march4 + 10 * dayMs),
    });
    expect(reads).toHaveLength(6);
  });

  it('answers other events while many fail or are retried', async () => {
    const stuck = names(40, 'bad');
    const good = names(20, 'c');
    const journal = await journalOf(...stuck, ...good);
    let end = () => {};
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    const { told, reads } = await answerAll(journal, {
      read: async (name, attempt) => {
        if (!name.startsWith('bad')) return;
        // The second time they take for ever.
        if (attempt > 1) await ended;
        throw broken;
      },
      isDone: (work) => {
        if (work.told.length === 20) end();
        return work.told.length === 20;
      },
    });
    expect([...told].sort()).toEqual(good);
    expect(reads.length).toBeLessThanOrEqual(62);
    expect(await waiting(journal)).toBe(40);
  });

  it('waits with all events if the credentials are refused', async () => {
    const journal = await journalOf(...names(20, 'c'));
    const refused = new ReconError('authentication', 'Refused.', { endsRun: true });
    // The events are so old that other failures would soon end them.
    const began = march4 + 4 * dayMs;
    const clock = new FakeClock(began);
    const work = await answerAll(journal, {
      read: async () => {
        if (clock.now() < began + dayMs / 8) throw refused;
      },
      isDone: ({ told }) => told.length === 20,
      clock,
    });
    // However long that takes, no event is given up for it.
    expect(work.reads.length).toBeGreaterThan(6 * 20);
    expect(work.givenUp).toEqual([]);
    const rests = clock.slept.filter((ms) => ms > 0);
    expect(work.reads.length).toBeLessThanOrEqual(3 * (rests.length + 1) + 20);
    expect(await waiting(journal)).toBe(0);
  }, 20_000);

  it('finds an event that a user put back while it works', async () => {
    vi.useFakeTimers({ toFake: ['setInterval'] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const journal = await journalOf('a');
    let isPutBack = false;
    const { told } = await answerAll(journal, {
      isDone: (work) => {
        if (!isPutBack) {
          isPutBack = true;
          void keep(journal, charge('b')).then(() => vi.advanceTimersByTime(60_000));
        }
        return work.told.length === 2;
      },
    });
    expect(told).toEqual(['a', 'b']);
  });

  it('ends with the error of telling, and keeps that event unanswered', async () => {
    const journal = await journalOf('a');
    const answerer = new EventAnswerer<string>({
      journal,
      read: async () => 'answer',
      tell: async () => {
        throw new Error('closed pipe');
      },
      onFailure: () => {},
      ahead: 1,
      clock: new FakeClock(),
      random: () => 0.5,
      signal: new AbortController().signal,
    });
    await expect(answerer.work()).rejects.toThrow('closed pipe');
    expect(await waiting(journal)).toBe(1);
  });
});
