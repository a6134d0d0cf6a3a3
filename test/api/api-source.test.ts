import { describe, expect, onTestFinished, test } from 'vitest';
import { createApiSource } from '../../src/api/api-source.ts';
import type { RequestEvent } from '../../src/api/client.ts';
import type { ApiOptions } from '../../src/api/operations.ts';
import { ReconError } from '../../src/base/errors.ts';
import type { Row } from '../../src/model/row.ts';
import { rowsOf } from '../../src/model/row-batch.ts';
import type { Settlement } from '../../src/model/settlement.ts';
import { startSandbox } from '../../src/sandbox/sandbox.ts';
import type { Scenario } from '../../src/sandbox/scenario.ts';
import { loadScenario } from '../../src/sandbox/scenarios.ts';
import {
  type Loopback,
  type Received,
  type Reply,
  serve,
  silence,
  wrapper,
} from '../base/http/loopback.ts';
import { parseFaults } from '../sandbox/faults.ts';
import { buildSettlement, uuid } from '../support/build.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { rawHeader, rawRow } from './raw.ts';

const bothV2 = { settlements: 'v2', charges: 'v2' } as const;

/** A source before the service at `url`, with what it tells about its requests. */
function open(url: string, overrides: Partial<ApiOptions> = {}) {
  const events: RequestEvent[] = [];
  const clock = new FakeClock();
  const source = createApiSource({
    baseUrl: url,
    credentials: {
      schemes: bothV2,
      v2: {
        authUrl: url,
        clientId: 'client-1',
        clientSecret: 'secret-1',
        audience: 'audience-1',
        origin: 'somewhere',
      },
    },
    concurrency: 8,
    proxy: {},
    userAgent: 'recon/test',
    clock,
    signal: new AbortController().signal,
    random: () => 0.5,
    observer: { request: (event) => events.push(event) },
    ...overrides,
  });
  onTestFinished(() => source.close());
  return { source, events, clock };
}

/** A source before a sandbox that misbehaves. */
async function openSandbox(scenario: Scenario, faults: readonly string[], concurrency = 8) {
  const clock = new FakeClock();
  const sandbox = await startSandbox({ scenario, faults: parseFaults(faults), clock });
  onTestFinished(() => sandbox.close());
  const { authUrl } = sandbox;
  const v2 = { ...sandbox.credentials, authUrl, origin: 'the sandbox' };
  const credentials = { schemes: bothV2, v2 };
  const opened = open(sandbox.baseUrl, { credentials, clock, concurrency });
  return { ...opened, sandbox, clock };
}

async function readRows(
  source: ReturnType<typeof createApiSource>,
  settlement: Settlement,
  priority = 0,
) {
  const reading = source.rows(settlement, priority);
  const rows: Row[] = [];
  let step = await reading.next();
  for (; !step.done; step = await reading.next()) rows.push(...rowsOf(step.value));
  return { rows: rows.sort((one, other) => (one.id < other.id ? -1 : 1)), outcome: step.value };
}

/** Everything that a source gives: the headers of a scenario's period, and the rows of each. */
async function readAll(source: ReturnType<typeof createApiSource>, { period }: Scenario) {
  const headers = await source.headers({ range: period, filters: {} });
  const readings = await Promise.all(
    headers.settlements.map((settlement, at) => readRows(source, settlement, at)),
  );
  return { headers, readings };
}

async function failureOf(work: Promise<unknown>): Promise<ReconError> {
  const error = await work.then(
    () => new Error('it succeeded'),
    (caught: unknown) => caught,
  );
  if (error instanceof ReconError) return error;
  throw error;
}

const march = { from: '2026-03-01', to: '2026-03-31' };
const scenario = await loadScenario('balanced');
/** What a service without any faults gives. */
async function undisturbed() {
  const { source } = await openSandbox(scenario, []);
  return readAll(source, scenario);
}

test('the source reads all settlements and rows of the service', async () => {
  const { headers, readings } = await undisturbed();
  const ids = scenario.settlements.map(({ header }) => header['settlementId']);
  expect(headers.settlements.map(({ id }) => id).sort()).toEqual(ids.sort());
  const rows = readings.flatMap((reading) => reading.rows);
  const listed = scenario.settlements.flatMap((settlement) => settlement.rows);
  expect(new Set(rows.map(({ id }) => id))).toEqual(
    new Set(listed.map(({ transactionId }) => transactionId)),
  );
});

