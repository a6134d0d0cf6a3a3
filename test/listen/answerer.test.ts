import { describe, expect, it } from 'vitest';
import { ReconError } from '../../src/base/errors.ts';
import { Answerer } from '../../src/listen/answerer.ts';
import type { Journal } from '../../src/listen/journal.ts';
import type { Webhook } from '../../src/model/webhook.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { openJournal } from './journals.ts';

const broken = new ReconError('service', 'It is failing.');
const nameOf = (webhook: Webhook) => ('chargeId' in webhook ? webhook.chargeId : webhook.kind);

interface Work {
  readonly told: readonly number[];
  readonly reads: readonly string[];
  readonly failures: readonly number[];
  readonly most: () => number;
}

/** Lets an answerer work until so many events are told, or `isDone` says so. */
async function answerAll(
  journal: Journal,
  read: (name: string, attempt: number) => Promise<string>,
  isDone: (work: Work) => boolean,
  clock = new FakeClock(),
): Promise<Work> {
  const stop = new AbortController();
  const told: number[] = [];
  const reads: string[] = [];
  const failures: number[] = [];
  let reading = 0;
  let most = 0;
  const work = { told, reads, failures, most: () => most };
  const look = () => {
    if (isDone(work)) stop.abort();
  };
  const answerer = new Answerer<string>({
    journal,
    read: async (webhook) => {
      const name = nameOf(webhook);
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
    tell: async ({ number }) => {
      told.push(number);
      look();
    },
    onFailure: ({ number }) => {
      failures.push(number);
      look();
    },
    ahead: 3,
    clock,
    random: () => 0.5,
    signal: stop.signal,
  });
  await answerer.work();
  return work;
}

async function journalOf(...names: readonly string[]): Promise<Journal> {
  const { journal } = await openJournal({ segmentBytes: 500 });
  await Promise.all(names.map((name) => journal.append(JSON.stringify({ charge_id: name }))));
  return journal;
}

describe('the answerer', () => {
  it('answers each event once, a few at a time, and marks it', async () => {
    const names = Array.from({ length: 40 }, (_, index) => `c${index}`);
    const journal = await journalOf(...names);
    const work = await answerAll(
      journal,
      async (name) => name,
      ({ told }) => told.length === 40,
    );
    expect([...work.told].sort((a, b) => a - b)).toEqual(names.map((_, index) => index + 1));
    expect([work.most(), work.reads.length, journal.unanswered]).toEqual([3, 40, 0]);
  });

  it('reads once for those that wait for the same, which all get their line', async () => {
    const journal = await journalOf('a', 'b', 'c', 'd', 'd', 'd', 'd');
    const { told, reads } = await answerAll(
      journal,
      async (name) => name,
      (work) => work.told.length === 7,
    );
    expect([told.length, reads]).toEqual([7, ['a', 'b', 'c', 'd']]);
  });

  it('reads again for an event that came while a reading was under way', async () => {
    const journal = await journalOf('a');
    const { reads } = await answerAll(
      journal,
      async (name, attempt) => {
        if (attempt === 1) await journal.append('{"charge_id":"a"}');
        return name;
      },
      ({ told }) => told.length === 2,
    );
    expect(reads).toEqual(['a', 'a']);
  });

  it('tries what fails again until it is answered, with longer and longer rests', async () => {
    const journal = await journalOf('good', 'bad');
    const clock = new FakeClock();
    const { told, failures } = await answerAll(
      journal,
      async (name, attempt) => {
        if (name === 'bad' && attempt < 6) throw broken;
        return name;
      },
      (work) => work.told.length === 2,
      clock,
    );
    expect([told, failures]).toEqual([
      [1, 2],
      [2, 2, 2, 2, 2],
    ]);
    expect(journal.unanswered).toBe(0);
    const rests = clock.slept.filter((ms) => ms > 0);
    expect(rests).toEqual([...rests].sort((a, b) => a - b));
    expect(Math.max(...rests)).toBeGreaterThanOrEqual(4 * (rests[0] ?? 0));
  });

  it('answers others while many are stuck for good', async () => {
    const stuck = Array.from({ length: 20 }, (_, index) => `bad${index}`);
    const good = Array.from({ length: 20 }, (_, index) => `good${index}`);
    const journal = await journalOf(...stuck, ...good);
    const { told } = await answerAll(
      journal,
      async (name) => {
        if (name.startsWith('bad')) throw broken;
        return name;
      },
      (work) => work.told.length === 20,
    );
    expect([...told].sort((a, b) => a - b)).toEqual(good.map((_, index) => index + 21));
    expect(journal.unanswered).toBe(20);
  });

  it('rests at once where the credentials are refused: others would fare no better', async () => {
    const names = Array.from({ length: 60 }, (_, index) => `c${index}`);
    const journal = await journalOf(...names);
    const refused = new ReconError('authentication', 'Refused.', { endsRun: true });
    const clock = new FakeClock();
    let isMended = false;
    const work = await answerAll(
      journal,
      async (name) => {
        if (clock.slept.length > 0) isMended = true;
        if (!isMended) throw refused;
        return name;
      },
      ({ told }) => told.length === 60,
      clock,
    );
    expect(work.failures.length).toBeLessThan(40);
    expect(journal.unanswered).toBe(0);
  });

  it('ends with what telling throws, and has that event still to be answered', async () => {
    const journal = await journalOf('a');
    const answerer = new Answerer<string>({
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
    expect(journal.unanswered).toBe(1);
  });
});
