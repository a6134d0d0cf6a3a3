import { describe, expect, test } from 'vitest';
import { bucket, fixedWindow, type Limit, runAgainst, seeded } from '../../api/limited-service.ts';

/** Refuses each Nth request, however fast they come. */
function every(count: number): Limit {
  let requests = 0;
  return () => {
    requests += 1;
    return requests % count !== 0;
  };
}

/** Refuses that share of the requests, however fast they come. */
function byChance(share: number): Limit {
  const random = seeded(7);
  return () => random() >= share;
}

const waits = [undefined, 1] as const;

/** So many a second, and how many requests a run makes: more where a pause is dear. */
const rates = [
  { perSecond: 5, cheap: 300, dear: 500 },
  { perSecond: 20, cheap: 500, dear: 1_000 },
  { perSecond: 100, cheap: 500, dear: 2_000 },
];

/** Of all that is sent: the least that keeps a slow limit busy, since a refused request waits 200 ms. */
const mostRefused = 0.12;

/** A pause that saves up less than it costs: finding the limit takes two or three of them. */
const isDear = (perSecond: number, burst: number, retryAfter?: number) =>
  retryAfter !== undefined && burst < perSecond * retryAfter;

describe('a token bucket', () => {
  const cases = rates.flatMap((rate) =>
    [...new Set([1, 5, rate.perSecond / 2, rate.perSecond, 2 * rate.perSecond])].flatMap((burst) =>
      waits.map((retryAfter) => ({ ...rate, burst, retryAfter })),
    ),
  );

  test.each(cases)(
    'of $perSecond a second and $burst saved up, Retry-After $retryAfter, is used up and refuses few requests',
    async ({ perSecond, burst, cheap, dear, retryAfter }) => {
      const pauseIsDear = isDear(perSecond, burst, retryAfter);
      const requests = pauseIsDear ? dear : cheap;
      const refusal = { face: 'http', retryAfter } as const;
      const course = await runAgainst(bucket(perSecond, burst), { requests, refusal });
      const ideal = requests / perSecond;
      expect(course.failed).toBe(0);
      expect(course.answeredAt).toHaveLength(requests);
      expect(course.refused / course.sent).toBeLessThan(mostRefused);
      const mostRatio = pauseIsDear && perSecond === 100 ? 1.5 : 1.3;
      expect(course.seconds / ideal).toBeLessThanOrEqual(mostRatio);
    },
  );

  test.each(waits)('refuses alike by wrapper and HTTP, Retry-After %s', async (retryAfter) => {
    const [byHttp, inWrapper] = await Promise.all(
      (['http', 'wrapper'] as const).map((face) =>
        runAgainst(bucket(20, 5), { requests: 500, refusal: { face, retryAfter } }),
      ),
    );
    expect(byHttp?.refused).toBeGreaterThan(0);
    expect(inWrapper).toEqual(byHttp);
  });

  test.each([1, 2, 3])('is used up in any order of events: seed %i', async (seed) => {
    for (const [perSecond, burst] of [
      [5, 5],
      [20, 20],
      [100, 100],
      [20, 1],
    ] as const) {
      const requests = perSecond === 5 ? 300 : 600;
      const course = await runAgainst(bucket(perSecond, burst), { requests, seed });
      expect(course.refused / course.sent).toBeLessThan(mostRefused);
      expect(course.seconds).toBeLessThanOrEqual((1.3 * requests) / perSecond);
    }
  });

  test('that is wider than the requests at a time refuses none', async () => {
    const free = await runAgainst(() => true, { requests: 500 });
    const course = await runAgainst(bucket(1_000, 1_000), { requests: 500 });
    expect(course).toEqual(free);
    expect(course.pauses).toEqual([]);
  });

  test('of one request a minute is waited for, and no request fails', async () => {
    const course = await runAgainst(bucket(1 / 60, 1), { requests: 20 });
    expect(course.failed).toBe(0);
    expect(course.seconds).toBeLessThanOrEqual(1.6 * 20 * 60);
  });

  test.each(waits)('that gets slower is followed, Retry-After %s', async (retryAfter) => {
    const slower = bucket((now) => (now < 5_000 ? 100 : 20), 20);
    const refusal = { face: 'wrapper', retryAfter } as const;
    const course = await runAgainst(slower, { requests: 900, refusal });
    expect(course.failed).toBe(0);
    expect(course.refused / course.sent).toBeLessThan(mostRefused);
    // 500 of them in the first five seconds.
    expect(course.seconds).toBeLessThanOrEqual(retryAfter ? 2 * 25 : 1.2 * 25);
  });

  test.each(waits)('that gets faster is followed, Retry-After %s', async (retryAfter) => {
    const faster = bucket((now) => (now < 10_000 ? 20 : 100), 20);
    const refusal = { face: 'wrapper', retryAfter } as const;
    const course = await runAgainst(faster, { requests: 1_200, refusal });
    const after = course.answeredAt.filter((at) => at > 10).length / (course.seconds - 10);
    expect(course.refused / course.sent).toBeLessThan(mostRefused);
    expect(after).toBeGreaterThan(1.5 * 20);
  });
});

