import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Pacer, type Priority } from '../../src/api/pacer.ts';
import type { Clock } from '../../src/base/clock.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { VirtualClock } from '../support/virtual-clock.ts';

/** A pacer, and requests that end when they are told to. */
function setUp(concurrency: number, clock: Clock = new FakeClock()) {
  const run = new AbortController();
  const pacer = new Pacer({ concurrency, clock, signal: run.signal, random: () => 0.5 });
  const started: string[] = [];
  const ends: (() => void)[] = [];
  const request = (name: string, priority: Priority = [0, 0]) =>
    pacer.run(priority, () => {
      started.push(name);
      return new Promise<string>((resolve) => ends.push(() => resolve(name)));
    });
  /** Ends the requests under way until none is left. */
  const drain = async () => {
    await idle();
    while (ends.length > 0) {
      ends.shift()?.();
      await idle();
    }
  };
  return { run, pacer, started, ends, request, drain };
}

/** Lets everything happen that needs no time. */
async function idle(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate);
}

/** How many requests start at once. */
async function width(pacer: Pacer): Promise<number> {
  let running = 0;
  let most = 0;
  const requests = Array.from({ length: 20 }, () =>
    pacer.run([0, 0], async () => {
      running += 1;
      most = Math.max(most, running);
      await new Promise(setImmediate);
      running -= 1;
    }),
  );
  await Promise.all(requests);
  return most;
}

test('the number of requests under way stays within the limit, and all get their turn', async () => {
  expect(await width(setUp(3).pacer)).toBe(3);
  expect(await width(setUp(1).pacer)).toBe(1);
});

test('one of several runs ends with its own signal, and the others continue', async () => {
  const { pacer, started, request, drain } = setUp(1);
  const one = new AbortController();
  const first = request('other');
  const waiting = [1, 2].map(() => pacer.run([0, 0], async () => 'own', { signal: one.signal }));
  const last = request('another');
  pacer.pace.pause(60_000);
  one.abort(new Error('out of time'));
  for (const each of waiting) await expect(each).rejects.toThrow('out of time');
  await expect(pacer.waitForPause(one.signal)).rejects.toThrow('out of time');
  await drain();
  expect(await Promise.all([first, last])).toEqual(['other', 'another']);
  expect(started).toEqual(['other', 'another']);
});

test('a request that leaves early lets the next one start, and once only', async () => {
  const { pacer, started, request, drain } = setUp(1);
  let end = () => {};
  const first = pacer.run([0, 0], (leave) => {
    leave();
    leave();
    return new Promise<void>((resolve) => {
      end = resolve;
    });
  });
  request('second');
  request('third');
  await idle();
  expect(started).toEqual(['second']);
  end();
  await first;
  expect(started).toEqual(['second']);
  await drain();
  expect(started).toEqual(['second', 'third']);
});

test('an answer that ends a pause lets all requests start, though its own request was sent before the pause', async () => {
  const { pacer, started, request, drain } = setUp(4);
  for (let refusal = 0; refusal < 3; refusal += 1)
    pacer.pace.refused(pacer.pace.send(), 1_000 * (refusal + 1));
  expect(pacer.pace.isTrying).toBe(true);
  const first = pacer.run([0, 0], async (leave) => {
    const sent = pacer.pace.send();
    leave();
    await new Promise(setImmediate);
    pacer.pace.accepted(sent);
  });
  for (const name of ['a', 'b', 'c']) request(name);
  await first;
  await idle();
  expect(started).toHaveLength(3);
  await drain();
});

test('requests start by settlement, then by offset', async () => {
  const place = fc.tuple(fc.integer({ min: -1, max: 5 }), fc.nat({ max: 5 }));
  await fc.assert(
    fc.asyncProperty(fc.array(place, { maxLength: 15 }), async (places) => {
      const { request, started, drain } = setUp(1);
      const first = request('first', [9, 9]);
      const requests = places.map((priority, at) => request(`${priority} #${at}`, priority));
      await drain();
      await Promise.all([first, ...requests]);
      const inOrder = places
        .map((priority, at) => ({ priority, name: `${priority} #${at}` }))
        .sort((a, b) => a.priority[0] - b.priority[0] || a.priority[1] - b.priority[1]);
      expect(started).toEqual(['first', ...inOrder.map(({ name }) => name)]);
    }),
  );
});

test('a place becomes free also if a request fails', async () => {
  const { pacer, request, drain } = setUp(1);
  const failing = pacer.run([0, 0], async () => {
    throw new Error('fault');
  });
  const next = request('next');
  await expect(failing).rejects.toThrow('fault');
  await drain();
  expect(await next).toBe('next');
});

