import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { type SandboxRequest, startSandbox } from '../../src/sandbox/sandbox.ts';
import { loadScenario } from '../../src/sandbox/scenarios.ts';
import { FakeClock } from '../support/fake-clock.ts';
import {
  at,
  authorised,
  call,
  code,
  data,
  exchange,
  headersPath,
  ids,
  rowsPath,
} from './caller.ts';

const march = { startDate: '2026-03-01', endDate: '2026-03-31' };
const unknownId = '99999999-9999-4999-8999-999999999999';

describe('the token exchange', () => {
  it('answers with the fields of doc 4.1', async () => {
    const { ask, sandbox } = await call();
    const reply = await ask('/oauth/token', exchange(sandbox));
    expect(reply.status).toBe(200);
    expect(reply.json).toEqual({
      access_token: expect.stringMatching(/^[\w-]{32}$/),
      scope: 'read:merchant read:merchant:settlement',
      expires_in: 3600,
      token_type: 'Bearer',
    });
  });

  it.each(['client_id', 'client_secret', 'audience'])('refuses a wrong %s', async (field) => {
    const { ask, sandbox } = await call();
    const reply = await ask('/oauth/token', exchange(sandbox, { [field]: 'wrong' }));
    expect(reply.status).toBe(401);
  });

  it.each(['client_id', 'client_secret', 'audience', 'grant_type'])('needs %s', async (field) => {
    const { ask, sandbox } = await call();
    const reply = await ask('/oauth/token', exchange(sandbox, { [field]: undefined }));
    expect(reply.status).toBe(400);
  });

  it('refuses other grants, forms and malformed JSON', async () => {
    const { ask, sandbox } = await call();
    const good = exchange(sandbox);
    const form = { headers: { 'content-type': 'application/x-www-form-urlencoded' } };
    for (const question of [
      exchange(sandbox, { grant_type: 'password' }),
      { ...good, ...form },
      { ...good, text: '{"client_id":' },
      { ...good, text: '[]' },
    ]) {
      expect((await ask('/oauth/token', question)).status).toBe(400);
    }
  });
});

describe('the credential', () => {
  it('is refused with HTTP 401 and wrapper code 1002', async () => {
    const { ask, token } = await call();
    const good = await token();
    const json = { 'content-type': 'application/json' };
    for (const path of [headersPath, rowsPath]) {
      for (const authorization of [undefined, 'Bearer', 'Bearer nonsense', `Basic ${good}`, good]) {
        const headers = { ...json, ...(authorization && { authorization }) };
        const reply = await ask(path, { headers, text: '{}' });
        expect([reply.status, code(reply)]).toEqual([401, '1002']);
      }
    }
  });

  it('expires after its time, whatever the wall clock shows', async () => {
    const { headers, clock } = await call();
    expect(code(await headers())).toBe('0');
    clock.step(7_200_000);
    await clock.sleep(3_599_999);
    expect(code(await headers())).toBe('0');
    await clock.sleep(1);
    expect((await headers()).status).toBe(401);
  });
});

describe('the request', () => {
  it('is refused with code 1000 in an HTTP 200 if a field has the wrong type', async () => {
    const { headers, scenario } = await call();
    const id = scenario.settlements[0]?.header['settlementId'];
    for (const body of [
      { settlementId: 'x' },
      { settlementId: null },
      { cid: 1.5 },
      { chid: '7' },
      { mid: 7 },
      { startDate: '2026-3-1' },
      { endDate: '2026-02-30' },
      { endDate: '2026-13-01' },
      { limit: '50' },
      { limit: -1 },
      { offset: 0.5 },
      { settlementId: id, offset: null },
    ]) {
      const reply = await headers(body);
      expect([reply.status, code(reply)], JSON.stringify(body)).toEqual([200, '1000']);
      expect(at(reply.json, 'status', 'message')).toContain(Object.keys(body).at(-1));
    }
  });

  it('is refused with code 1000 if it is not a JSON object', async () => {
    const { ask, token } = await call();
    const good = authorised(await token(), {});
    for (const question of [
      { ...good, text: '{' },
      { ...good, text: '[]' },
      { ...good, headers: { ...good.headers, 'content-type': 'text/plain' } },
    ]) {
      expect(code(await ask(headersPath, question))).toBe('1000');
    }
  });

  it('for rows needs a settlementId, or has code 1020', async () => {
    const { rows } = await call();
    const reply = await rows({ limit: 10 });
    expect([reply.status, code(reply)]).toEqual([200, '1020']);
  });

  it('must go to a known path by POST', async () => {
    const { ask } = await call();
    expect((await ask('/v1/merchant')).status).toBe(404);
    expect((await ask(headersPath, { method: 'GET' })).status).toBe(405);
    expect((await ask('/oauth/token', { method: 'PUT' })).status).toBe(405);
  });
});

describe('an id in capital letters', () => {
  it('names the same settlement, the same merchant and the place of the same fault', async () => {
    const { scenario } = await call('filters');
    const id = String(scenario.settlements[0]?.header['settlementId']);
    const { headers, rows } = await call('filters', `wrapper-1000=on:2@${id.toUpperCase()}`);
    const mid = '1D0F5B3E-7A44-4C19-8E60-2B9F3C8D5A01';
    expect(ids(await headers({ settlementId: id.toUpperCase() }), 'settlementId')).toEqual([id]);
    expect(ids(await headers({ mid }), 'settlementId')).toEqual([id]);
    expect(data(await rows({ settlementId: id.toUpperCase() }))).toHaveLength(1);
    expect(code(await rows({ settlementId: id }))).toBe('1000');
  });
});