describe('a fixed window', () => {
  test.each([
    { count: 5, ms: 1_000, requests: 150 },
    { count: 20, ms: 1_000, requests: 500 },
    { count: 6, ms: 60_000, requests: 60 },
    { count: 60, ms: 60_000, requests: 300 },
    { count: 600, ms: 60_000, requests: 1_800 },
  ])('of $count in $ms ms lets a run end without failures', async ({ count, ms, requests }) => {
    for (const retryAfter of waits) {
      const limit = fixedWindow(count, ms);
      const refusal = { face: 'wrapper', retryAfter } as const;
      const course = await runAgainst(limit, { requests, refusal });
      expect(course.failed).toBe(0);
      expect(course.seconds).toBeLessThanOrEqual((1.5 * (requests / count) * ms) / 1000);
    }
  });
});

describe('refusals that do not depend on the pace', () => {
  const unhindered = 500 / (8 / 0.03);

  test.each([
    { name: 'each third', limit: every(3), most: 12 },
    { name: 'each fourth', limit: every(4), most: 12 },
    { name: 'each fifth', limit: every(5), most: 6 },
    { name: 'each twentieth', limit: every(20), most: 3 },
    { name: 'one in five, by chance', limit: byChance(0.2), most: 12 },
    { name: 'one in twenty, by chance', limit: byChance(0.05), most: 6 },
    { name: 'one in fifty, by chance', limit: byChance(0.02), most: 6 },
  ])('do not slow a run much: $name', async ({ limit, most }) => {
    const course = await runAgainst(limit, { requests: 500 });
    expect(course.failed).toBe(0);
    expect(course.seconds).toBeLessThanOrEqual(most * unhindered);
  });

  test('do not slow a long run more and more', async () => {
    const course = await runAgainst(byChance(0.2), { requests: 3_000 });
    const third = course.answeredAt[999] ?? 0;
    expect(course.seconds).toBeLessThanOrEqual(5 * third);
  });
});

test('a refusal is reported once, whatever number of requests were under way', async () => {
  const course = await runAgainst(bucket(20, 20), { requests: 500 });
  expect(course.pauses.length).toBeGreaterThan(0);
  expect(course.pauses.length).toBeLessThan(course.refused);
});

test('requests sent one at a time have a pace too', async () => {
  const course = await runAgainst(bucket(20, 20), {
    requests: 500,
    concurrency: 1,
    latency: () => 5,
  });
  expect(course.refused / course.sent).toBeLessThan(mostRefused);
  expect(course.seconds).toBeLessThanOrEqual((1.3 * 500) / 20);
});

describe('requests that are signed one a second', () => {
  test('wait for their second only, if the limit is wider', async () => {
    const course = await runAgainst(bucket(2, 2), { requests: 100, isSigned: true });
    expect(course.refused).toBe(0);
    expect(course.seconds).toBeLessThanOrEqual(101);
  });

  test.each(waits)('keep the pace of a narrower limit, Retry-After %s', async (retryAfter) => {
    const refusal = { face: 'http', retryAfter } as const;
    const course = await runAgainst(bucket(0.4, 3), { requests: 120, isSigned: true, refusal });
    expect(course.failed).toBe(0);
    expect(course.refused / course.sent).toBeLessThan(mostRefused);
    expect(course.seconds).toBeLessThanOrEqual((1.3 * 120) / 0.4);
  });
});