describe('the source gives the same records when there are', () => {
  test.each<[string, ...string[]]>([
    ['rate limits by wrapper', 'wrapper-429=first:11'],
    ['rate limits by HTTP, with a time to wait', 'http-429=first:11', 'retry-after=20'],
    ['rate limits at the token exchange', 'http-429=first:11@token'],
    ['general exceptions', 'wrapper-1000=first:5'],
    ['database errors', 'wrapper-2001=first:5'],
    ['failures of a gateway', 'http-502=first:2', 'http-503=first:3', 'http-504=first:5@token'],
    ['web pages in the place of JSON', 'html=first:5'],
    ['truncated bodies', 'truncated=first:5'],
    ['bodies that break off', 'broken-off=first:5'],
    ['resets', 'reset=first:5', 'reset=first:5@token'],
    ['tokens that live for ten seconds', 'token-life=10', 'slow=200'],
    ['tokens that are refused early', 'token-uses=40'],
    ['a token that is refused once', 'http-401=on:3'],
    ['a token that is refused once, by wrapper', 'wrapper-1002=on:3'],
    ['pages of one record', 'page-max=1'],
    ['shrinking pages', 'page-max=9-2'],
    ['growing pages', 'page-max=1-40'],
    ['empty pages without data', 'empty-data=absent'],
    ['empty pages of null', 'empty-data=null'],
    ['empty pages of an empty object', 'empty-data=object'],
    ['a repeat between two pages', 'page-max=5', 'repeat=once'],
    ['a skip between two pages', 'page-max=5', 'skip=once'],
    ['an empty page in the middle', 'page-max=5', 'hole=once'],
    ['a header that comes late', 'late-settlement=1'],
  ])('%s', async (_, ...faults) => {
    const expected = await undisturbed();
    for (const concurrency of [1, 8]) {
      const { source } = await openSandbox(scenario, faults, concurrency);
      expect(await readAll(source, scenario)).toEqual(expected);
    }
  });
});

describe('the source asks', () => {
  test('for headers with both dates and the filters on every page', async () => {
    const { url, received } = await serve(inMemory([]));
    const { source } = open(url);
    const filters = { mid: uuid(7), cid: 8, chid: 9 };
    await source.headers({ range: march, filters });
    const lists = received.filter(({ path }) => path === '/v1/merchant/settlement');
    expect(lists.map(({ body }) => body)).toEqual([
      { startDate: march.from, endDate: march.to, ...filters, limit: 50, offset: 0 },
      { startDate: march.from, endDate: march.to, ...filters, limit: 41, offset: 0 },
    ]);
  });

  test('for one header by its id without dates, and an empty answer is an empty list', async () => {
    const { url, received } = await serve(inMemory([]));
    const { source } = open(url);
    expect(await source.header(uuid(3))).toMatchObject({ settlements: [], unreadable: [] });
    expect(Object.keys(received.at(-1)?.body ?? {})).toEqual(['settlementId', 'limit', 'offset']);
  });

  test('for a token with the credentials in the body, then for lists with the token', async () => {
    const { url, received } = await serve(inMemory([]));
    await open(url).source.headers({ range: march, filters: {} });
    expect(received.map(({ path, headers }) => [path, headers.authorization])).toEqual([
      ['/oauth/token', undefined],
      ['/v1/merchant/settlement', 'Bearer token-1'],
      ['/v1/merchant/settlement', 'Bearer token-1'],
    ]);
    expect(received[0]?.body).toEqual({
      client_id: 'client-1',
      client_secret: 'secret-1',
      audience: 'audience-1',
      grant_type: 'client_credentials',
    });
  });
});