describe('a rate limit', () => {
  test('lets no request start before the pause is over', async () => {
    const clock = new VirtualClock();
    const { pacer } = setUp(4, clock);
    const before = clock.now();
    pacer.pace.refused(pacer.pace.send(), 60_000);
    const started = async () => clock.now() - before;
    const waiting = [pacer.run([0, 0], started), pacer.run([0, 0], started)];
    const [first = 0, second = 0] = await clock.passUntil(Promise.all(waiting));
    expect(first).toBe(60_000);
    expect(second).toBeGreaterThanOrEqual(60_000);
  });

  test('that is reported again during the pause makes the pause longer, never shorter', async () => {
    const clock = new FakeClock();
    const { pacer, request, drain } = setUp(4, clock);
    const before = clock.now();
    const sent = [pacer.pace.send(), pacer.pace.send(), pacer.pace.send()] as const;
    expect(pacer.pace.refused(sent[0], 1_000)).toBe(1_000);
    expect(pacer.pace.refused(sent[1], 30_000)).toBeUndefined();
    expect(pacer.pace.refused(sent[2], 500)).toBeUndefined();
    const waiting = request('a');
    await drain();
    await waiting;
    expect(clock.now() - before).toBe(30_000);
  });

  test('lets one request start first, and the others follow after its answer', async () => {
    const { pacer, request, started, ends, drain } = setUp(4);
    pacer.pace.refused(pacer.pace.send(), undefined);
    const waiting = ['a', 'b', 'c'].map((name) => request(name));
    await idle();
    expect(started).toEqual(['a']);
    pacer.pace.accepted(pacer.pace.send());
    ends.shift()?.();
    await drain();
    expect(await Promise.all(waiting)).toEqual(['a', 'b', 'c']);
  });

  test('keeps the measured distance between two starts afterwards', async () => {
    const clock = new VirtualClock();
    const { pacer } = setUp(4, clock);
    await measureTen(pacer, clock);
    const startedAt: number[] = [];
    const request = () =>
      pacer.run([0, 0], async () => {
        const sent = pacer.pace.send();
        startedAt.push(sent.at);
        await clock.sleep(10);
        pacer.pace.accepted(sent);
      });
    await clock.passUntil(Promise.all(Array.from({ length: 5 }, request)));
    const gaps = startedAt.slice(1).map((at, index) => at - (startedAt[index] ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(60);
  });

  test('that occurs once does not set a pace', async () => {
    const clock = new VirtualClock();
    const { pacer } = setUp(4, clock);
    pacer.pace.refused(pacer.pace.send(), undefined);
    await clock.passUntil(clock.sleep(150));
    for (let answer = 0; answer < 16; answer += 1) pacer.pace.accepted(pacer.pace.send());
    expect(pacer.pace.perSecond).toBe(Number.POSITIVE_INFINITY);
  });
});

/** Many refusals, and then one again after 20 answers at ten a second: the pace is known. */
async function measureTen({ pace }: Pacer, clock: VirtualClock): Promise<void> {
  const first = pace.send();
  for (let refusal = 0; refusal < 30; refusal += 1) pace.refused(first, undefined);
  await clock.passUntil(clock.sleep(100));
  for (let answer = 0; answer < 20; answer += 1) {
    const sent = pace.send();
    await clock.passUntil(clock.sleep(100));
    pace.accepted(sent);
  }
  pace.refused(pace.send(), undefined);
}

test('the pace is right on average though timers wake late', async () => {
  class LateClock extends VirtualClock {
    override sleep(ms: number, signal?: AbortSignal): Promise<void> {
      return super.sleep(ms + 1, signal);
    }
  }
  const clock = new LateClock();
  const { pacer } = setUp(4, clock);
  await measureTen(pacer, clock);
  // Nothing is answered after that, so that it stays.
  const startedAt: number[] = [];
  const request = () =>
    pacer.run([0, 0], async () => {
      startedAt.push(clock.now());
    });
  await clock.passUntil(Promise.all(Array.from({ length: 21 }, request)));
  const tookMs = (startedAt.at(-1) ?? 0) - (startedAt[0] ?? 0);
  expect(tookMs).toBeLessThanOrEqual((20 * 1_000) / pacer.pace.perSecond + 2);
  expect(tookMs).toBeGreaterThanOrEqual((20 * 1_000) / pacer.pace.perSecond - 2);
});

test('before a rate limit, requests wait for a place only', async () => {
  const clock = new FakeClock();
  const { pacer } = setUp(3, clock);
  for (let answer = 0; answer < 100; answer += 1) pacer.pace.accepted(pacer.pace.send());
  expect(await width(pacer)).toBe(3);
  expect(clock.slept).toEqual([]);
});

test('a pause alone does not change the pace', async () => {
  const clock = new FakeClock();
  const { pacer } = setUp(3, clock);
  pacer.pace.pause(5_000);
  expect(await width(pacer)).toBe(3);
  expect(clock.slept).toEqual([5_000]);
});

describe('a spacing', () => {
  /** Starts requests, with a spacing or without, and tells when each did, in milliseconds. */
  async function startsOf(isSpaced: readonly boolean[], concurrency = 4) {
    const clock = new VirtualClock();
    const began = clock.now();
    const { pacer } = setUp(concurrency, clock);
    let waits = 0;
    const spacing = {
      key: {},
      gapMs: 1_000,
      onWait: () => {
        waits += 1;
      },
    };
    const startedAt = isSpaced.map(() => Number.NaN);
    const request = (at: number) =>
      pacer.run(
        [0, at],
        async () => {
          startedAt[at] = clock.now() - began;
          await clock.sleep(10);
        },
        isSpaced[at] ? { spacing } : {},
      );
    await clock.passUntil(Promise.all(isSpaced.map((_, at) => request(at))));
    return { startedAt, waits };
  }

  test('keeps its distance, and reports the waits', async () => {
    const { startedAt, waits } = await startsOf([true, true, true]);
    expect(startedAt).toEqual([0, 1_000, 2_000]);
    expect(waits).toBeGreaterThan(0);
  });

  test('delays no other requests, and takes no place of theirs', async () => {
    const { startedAt } = await startsOf([true, true, true, false, false], 1);
    expect(startedAt).toEqual([0, 1_000, 2_000, 10, 20]);
  });

  test('reports nothing if no request waits for it', async () => {
    expect(await startsOf([true, false, false])).toEqual({ startedAt: [0, 0, 0], waits: 0 });
  });
});

describe('an aborted run', () => {
  test('refuses all requests that wait for a place', async () => {
    const { run, request, started, drain } = setUp(1);
    const first = request('first');
    const waiting = [request('a'), request('b'), request('c')].map((one) =>
      expect(one).rejects.toThrow('enough'),
    );
    await idle();
    run.abort(new Error('enough'));
    await drain();
    await Promise.all([first, ...waiting]);
    expect(started).toEqual(['first']);
  });

  test('wakes all requests that wait for the end of a pause', async () => {
    // Time that stands still until the run is aborted.
    const clock: Clock = {
      now: () => 0,
      monotonic: () => 0,
      sleep: (_, signal) =>
        new Promise((_resolve, reject) => {
          signal?.addEventListener('abort', () => reject(signal.reason));
        }),
    };
    const { run, pacer, request } = setUp(2, clock);
    pacer.pace.refused(pacer.pace.send(), 1_000);
    const waiting = ['a', 'b', 'c'].map((name) => request(name));
    const ends = Promise.allSettled(waiting);
    run.abort(new Error('enough'));
    for (const end of await ends) expect(end).toMatchObject({ status: 'rejected' });
  });
});

test('in any order of events, requests stay within the maximum, never start in a pause, and all start', async () => {
  const request = fc.record({
    priority: fc.tuple(fc.nat({ max: 3 }), fc.nat({ max: 3 })),
    outcome: fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom('answered' as const, 'failed' as const) },
      { weight: 2, arbitrary: fc.integer({ min: 0, max: 50 }) },
    ),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.array(request, { maxLength: 25 }),
      fc.integer({ min: 1, max: 4 }),
      async (scheduler, requests, concurrency) => {
        let now = 0;
        const clock: Clock = {
          now: () => now,
          monotonic: () => now,
          sleep: async (ms) => {
            const due = now + ms;
            await scheduler.schedule(Promise.resolve(), `sleep ${ms}`);
            now = Math.max(now, due);
          },
        };
        const { signal } = new AbortController();
        const pacer = new Pacer({ concurrency, clock, signal, random: () => 0.5 });
        let running = 0;
        let pausedUntil = 0;
        const work = requests.map(async ({ priority, outcome }, at) => {
          await scheduler.schedule(Promise.resolve(), `arrive ${at}`);
          await pacer.run(priority, async () => {
            running += 1;
            const sent = pacer.pace.send();
            expect(running).toBeLessThanOrEqual(concurrency);
            expect(now).toBeGreaterThanOrEqual(pausedUntil);
            await scheduler.schedule(Promise.resolve(), `request ${at}`);
            if (outcome === 'answered') pacer.pace.accepted(sent);
            else if (outcome !== 'failed') {
              pausedUntil = Math.max(pausedUntil, now + outcome);
              pacer.pace.refused(sent, outcome || undefined);
            }
            running -= 1;
          });
        });
        await scheduler.waitFor(Promise.all(work));
        expect(running).toBe(0);
      },
    ),
    { numRuns: 300 },
  );
});