/** How long a run may take, by what the service does. Each in several orders of events. */
describe('the time that a run takes', () => {
  const latencies = [20, 100] as const;
  const free = new Map<string, ReturnType<typeof runAgainst>>();

  /** The run without a limit, made once. */
  function undisturbed(requests: number, latency: number) {
    const key = `${requests} ${latency}`;
    const course = free.get(key) ?? runAgainst(() => true, { requests, latency: () => latency });
    free.set(key, course);
    return course;
  }

  /** Refuses that request so many times, and nothing else. */
  function refusing(request: number, times: number): Limit {
    let left = times;
    return (_now, asked) => asked !== request || --left < 0;
  }

  async function worst(limit: () => Limit, options: Parameters<typeof runAgainst>[1]) {
    const courses = [];
    for (const seed of [1, 2]) courses.push(await runAgainst(limit(), { ...options, seed }));
    expect(courses.map(({ failed }) => failed)).toEqual([0, 0]);
    expect(Math.min(...courses.map(({ soonestMs }) => soonestMs))).toBeGreaterThanOrEqual(200);
    return Math.max(...courses.map(({ seconds }) => seconds));
  }

  for (const latency of latencies) {
    for (const times of [3, 4]) {
      test.each([true, false])(
        `with ${times} refusals in the beginning, at ${latency} ms, the first alone: %s`,
        async (firstAlone) => {
          // The shorter the run, the more a pause of its beginning weighs.
          const requests = latency === 20 ? 700 : 300;
          const free = await undisturbed(requests, latency);
          const options = { requests, latency: () => latency, firstAlone };
          const seconds = await worst(() => refusing(firstAlone ? 0 : 1, times), options);
          expect(seconds).toBeLessThanOrEqual(1.5 * free.seconds);
          const asked = { face: 'http', retryAfter: 1 } as const;
          const patient = await worst(() => refusing(0, times), { ...options, refusal: asked });
          expect(patient).toBeLessThanOrEqual(1.5 * free.seconds + times);
        },
      );
    }

    test.each([20, 50, 200])(`at %i a second and ${latency} ms is spent well`, async (rate) => {
      // A longer run has more time to make up for finding the limit.
      const requests = 500;
      const free = await undisturbed(requests, latency);
      for (const limit of [
        () => bucket(rate, rate / 2),
        () => bucket(rate, rate),
        () => bucket(rate, 2 * rate),
      ]) {
        const seconds = await worst(limit, { requests, latency: () => latency });
        // Eight at a time may be fewer than the service allows.
        const most = Math.max(requests / (0.9 * rate), free.seconds + 0.1);
        expect(seconds).toBeLessThanOrEqual(most);
      }
    });

    test(`at 50 a second, each refusal asking for a second, and ${latency} ms`, async () => {
      const refusal = { face: 'http', retryAfter: 1 } as const;
      for (const requests of [500, 1_000]) {
        for (const burst of [50, 100]) {
          const options = { requests, latency: () => latency, refusal };
          const seconds = await worst(() => bucket(50, burst), options);
          expect(seconds).toBeLessThanOrEqual(requests / (0.85 * 50));
        }
      }
      const requests = 1_000;
      const options = { requests, latency: () => latency, refusal };
      const seconds = await worst(() => fixedWindow(50, 1_000), options);
      // It is tried again after each of the first refusals, since those may have other reasons: at a
      // second each.
      expect(seconds).toBeLessThanOrEqual(requests / (0.85 * 50) + 3);
    });

    test(`with a refusal of every twentieth request, at ${latency} ms`, async () => {
      for (const requests of [500, 1_000]) {
        const free = await undisturbed(requests, latency);
        const options = { requests, latency: () => latency };
        expect(await worst(() => every(20), options)).toBeLessThanOrEqual(2 * free.seconds);
      }
      // By chance some come close together: over 500 requests up to 2.7 times as long.
      const requests = 1_000;
      const free = await undisturbed(requests, latency);
      const seconds = await worst(() => byChance(0.05), { requests, latency: () => latency });
      expect(seconds).toBeLessThanOrEqual(2 * free.seconds);
    });
  }
});
