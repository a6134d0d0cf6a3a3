import { describe, expect, onTestFinished, test } from 'vitest';
import { createApiSource } from '../../src/api/api-source.ts';
import type { Credentials } from '../../src/api/auth.ts';
import { ReconError } from '../../src/base/errors.ts';
import { type Received, type Reply, serve, wrapper } from '../base/http/loopback.ts';
import { uuid } from '../support/build.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { rawCharge } from './raw.ts';

const id = uuid(2001);
const keys = { publicKey: 'pk-1', secret: 'jwt-secret-1', origin: 'keys from somewhere' };

type Schemes = Credentials['schemes'];
const v2: Schemes = { settlements: 'v2', charges: 'v2' };
const v1: Schemes = { settlements: 'v1', charges: 'v1' };
const mixed: Schemes = { settlements: 'v2', charges: 'v1' };

/** A source before a service that answers requests for charges as told. */
async function open(answer: (request: Received) => Reply, schemes = v2) {
  const server = await serve((request) => {
    if (request.path !== '/oauth/token') return answer(request);
    return { body: { access_token: 'token-1', expires_in: 3600 } };
  });
  const clock = new FakeClock();
  let paced = 0;
  const source = createApiSource({
    baseUrl: server.url,
    credentials: {
      schemes,
      v1: keys,
      v2: {
        authUrl: server.url,
        clientId: 'client-1',
        clientSecret: 'secret-1',
        audience: 'audience-1',
        origin: 'somewhere',
      },
    },
    concurrency: 4,
    proxy: {},
    userAgent: 'recon/test',
    clock,
    signal: new AbortController().signal,
    random: () => 0.5,
    observer: {
      paced: () => {
        paced += 1;
      },
    },
  });
  onTestFinished(() => source.close());
  const asked = () => server.received.filter(({ path }) => path !== '/oauth/token');
  return { source, clock, asked, received: server.received, url: server.url, paced: () => paced };
}

/** Answers with these statuses in turn, and then with the charge. */
function afterStatuses(...statuses: readonly number[]) {
  const left = [...statuses];
  return (): Reply => {
    const status = left.shift();
    return status === undefined ? { body: rawCharge() } : { status, body: '<html>' };
  };
}

async function failureOf(work: Promise<unknown>): Promise<ReconError> {
  const error = await work.then(
    () => new Error('it succeeded'),
    (caught: unknown) => caught,
  );
  if (error instanceof ReconError) return error;
  throw error;
}

const bearer = ({ headers }: Received) => headers.authorization ?? '';
const issuedAt = (request: Received) => {
  const payload = bearer(request).split('.')[1] ?? '';
  return JSON.parse(Buffer.from(payload, 'base64url').toString()).iat;
};

describe('a charge', () => {
  test('is asked for by its path with a token and without a body', async () => {
    const { source, asked } = await open(() => ({ body: rawCharge() }));
    expect((await source.charge(id)).status).toBe('completed');
    expect(
      asked().map(({ path, body, ...rest }) => [path, body, bearer({ path, body, ...rest })]),
    ).toEqual([[`/charge/${id}`, undefined, 'Bearer token-1']]);
  });

  test.each([
    '',
    '.',
    '..',
    'a/b',
    'a?b',
    'a#b',
    '%2e%2e',
    'a b',
    '-x',
    'x\n',
    'é',
    'x'.repeat(200),
  ])('is not asked for if its id %j could be another path', async (odd) => {
    const { source, received } = await open(() => ({ body: rawCharge() }));
    expect(await failureOf(source.charge(odd))).toMatchObject({ failure: 'not_found' });
    expect(received).toEqual([]);
  });

  test.each([400, 402, 404, 405, 409, 410, 418, 422])(
    'that is answered with HTTP %i is not found or refused, after one request',
    async (status) => {
      const { source, asked, url } = await open(() => ({ status, body: '<html>' }));
      const failure = await failureOf(source.charge(id));
      expect(failure).toMatchObject({ failure: 'not_found', where: `GET ${url}/charge/${id}` });
      expect(failure.message).toContain(`HTTP ${status}`);
      expect(asked()).toHaveLength(1);
    },
  );

  test.each([408, 429, 500, 502, 503])('is asked for again after HTTP %i', async (status) => {
    const { source, asked } = await open(afterStatuses(status, status));
    expect((await source.charge(id)).id).toBe(id);
    expect(asked()).toHaveLength(3);
  });

  test('that HTTP 403 denies is an authentication failure that names no scopes', async () => {
    const { source, asked } = await open(() => ({ status: 403, body: '<html>' }));
    const failure = await failureOf(source.charge(id));
    expect(failure.failure).toBe('authentication');
    expect(failure.hint).not.toContain('read:merchant');
    expect(asked()).toHaveLength(1);
  });

  test('is asked for again if the answer is not a JSON object', async () => {
    const bodies = ['<html>', [], null, 7];
    const { source, asked } = await open(() =>
      bodies.length > 0 ? { body: bodies.shift() } : { body: rawCharge() },
    );
    expect((await source.charge(id)).id).toBe(id);
    expect(asked()).toHaveLength(5);
  });

  test('is asked for again if a wrapper comes in its place, as the code of the wrapper says', async () => {
    const codes = ['429', '1000', '2001'];
    const { source, asked } = await open(() =>
      codes.length > 0 ? wrapper(codes.shift()) : { body: rawCharge() },
    );
    expect((await source.charge(id)).id).toBe(id);
    expect(asked()).toHaveLength(4);
  });

  test('with another id than the one asked for is a failure of the service', async () => {
    const { source } = await open(() => ({ body: rawCharge({ charge_id: uuid(9) }) }));
    const failure = await failureOf(source.charge(id));
    expect(failure).toMatchObject({ failure: 'service' });
    expect(failure.message).toContain(uuid(9));
  });

  test('with an amount that cannot be read is a failure that names charge and field', async () => {
    const { source, asked } = await open(() => ({ body: rawCharge({}, { settled_amount: 1.5 }) }));
    const failure = await failureOf(source.charge(id));
    expect(failure.failure).toBe('service');
    expect(failure.message).toMatch(`${id} cannot be read: summary_amounts.settled_amount is 1.5`);
    expect(asked()).toHaveLength(1);
    await expect(source.chargeDocument(id)).resolves.toMatchObject({ charge_id: id });
  });
});