/** A service that holds the rows of some settlements, by their number: 1 has id uuid(1). */
function inMemory(sizes: readonly number[]): (request: Received) => Reply {
  let tokens = 0;
  const headers = sizes.map((totalTransactions, at) =>
    rawHeader({ settlementId: uuid(at + 1), totalTransactions }),
  );
  return ({ path, body }) => {
    if (path === '/oauth/token') {
      tokens += 1;
      return { body: { access_token: `token-${tokens}`, expires_in: 3600 } };
    }
    const number = headers.findIndex((header) => header['settlementId'] === body?.['settlementId']);
    const list = path.endsWith('/transactions')
      ? Array.from({ length: sizes[number] ?? 0 }, (_, at) =>
          rawRow({ transactionId: `${number} ${at}`, settlementId: uuid(number + 1) }),
        )
      : headers;
    const offset = Number(body?.['offset']);
    return wrapper('0', list.slice(offset, offset + Math.min(Number(body?.['limit']), 100)));
  };
}

describe('the server', () => {
  test.each([1, 3, 8])('never has more than %i requests under way', async (concurrency) => {
    const answer = inMemory([950, 700, 3, 0, 1200]);
    const { url, most } = await serve(async (request) => {
      for (let turn = 0; turn < 3; turn += 1) await new Promise(setImmediate);
      return answer(request);
    });
    const { source } = open(url, { concurrency });
    const { settlements } = await source.headers({ range: march, filters: {} });
    const readings = await Promise.all(
      settlements.map((settlement, at) => readRows(source, settlement, at)),
    );
    expect(readings.map(({ rows }) => rows.length)).toEqual([950, 700, 3, 0, 1200]);
    expect(most()).toBeLessThanOrEqual(concurrency);
    expect(most()).toBeGreaterThanOrEqual(Math.min(concurrency, 2));
  });

  test('gets eleven requests for a settlement of 1,000 rows: the last page is asked for with the others', async () => {
    const { url, received } = await serve(inMemory([1000]));
    await readRows(open(url).source, buildSettlement({ id: uuid(1), transactions: 1000 }));
    const offsets = received.flatMap(({ body }) => body?.['offset'] ?? []);
    expect(offsets.map(Number).sort((one, other) => one - other)).toEqual(
      Array.from({ length: 11 }, (_, at) => at * 100),
    );
  });

  test('gets the requests for the first settlement in line first', async () => {
    const { url, received } = await serve(inMemory([300, 300]));
    const { source } = open(url, { concurrency: 1 });
    const [first, second] = [1, 2].map((number) =>
      buildSettlement({ id: uuid(number), transactions: 300 }),
    );
    if (!first || !second) throw new Error('no settlements');
    await Promise.all([readRows(source, second, 1), readRows(source, first, 0)]);
    const order = received.flatMap(({ body }) => body?.['settlementId'] ?? []);
    // Only what was on its way already comes before the first settlement.
    expect(order.lastIndexOf(uuid(1))).toBeLessThanOrEqual(4);
    expect(order).toHaveLength(8);
  });
});

describe('a failed token exchange', () => {
  const failing = (status: number) => serve(() => ({ status, body: '<html>' }));
  const ask = ({ url }: Loopback) => {
    const opened = open(url);
    return { ...opened, failure: failureOf(opened.source.headers({ range: march, filters: {} })) };
  };

  test('is tried six times if the service has a fault, and no list is asked for', async () => {
    const server = await failing(503);
    const failure = await ask(server).failure;
    expect(failure).toMatchObject({ failure: 'service', endsRun: true });
    expect(failure.where).toBe(`POST ${server.url}/oauth/token`);
    expect(server.received.map(({ path }) => path)).toEqual(Array(6).fill('/oauth/token'));
  });

  test('is tried sixteen times with pauses if the rate limit refuses it', async () => {
    const server = await failing(429);
    const { failure, clock } = ask(server);
    expect(await failure).toMatchObject({ failure: 'service', endsRun: true });
    expect(server.received).toHaveLength(16);
    expect(clock.slept.filter((ms) => ms >= 50)).toHaveLength(15);
  });

  test.each([400, 401, 403])('by HTTP %i is an authentication failure', async (status) => {
    const server = await failing(status);
    const failure = await ask(server).failure;
    expect(failure).toMatchObject({
      failure: 'authentication',
      hint: expect.stringMatching('somewhere'),
    });
    expect(server.received).toHaveLength(1);
  });

  test('ends the run if a token is to be renewed', async () => {
    const answer = inMemory([10]);
    let exchanges = 0;
    const { url } = await serve((request) => {
      if (request.path !== '/oauth/token') return answer(request);
      exchanges += 1;
      return exchanges === 1
        ? { body: { access_token: 'token-1', expires_in: 100 } }
        : { status: 503 };
    });
    const { source, clock } = open(url);
    const [settlement] = (await source.headers({ range: march, filters: {} })).settlements;
    if (!settlement) throw new Error('no settlement');
    await clock.sleep(95_000);
    expect(await failureOf(readRows(source, settlement))).toMatchObject({ endsRun: true });
  });
});