describe('the headers', () => {
  it('are in the wrapper of doc 2.6, in the order of the scenario', async () => {
    const { headers, scenario } = await call();
    expect((await headers()).json).toEqual({
      status: { code: '0', response: 'Success' },
      data: scenario.settlements.map(({ header }) => header),
    });
  });

  it('are between both dates, inclusive, and not filtered by one date alone', async () => {
    const { headers } = await call();
    const dates = async (body: unknown) =>
      ids(await headers(body), 'settlementDate').map((date) => String(date).slice(8, 10));
    expect(await dates({ startDate: '2026-03-05', endDate: '2026-03-10' })).toEqual([
      '05',
      '06',
      '10',
    ]);
    expect(await dates({ startDate: '2026-03-07', endDate: '2026-03-08' })).toEqual([]);
    expect(await dates({ startDate: '2026-03-10', endDate: '2026-03-05' })).toEqual([]);
    expect(await dates({ startDate: '2026-03-20' })).toHaveLength(9);
    expect(await dates({ endDate: '2026-03-05' })).toHaveLength(9);
  });

  it('are found by id, and not by an unknown id', async () => {
    const { headers, scenario } = await call();
    const header = scenario.settlements[3]?.header;
    expect(data(await headers({ settlementId: header?.['settlementId'] }))).toEqual([header]);
    expect(data(await headers({ settlementId: unknownId }))).toEqual([]);
  });

  it('are filtered by company, chain and merchant', async () => {
    const { headers } = await call('filters');
    const gross = async (filter: object) =>
      ids(await headers({ ...march, ...filter }), 'amountGross');
    expect(await gross({ cid: 7 })).toEqual([1000, 2000]);
    expect(await gross({ cid: 7, chid: 72 })).toEqual([2000]);
    expect(await gross({ mid: '1d0f5b3e-7a44-4c19-8e60-2b9f3c8d5a01' })).toEqual([1000]);
    expect(await gross({ cid: 9 })).toEqual([]);
  });

  it('are found by the day to which the service counts them', async () => {
    const { headers } = await call('outside-range');
    expect(ids(await headers(march), 'settlementDate')).toContain('2026-04-01T00:30:00+02:00');
    expect(data(await headers({ startDate: '2026-04-01', endDate: '2026-04-30' }))).toEqual([]);
  });

  it('come 50 per page by default, and 200 at most', async () => {
    const one = (await loadScenario('balanced')).settlements.slice(0, 1);
    const scenario = await loadScenario('empty');
    const { headers } = await call({
      ...scenario,
      settlements: Array.from({ length: 230 }, () => one).flat(),
    });
    expect(data(await headers())).toHaveLength(50);
    expect(data(await headers({ limit: 1000 }))).toHaveLength(200);
    expect(data(await headers({ limit: 1000, offset: 200 }))).toHaveLength(30);
    expect(data(await headers({ offset: 230 }))).toEqual([]);
  });
});

describe('the rows', () => {
  it('come 50 per page by default, and 100 at most', async () => {
    const { rows, scenario } = await call('month');
    const largest = scenario.settlements.find((settlement) => settlement.rows.length > 200);
    const settlementId = largest?.header['settlementId'];
    expect(data(await rows({ settlementId }))).toEqual(largest?.rows.slice(0, 50));
    expect(data(await rows({ settlementId, limit: 500 }))).toEqual(largest?.rows.slice(0, 100));
    expect(data(await rows({ settlementId, limit: 7, offset: 95 }))).toEqual(
      largest?.rows.slice(95, 102),
    );
    expect(data(await rows({ settlementId, limit: 100, offset: 200 }))).toHaveLength(43);
    expect(data(await rows({ settlementId, offset: 243 }))).toEqual([]);
    expect(data(await rows({ settlementId, limit: 0 }))).toEqual([]);
  });

  it('of an unknown settlement are an empty list', async () => {
    const { rows } = await call();
    expect(data(await rows({ settlementId: unknownId }))).toEqual([]);
  });

  it('are found by an unusual id that the service itself gave', async () => {
    const { rows, scenario } = await call('hostile-text');
    const settlementId = scenario.settlements[1]?.header['settlementId'];
    expect(data(await rows({ settlementId }))).toHaveLength(1);
  });
});

describe('the sandbox', () => {
  it('logs requests and answers', async () => {
    const { sandbox, headers, ask } = await call();
    await headers({ limit: 1 });
    await ask('/elsewhere', { method: 'GET' });
    const told = ({ token, ...rest }: SandboxRequest) => ({ ...rest, hasToken: Boolean(token) });
    expect(sandbox.requests.map(told)).toEqual([
      {
        method: 'POST',
        path: '/oauth/token',
        body: expect.objectContaining({ grant_type: 'client_credentials' }),
        status: 200,
        code: undefined,
        hasToken: false,
      },
      {
        method: 'POST',
        path: headersPath,
        body: { limit: 1 },
        status: 200,
        code: '0',
        hasToken: true,
      },
      {
        method: 'GET',
        path: '/elsewhere',
        body: undefined,
        status: 404,
        code: undefined,
        hasToken: false,
      },
    ]);
  });

  it('closes with open connections, and frees the port', async () => {
    const options = { scenario: await loadScenario('empty'), clock: new FakeClock() };
    const first = await startSandbox(options);
    const port = Number(new URL(first.baseUrl).port);
    const socket = connect(port, '127.0.0.1');
    await new Promise((resolve) => socket.once('connect', resolve));
    const ended = new Promise((resolve) => socket.once('close', resolve));
    socket.on('error', () => {});
    await first.close();
    await ended;
    const second = await startSandbox({ ...options, port });
    await expect(startSandbox({ ...options, port })).rejects.toThrow('EADDRINUSE');
    await second.close();
  });
});