describe('V2', () => {
  test('shares its token with settlements, and names V1 if charges refuse the token', async () => {
    const { source, received } = await open(({ path }) =>
      path.startsWith('/charge') ? { status: 401 } : wrapper('0', []),
    );
    await source.header(uuid(1));
    const failure = await failureOf(source.charge(id));
    expect(failure).toMatchObject({ failure: 'authentication' });
    expect(failure.hint).toContain('--charge-auth v1');
    // One for all, and one to replace it when it is refused.
    expect(received.filter(({ path }) => path === '/oauth/token')).toHaveLength(2);
  });
});

describe('V1', () => {
  test('signs each request anew, one per second, and says so once', async () => {
    const { source, asked, received, paced } = await open(() => ({ body: rawCharge() }), v1);
    await Promise.all([source.charge(id), source.charge(id), source.charge(id)]);
    expect(received).toHaveLength(3);
    expect(new Set(asked().map(bearer)).size).toBe(3);
    const seconds = asked().map(issuedAt).sort();
    expect(seconds).toEqual([0, 1, 2].map((more) => seconds[0] + more));
    expect(paced()).toBe(1);
  });

  test('signs each repeated request anew, whatever failed', async () => {
    const { source, asked } = await open(afterStatuses(503, 429, 500), v1);
    await source.charge(id);
    expect(new Set(asked().map(issuedAt)).size).toBe(4);
  });

  test.each<[string, Reply]>([
    ['HTTP 401', { status: 401, body: '' }],
    ['code 1002', wrapper('1002')],
  ])(
    'tries three tokens of new seconds after %s, then names another user of the key',
    async (_, refusal) => {
      const { source, asked } = await open(() => refusal, v1);
      const failure = await failureOf(source.charge(id));
      expect(failure.failure).toBe('authentication');
      expect(failure.hint).toMatch(/another program .* same key/);
      expect(failure.hint).toContain(keys.origin);
      expect(asked()).toHaveLength(4);
      expect(new Set(asked().map(issuedAt)).size).toBe(4);
    },
  );

  test('continues after a replay as soon as a token of a new second is taken', async () => {
    const { source, asked } = await open(afterStatuses(401, 401, 401), v1);
    expect((await source.charge(id)).id).toBe(id);
    expect(asked()).toHaveLength(4);
  });

  test('signs charges alone, or all requests, as the settings say', async () => {
    const answer = ({ path }: Received) =>
      path.startsWith('/charge') ? { body: rawCharge() } : wrapper('0', []);
    const isSigned = (request: Received) => bearer(request).split('.').length === 3;
    for (const [schemes, signed, exchanges] of [
      [mixed, ['/charge'], 1],
      [v1, ['/v1', '/charge'], 0],
    ] as const) {
      const { source, received } = await open(answer, schemes);
      await source.header(uuid(1));
      await source.charge(id);
      const paths = received.filter(isSigned).map(({ path }) => `/${path.split('/')[1]}`);
      expect([...new Set(paths)]).toEqual(signed);
      expect(received.filter(({ path }) => path === '/oauth/token')).toHaveLength(exchanges);
    }
  });

  test('never sends its secret, and shows neither the secret nor a token', async () => {
    const { source, received } = await open(
      (request) => ({ status: 200, body: { status: { code: '9999', message: bearer(request) } } }),
      v1,
    );
    const { message, where, hint } = await failureOf(source.charge(id));
    expect(JSON.stringify(received)).not.toContain(keys.secret);
    expect(`${message} ${where} ${hint}`).not.toMatch(/jwt-secret-1|eyJ/);
  });
});