test('if a token lacks the scope, the failure names the scope that is needed', async () => {
  const { source } = await openSandbox(scenario, ['scope-missing']);
  const failure = await failureOf(source.headers({ range: march, filters: {} }));
  expect(failure.failure).toBe('authentication');
  expect(failure.hint).toContain('read:merchant:settlement');
  expect(failure.hint).toContain('Scopes of the token: read:merchant.');
});

test('tokens that are always refused end the run with an authentication failure', async () => {
  for (const fault of ['http-401', 'wrapper-1002']) {
    const { source, sandbox } = await openSandbox(scenario, [fault]);
    const failure = await failureOf(source.headers({ range: march, filters: {} }));
    expect(failure.failure).toBe('authentication');
    expect(sandbox.requests).toHaveLength(4);
  }
});

test('messages and events of a failure contain neither the token nor the secret', async () => {
  for (const code of ['429', '1000', '1001', '1002', '1010', '1020', '2001', '9999']) {
    const { url } = await serve(({ path, body, headers }) =>
      path === '/oauth/token'
        ? { body: { access_token: 'token-1' } }
        : wrapper(code, undefined, `${JSON.stringify(body)} ${headers.authorization}`),
    );
    const { source, events } = open(url);
    const { message, where, hint } = await failureOf(source.header(uuid(1)));
    expect(JSON.stringify([message, where, hint, events])).not.toMatch(/token-1|secret-1/);
  }
});

test('one token serves all requests that start at once', async () => {
  const { url, received } = await serve(inMemory([5, 5, 5]));
  const { source } = open(url);
  await Promise.all(
    [1, 2, 3].map((number) =>
      readRows(source, buildSettlement({ id: uuid(number), transactions: 5 }), number),
    ),
  );
  expect(received.filter(({ path }) => path === '/oauth/token')).toHaveLength(1);
});

describe('closing', () => {
  test('ends the requests of a failed reading, and nothing is tried again', async () => {
    const answer = inMemory([900]);
    const { url } = await serve((request) => {
      if (request.body?.['offset'] === 0) return wrapper('1010');
      return request.path === '/oauth/token' ? answer(request) : silence;
    });
    const { source, clock, events } = open(url);
    const settlement = buildSettlement({ id: uuid(1), transactions: 900 });
    expect(await failureOf(readRows(source, settlement))).toMatchObject({ failure: 'service' });
    await source.close();
    for (let turn = 0; turn < 50; turn += 1) await new Promise(setImmediate);
    expect(clock.slept).toEqual([]);
    expect(events.map(({ attempt }) => attempt)).toEqual(Array(events.length).fill(1));
  });

  test('is possible twice, and nothing can be read afterwards', async () => {
    const { url, received } = await serve(inMemory([]));
    const { source } = open(url);
    await source.close();
    await source.close();
    await expect(source.headers({ range: march, filters: {} })).rejects.toThrow();
    expect(received).toEqual([]);
  });
});

test('an aborted run ends all requests and waits with its reason', async () => {
  const run = new AbortController();
  const { url } = await serve(({ path, number }) => {
    if (number === 6) run.abort(new Error('enough'));
    return path === '/oauth/token' ? { body: { access_token: 'token-1' } } : silence;
  });
  const { source } = open(url, { signal: run.signal, concurrency: 5 });
  const readings = Array.from({ length: 10 }, (_, at) =>
    readRows(source, buildSettlement({ id: uuid(at), transactions: 500 }), at),
  );
  for (const end of await Promise.allSettled(readings)) {
    expect(end).toMatchObject({ status: 'rejected', reason: { message: 'enough' } });
  }
});
