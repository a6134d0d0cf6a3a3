import { describe, expect, onTestFinished, test } from 'vitest';
import { readTokenAnswer } from '../../src/api/auth.ts';
import { type Authorizer, Client, type Patience, type RequestEvent } from '../../src/api/client.ts';
import { Pacer } from '../../src/api/pacer.ts';
import { ReconError } from '../../src/base/errors.ts';
import { bodyOf, Transport } from '../../src/base/http/transport.ts';
import { Secrets } from '../../src/base/secrets.ts';
import {
  brokenOff,
  type Received,
  type Reply,
  reset,
  serve,
  silence,
  wrapper,
} from '../base/http/loopback.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { answerOf, recordsIn } from './answer.ts';

interface Options {
  readonly concurrency?: number;
  readonly random?: () => number;
  /** How often a refused token may be replaced. */
  readonly tokens?: number;
  readonly scope?: string;
  readonly clock?: FakeClock;
  readonly patience?: Patience;
  /** To each refusal, another request's came before. */
  readonly isAlwaysSecond?: boolean;
}

/** A clock whose sleepers sleep until they are released. */
class HeldClock extends FakeClock {
  readonly #sleepers: (() => void)[] = [];
  #isReleased = false;

  override async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    if (ms > 0 && !this.#isReleased)
      await new Promise<void>((resolve) => this.#sleepers.push(resolve));
    await super.sleep(ms, signal);
  }

  release(): void {
    this.#isReleased = true;
    for (const wake of this.#sleepers.splice(0)) wake();
  }
}

/** A client before a server that answers as told. */
async function setUp(
  answer: (request: Received) => Reply | Promise<Reply>,
  {
    concurrency = 4,
    random = () => 0.5,
    tokens = 1,
    scope,
    clock = new FakeClock(),
    patience,
    isAlwaysSecond = false,
  }: Options = {},
) {
  const { url, received, most } = await serve(answer);
  const run = new AbortController();
  const transport = new Transport({
    connections: concurrency,
    proxy: {},
    userAgent: 'recon/test',
    signal: run.signal,
    now: () => clock.now(),
  });
  onTestFinished(() => transport.close());
  const pacer = new Pacer({ concurrency, clock, signal: run.signal, random });
  if (isAlwaysSecond) pacer.pace.refused = () => undefined;
  const events: RequestEvent[] = [];
  const pauses: number[] = [];
  const observer = {
    request: (event: RequestEvent) => events.push(event),
    paused: (ms: number) => pauses.push(ms),
  };
  const client = new Client({
    transport,
    pacer,
    secrets: new Secrets(['secret-1']),
    clock,
    signal: run.signal,
    random,
    observer,
    ...(patience && { patience }),
  });
  const authorizer: Authorizer = {
    begin: () => {
      let number = 1;
      return {
        token: async () => `token-${number}`,
        rejectToken: () => {
          number += 1;
          return number <= tokens;
        },
        scope: () => scope,
        advice: 'Check the credentials.',
      };
    },
  };
  const list = (offset = 0) =>
    client.send({
      call: { method: 'POST', url: `${url}/rows`, body: { offset } },
      subject: `offset ${offset}`,
      queued: { authorizer, priority: [0, offset] },
      read: recordsIn,
      count: (records) => records.length,
    });
  const exchange = () =>
    client.send({
      call: { method: 'POST', url: `${url}/token`, body: { key: 'secret-1' } },
      read: readTokenAnswer,
    });
  return { url, received, most, clock, run, events, pauses, list, exchange };
}

/** Answers with the replies in turn, and then with an empty page. */
function inTurn(...replies: readonly Reply[]): (request: Received) => Reply {
  return ({ number }) => replies[number - 1] ?? wrapper('0', []);
}

async function failureOf(work: Promise<unknown>): Promise<ReconError> {
  const error = await work.then(
    () => new Error('it succeeded'),
    (caught: unknown) => caught,
  );
  if (error instanceof ReconError) return error;
  throw error;
}

const html = (status: number): Reply => ({ status, body: '<html>' });

const mostFaults = 6;
const mostRateLimits = 16;

describe('a failure that does not end', () => {
  test.each<[string, Reply, ReconError['failure'], number]>([
    ['wrapper 429', wrapper('429'), 'service', mostRateLimits],
    ['wrapper 1000', wrapper('1000'), 'service', mostFaults],
    ['wrapper 1001', wrapper('1001'), 'authentication', 1],
    ['wrapper 1002', wrapper('1002'), 'authentication', 1],
    ['wrapper 1010', wrapper('1010'), 'service', 1],
    ['wrapper 1020', wrapper('1020'), 'service', 1],
    ['wrapper 2001', wrapper('2001'), 'service', mostFaults],
    ['an unknown wrapper code', wrapper('9999'), 'service', 1],
    ['a wrapper code that is a name of JavaScript', wrapper('constructor'), 'service', 1],
    ['the number 0 for a code, with the word Fail', wrapper(0, []), 'service', mostFaults],
    ['HTTP 400', html(400), 'service', 1],
    ['HTTP 401', html(401), 'authentication', 1],
    ['HTTP 403', html(403), 'authentication', 1],
    ['HTTP 404', html(404), 'service', 1],
    ['HTTP 408', html(408), 'service', mostFaults],
    ['HTTP 429', html(429), 'service', mostRateLimits],
    ['HTTP 500', html(500), 'service', mostFaults],
    ['HTTP 502', html(502), 'service', mostFaults],
    ['HTTP 503', html(503), 'service', mostFaults],
    ['a redirect', { status: 302, headers: { location: '/elsewhere' } }, 'service', 1],
    ['a web page', html(200), 'service', mostFaults],
    ['an empty body', {}, 'service', mostFaults],
    ['half of the JSON', { body: '{"status":{"code":"0"},"da' }, 'service', mostFaults],
    ['data that is no list', wrapper('0', 'rows'), 'service', mostFaults],
    ['a body that breaks off', brokenOff, 'network', mostFaults],
    ['a reset', reset, 'network', mostFaults],
    ['too large a body', { body: 'x'.repeat(17 * 1024 * 1024) }, 'service', 1],
    ['too many records', wrapper('0', Array(600_000).fill({})), 'service', 1],
    ['too deep a record', { body: '['.repeat(600_000) + ']'.repeat(600_000) }, 'service', 1],
    ['HTTP 304, which is no redirect', { status: 304 }, 'service', 1],
  ])('%s: cause and attempts', async (_, reply, failure, attempts) => {
    const { list, received, events, url } = await setUp(() => reply);
    const error = await failureOf(list(30));
    expect(error.failure).toBe(failure);
    expect(error.where).toBe(`POST ${url}/rows (offset 30)`);
    expect(received.map(({ path }) => path)).toEqual(Array(attempts).fill('/rows'));
    expect(events.map(({ attempt }) => attempt)).toEqual(
      Array.from({ length: attempts }, (_, at) => at + 1),
    );
    expect(events.every((event) => event.failure !== undefined)).toBe(true);
  });
});

describe('a failure that ends', () => {
  test.each<[string, Reply]>([
    ['wrapper 429', wrapper('429')],
    ['wrapper 1000', wrapper('1000')],
    ['wrapper 2001', wrapper('2001')],
    ['HTTP 408', html(408)],
    ['HTTP 429', html(429)],
    ['HTTP 500', html(500)],
    ['a web page', html(200)],
    ['half of the JSON', { body: '{"status":{"code":"0"},"da' }],
    ['a body that breaks off', brokenOff],
    ['a reset', reset],
  ])('%s leaves all records, each once', async (_, reply) => {
    const { list, received } = await setUp(inTurn(reply, reply, wrapper('0', [1, 2])));
    expect(await list()).toEqual([1, 2]);
    expect(received).toHaveLength(3);
  });
});

test.each<[string, Reply]>([
  ['HTTP 500', { status: 500, ...(wrapper('0', [1]) as object) }],
  ['HTTP 401', { status: 401, ...(wrapper('0', [1]) as object) }],
])('the wrapper code "0" is also success with %s', async (_, reply) => {
  const { list, received } = await setUp(() => reply);
  expect(await list()).toEqual([1]);
  expect(received).toHaveLength(1);
});

describe('a wait', () => {
  test('between faults doubles from half a second, varies at random, and has a maximum', async () => {
    const { list, clock } = await setUp(() => wrapper('2001'), { random: () => 1 });
    await failureOf(list());
    expect(clock.slept).toEqual([500, 1000, 2000, 4000, 8000]);
  });

  test('because of the rate limit is short three times, then doubles up to a minute', async () => {
    const { list, pauses, clock } = await setUp(() => wrapper('429'), { random: () => 1 });
    const before = clock.now();
    await failureOf(list());
    const minute = 60_000;
    expect(pauses).toEqual([
      ...[100, 100],
      ...Array.from({ length: 10 }, (_, at) => 100 * 2 ** at),
      ...Array(4).fill(minute),
    ]);
    // The last refusal ends this request; it still slows down the others. Each of the three short
    // pauses leaves this one 100 ms until it may be repeated.
    expect(clock.now() - before).toBe(102_500 + 3 * 100 + 3 * minute);
  });

  test('is never left out, whatever the random number is', async () => {
    const { list, pauses } = await setUp(() => wrapper('429'), { random: () => 0 });
    await failureOf(list());
    expect(Math.min(...pauses)).toBe(50);
  });

  test.each<[text: string, ms: number, own?: number]>([
    ['7', 7_000],
    ['299', 299_000],
    ['301', 300_000],
    ['999999999999999999999999', 300_000],
    [new Date(Date.UTC(2026, 3, 1, 0, 0, 20)).toUTCString(), 20_000],
    [new Date(Date.UTC(2027, 3, 1)).toUTCString(), 300_000],
    // These say nothing about how long: the wait is the tool's own.
    ['0', 75, 200],
    [new Date(Date.UTC(2026, 2, 1)).toUTCString(), 75, 200],
    ['-1', 75, 200],
    ['soon', 75, 200],
  ])('for Retry-After "%s" takes %i milliseconds', async (text, ms, own = ms) => {
    for (const status of [200, 429]) {
      const limited = { status, headers: { 'retry-after': text }, ...(wrapper('429') as object) };
      const { list, pauses, clock } = await setUp(inTurn(limited));
      const before = clock.now();
      expect(await list()).toEqual([]);
      expect(pauses).toEqual([ms]);
      // Its own request is never repeated sooner than 200 ms after it was refused.
      expect(clock.now() - before).toBe(own);
    }
  });
});

describe('the rate limit', () => {
  const limited: Reply = { status: 429, headers: { 'retry-after': '60' } };

  test('holds back the requests that wait in line behind the one that was refused', async () => {
    const clock = new HeldClock();
    const { list, received, pauses } = await setUp(inTurn(limited), { concurrency: 1, clock });
    const lists = Promise.all([list(0), list(1), list(2)]);
    while (pauses.length === 0) await new Promise(setImmediate);
    // Time enough for another request to arrive.
    for (let turn = 0; turn < 50; turn += 1) await new Promise(setImmediate);
    expect(received).toHaveLength(1);
    clock.release();
    await lists;
    expect(received.map(({ body }) => body?.['offset'])).toEqual([0, 0, 1, 2]);
  });

  test('at the token exchange causes the same wait as at a list', async () => {
    const token = { body: { access_token: 'token-1' } };
    const { exchange, clock } = await setUp(inTurn(limited, limited, token));
    const before = clock.now();
    expect(bodyOf(await exchange())).toContain('token-1');
    expect(clock.now() - before).toBe(120_000);
  });

  test('that refuses all requests at once costs each of them two attempts, and is reported once', async () => {
    const { list, received, pauses } = await setUp(
      ({ number }) => (number <= 8 ? limited : wrapper('0', [])),
      { concurrency: 8 },
    );
    await Promise.all(Array.from({ length: 8 }, (_, at) => list(at)));
    expect(received).toHaveLength(16);
    expect(pauses).toEqual([60_000]);
  });

  test('ends a request that is always refused, though another one was always refused before it', async () => {
    const { list, received } = await setUp(() => limited, { isAlwaysSecond: true });
    await failureOf(list());
    expect(received).toHaveLength(64);
  });

  test('that lets no request through for the maximum time ends each of the requests that are left', async () => {
    const { list, received } = await setUp(() => wrapper('429'), { concurrency: 1 });
    const ends = await Promise.allSettled(Array.from({ length: 4 }, (_, at) => list(at)));
    expect(ends.map(({ status }) => status)).toEqual(Array(4).fill('rejected'));
    expect(received).toHaveLength(mostRateLimits + 3);
  });

  test('that refuses a single request ends that one only', async () => {
    const { list, received } = await setUp(
      ({ body }) => (body?.['offset'] === 2 ? wrapper('429') : wrapper('0', [])),
      { concurrency: 2 },
    );
    const ends = await Promise.allSettled(Array.from({ length: 40 }, (_, at) => list(at)));
    const failed = ends.flatMap(({ status }, at) => (status === 'rejected' ? [at] : []));
    expect(failed).toEqual([2]);
    const attempts = received.filter(({ body }) => body?.['offset'] === 2);
    expect(attempts).toHaveLength(mostRateLimits);
  });
});

test('after a fault with Retry-After the next attempt waits for that time', async () => {
  const busy: Reply = { status: 503, headers: { 'retry-after': '20' }, body: '<html>' };
  const { list, received, pauses, clock } = await setUp(inTurn(busy));
  const before = clock.now();
  expect(await list()).toEqual([]);
  expect(received).toHaveLength(2);
  expect(pauses).toEqual([20_000]);
  expect(clock.now() - before).toBe(20_000);
});

test.each<[answer: string, status: number, length: number, order: string]>([
  ['a page', 200, 5_000, 'send send read read'],
  ['what may be a refusal', 200, 4_000, 'send read send read'],
  ['a long refusal', 503, 5_000, 'send read send read'],
])('%s and the next request: a page is read during the next request', async (...given) => {
  const [, status, length, order] = given;
  const clock = new FakeClock();
  const { signal } = new AbortController();
  const steps: string[] = [];
  const client = new Client({
    transport: {
      send: async () => {
        steps.push('send');
        return answerOf('x'.repeat(length), { status });
      },
    },
    pacer: new Pacer({ concurrency: 1, clock, signal, random: Math.random }),
    secrets: new Secrets(),
    clock,
    signal,
    random: Math.random,
    observer: {},
  });
  const call = { method: 'GET', url: 'https://service.example' } as const;
  const authorization = { rejectToken: () => false, scope: () => undefined, advice: '' };
  const authorizer = { begin: () => ({ ...authorization, token: async () => 'token' }) };
  const ask = (offset: number) =>
    client.send({
      call,
      queued: { authorizer, priority: [0, offset] },
      read: () => steps.push('read'),
    });
  await Promise.all([ask(0), ask(1)]);
  expect(steps.join(' ')).toBe(order);
});

test('no more requests than allowed are under way at the server', async () => {
  const { list, most } = await setUp(
    async ({ number }) => {
      for (let turn = 0; turn < 3; turn += 1) await new Promise(setImmediate);
      return number % 3 === 0 ? wrapper('2001') : wrapper('0', []);
    },
    { concurrency: 3 },
  );
  await Promise.all(Array.from({ length: 40 }, (_, at) => list(at)));
  expect(most()).toBe(3);
});

describe('a refused token', () => {
  test.each<[string, Reply]>([
    ['HTTP 401', html(401)],
    ['wrapper 1002', wrapper('1002')],
  ])('by %s is replaced at once, and the request is repeated', async (_, reply) => {
    const { list, received, clock } = await setUp(inTurn(reply), { tokens: 2 });
    expect(await list()).toEqual([]);
    expect(received.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer token-1',
      'Bearer token-2',
    ]);
    expect(clock.slept.every((ms) => ms === 0)).toBe(true);
  });

  test('is replaced before each attempt, whatever the failure was', async () => {
    const { list, received } = await setUp(inTurn(wrapper('2001'), html(401), wrapper('2001')), {
      tokens: 2,
    });
    await list();
    expect(received.map(({ headers }) => headers.authorization?.at(-1))).toEqual([
      '1',
      '1',
      '2',
      '2',
    ]);
  });
});

test('a token that is always refused is an authentication failure', async () => {
  for (const reply of [html(401), wrapper('1002')]) {
    const { list } = await setUp(() => reply, { tokens: 3 });
    expect(await failureOf(list())).toMatchObject({
      failure: 'authentication',
      hint: 'Check the credentials.',
    });
  }
});

test('a failure keeps the code of the wrapper', async () => {
  const { list } = await setUp(() => wrapper('1020'));
  expect(await failureOf(list())).toMatchObject({ code: '1020' });
});

describe('a denied access', () => {
  test.each<[string | undefined, string]>([
    ['read:merchant', 'Scopes of the token: read:merchant.'],
    ['', 'Scopes of the token: none.'],
    [undefined, 'Ask the service to grant them.'],
  ])('with the scope %j says what is needed and what was granted', async (scope, ending) => {
    const { list } = await setUp(() => wrapper('1001'), scope === undefined ? {} : { scope });
    const { hint } = await failureOf(list());
    expect(hint).toContain('read:merchant and read:merchant:settlement');
    expect(hint?.endsWith(ending)).toBe(true);
  });

  test('is the only failure that names scopes', async () => {
    const { list } = await setUp(() => wrapper('1010'), { scope: 'read:merchant' });
    expect((await failureOf(list())).hint).not.toContain('Scopes of the token');
  });
});

test('a text of the service is cut only after its secrets are removed', async () => {
  const said = Array.from(
    { length: 200 },
    (_, at) => `${'x'.repeat(at % 7)}secret-1 token-1 `,
  ).join('');
  const long = { body: { status: { code: said, response: said, message: said } } };
  const { list, events } = await setUp(() => ({ ...long, headers: { 'x-request-id': said } }));
  const { message } = await failureOf(list());
  const [event] = events;
  for (const text of [message, event?.failure, event?.code, event?.requestId]) {
    expect(text).not.toMatch(/secre|token|t-1/);
    expect(text?.length).toBeLessThan(600);
  }
});

test('messages and events do not contain secrets that the service repeats', async () => {
  const echo = wrapper('1020', undefined, 'refused token-1 and secret-1');
  const { list, exchange, events } = await setUp(() => echo);
  for (const ask of [list, exchange]) {
    expect((await failureOf(ask())).message).toContain('refused [redacted] and [redacted]');
  }
  expect(events.map(({ failure }) => failure)).toEqual([
    expect.stringContaining('refused [redacted] and [redacted]'),
    expect.stringContaining('refused [redacted] and [redacted]'),
  ]);
});

test('each attempt is reported with what happened', async () => {
  const { url, clock, list, events } = await setUp(
    inTurn(wrapper('2001'), {
      headers: { 'x-request-id': 'r-1', date: 'Wed, 01 Apr 2026 00:00:09 GMT' },
      body: { status: { code: '0' }, data: [1, 2, 3] },
    }),
  );
  const startedAt = clock.now();
  await list(50);
  const about = { method: 'POST', origin: url, path: '/rows', subject: 'offset 50', status: 200 };
  expect(events).toEqual([
    {
      ...about,
      attempt: 1,
      startedAt,
      ms: 0,
      date: expect.any(Number),
      code: '2001',
      failure: expect.stringContaining('code 2001'),
    },
    {
      ...about,
      attempt: 2,
      startedAt: clock.now(),
      ms: 0,
      date: Date.UTC(2026, 3, 1, 0, 0, 9),
      requestId: 'r-1',
      code: '0',
      records: 3,
    },
  ]);
});

test.each([3_600_000, -3_600_000])(
  'the duration of a request is right though the wall clock is set by %i milliseconds meanwhile',
  async (ms) => {
    const clock = new FakeClock();
    const answer = async () => {
      clock.step(ms);
      await clock.sleep(40);
      return wrapper('0', [1]);
    };
    const startedAt = clock.now();
    const { list, events } = await setUp(answer, { clock });
    await list();
    expect(events).toMatchObject([{ startedAt, ms: 40 }]);
  },
);

describe('the patience of a request', () => {
  const patience = { mostAttempts: 2, withinMs: 10_000 };

  test.each([3_600_000, -3_600_000])('does not change if the clock is set by %i', async (ms) => {
    const clock = new FakeClock();
    const answer = async () => {
      clock.step(ms);
      return wrapper('2001');
    };
    const { list, received } = await setUp(answer, { patience, clock });
    await expect(list()).rejects.toThrow('2001');
    expect(received).toHaveLength(2);
  });

  test('ends after its number of attempts', async () => {
    const { list, exchange, received } = await setUp(() => wrapper('2001'), { patience });
    await expect(list()).rejects.toThrow('2001');
    expect(received).toHaveLength(2);
    await expect(exchange()).rejects.toThrow('2001');
    expect(received).toHaveLength(4);
  });

  test('ends before a pause that takes too long', async () => {
    const limited = { ...wrapper('429'), headers: { 'retry-after': '11' } };
    const { list, received, clock } = await setUp(() => limited, { patience });
    await expect(list()).rejects.toThrow('429');
    expect(received).toHaveLength(1);
    expect(clock.slept).toEqual([]);
  });

  test('ends after an attempt that took too long', async () => {
    const clock = new FakeClock();
    const answer = async () => {
      await clock.sleep(10_001);
      return wrapper('2001');
    };
    const { list, received } = await setUp(answer, { patience, clock });
    await expect(list()).rejects.toThrow('2001');
    expect(received).toHaveLength(1);
  });

  test('is long enough for a hiccup', async () => {
    const { list } = await setUp(inTurn(wrapper('429'), wrapper('0', [1])), { patience });
    expect(await list()).toEqual([1]);
  });
});

describe('an aborted run', () => {
  test('ends a request under way with its reason, and tries nothing again', async () => {
    const { list, run, received } = await setUp(({ number }) => {
      if (number === 2) setImmediate(() => run.abort(new Error('enough')));
      return silence;
    });
    const ends = await Promise.allSettled([list(0), list(1)]);
    for (const end of ends) expect(end).toMatchObject({ reason: { message: 'enough' } });
    expect(received).toHaveLength(2);
  });

  test('ends the pause between two attempts', async () => {
    const { list, run, received } = await setUp(() => {
      run.abort(new Error('enough'));
      return wrapper('2001');
    });
    await expect(list()).rejects.toThrow('enough');
    expect(received).toHaveLength(1);
  });
});
