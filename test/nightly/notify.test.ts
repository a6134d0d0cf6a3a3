import { createServer as createHttpsServer } from 'node:https';
import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { ReconError } from '../../src/base/errors.ts';
import { Secret } from '../../src/base/secrets.ts';
import { postNotification, sendHeartbeat } from '../../src/nightly/notify.ts';
import { deadProxy, proxyThatSays } from '../base/http/connect-proxy.ts';
import {
  brokenOff,
  listen,
  type Received,
  type Reply,
  reset,
  serve,
  silence,
} from '../base/http/loopback.ts';
import { selfSigned } from '../base/http/self-signed.ts';
import { FakeClock } from '../support/fake-clock.ts';

const token = 'T0KENpartOfThePath';
const path = `/services/${token}?key=querykey`;
const document = { schema: 1, event: 'recon.nightly', text: 'Nightly settlements: nothing new.' };

/** Posts to a path with a token. Gives what the other side received, how it ended, and all that was said. */
async function post(
  answer: (request: Received) => Reply,
  clock = new FakeClock(),
  overrides: Partial<Parameters<typeof postNotification>[2]> = {},
) {
  const { url, received } = await serve(answer);
  const heard: unknown[] = [];
  const error = await postNotification(new Secret(url + path), document, {
    proxy: {},
    userAgent: 'recon/test',
    signal: new AbortController().signal,
    clock,
    random: () => 0.5,
    heard: (attempt) => heard.push(attempt),
    ...overrides,
  }).catch((caught: unknown) => caught);
  const said = inspect([error, heard, JSON.stringify(heard)], { depth: null, showHidden: true });
  expect(said).not.toMatch(new RegExp(`${token}|querykey|services|${new URL(url).host}`, 'i'));
  return { received, error, heard, clock };
}

/** These answers in turn, the last one for ever. */
const inTurn =
  (...replies: readonly Reply[]) =>
  ({ number }: Received) =>
    replies[Math.min(number, replies.length) - 1] ?? {};

/** The failure that a user is shown. */
function shown(error: unknown) {
  if (!(error instanceof ReconError)) throw new Error(`no failure: ${String(error)}`);
  const { failure, message, where, hint } = error;
  return { failure, message, where, hint };
}

test.each([200, 201, 202, 204])('HTTP %i accepts the document', async (status) => {
  const { received, error, heard, clock } = await post(() => ({ status }));
  expect(error).toBeUndefined();
  expect(received).toMatchObject([
    {
      path,
      body: document,
      headers: { 'content-type': 'application/json', 'user-agent': 'recon/test' },
    },
  ]);
  expect(heard).toMatchObject([{ path: 'notify_url', attempt: 1, status, failure: undefined }]);
  expect(clock.slept).toEqual([]);
});

/** Megabytes without an end, for so long as anybody listens. */
const endless =
  (status: number): Reply =>
  (response) => {
    response.writeHead(status);
    const more = () => response.write('x'.repeat(1 << 20)) && setImmediate(more);
    response.on('drain', more);
    more();
  };
/** A first piece of a body, and no other one. */
const dribbling: Reply = (response) => void response.writeHead(202).write('o');

test.each<[string, Reply]>([
  ['a large one', { body: 'x'.repeat(17 << 20) }],
  ['one without an end', endless(200)],
  ['one that stops', dribbling],
  ['half of one', brokenOff],
])('the body of an answer is not used: %s accepts the document', async (_, reply) => {
  const { received, error, heard } = await post(() => reply);
  expect(error).toBeUndefined();
  expect(received).toHaveLength(1);
  expect(heard).toMatchObject([{ attempt: 1, failure: undefined }]);
});

test('the body of a refusal is not read to its end: the message has the status', async () => {
  const { received, error } = await post(() => endless(410));
  expect(received).toHaveLength(1);
  expect(shown(error).message).toBe('The notification was not accepted (HTTP 410).');
});

test.each<[string, Reply]>([
  ['HTTP 408', { status: 408 }],
  ['HTTP 429', { status: 429 }],
  ['HTTP 500', { status: 500, body: 'rollup_error' }],
  ['HTTP 503', { status: 503, body: '<html>' }],
  ['a reset', reset],
])('the document is sent again after %s', async (_, reply) => {
  const { received, error, heard, clock } = await post(inTurn(reply, reply, { body: 'ok' }));
  expect(error).toBeUndefined();
  expect(received).toHaveLength(3);
  expect(received[2]?.body).toEqual(document);
  expect(heard).toMatchObject([{ attempt: 1 }, { attempt: 2 }, { attempt: 3, status: 200 }]);
  expect(clock.slept).toEqual([500, 1_000]);
});

test('the document is sent five times at most, and the failure has a hint', async () => {
  const { received, error, clock } = await post(() => ({ status: 503 }));
  expect(received).toHaveLength(5);
  expect(clock.slept).toEqual([500, 1_000, 2_000, 4_000]);
  expect(shown(error)).toEqual({
    failure: 'output',
    message: 'The notification was not accepted (HTTP 503).',
    where: 'notification to notify_url, 5 attempts',
    hint: 'If it persists, check notify_url and ask whoever runs that server. The next run sends this news again.',
  });
});

describe('a document that would be refused again is sent once', () => {
  test.each<[number, string, string]>([
    [400, 'invalid_payload', 'HTTP 400, invalid_payload'],
    [401, '', 'HTTP 401'],
    [403, '<html>Forbidden</html>', 'HTTP 403'],
    [404, 'no_service\n', 'HTTP 404, no_service'],
    [410, 'channel_is_archived', 'HTTP 410, channel_is_archived'],
    [404, token, 'HTTP 404'],
    [404, `no such path: ${path}`, 'HTTP 404'],
    [404, 'querykey', 'HTTP 404'],
    [413, 'x'.repeat(100_000), 'HTTP 413'],
  ])('after HTTP %i with %.20j', async (status, body, said) => {
    const { received, error } = await post(() => ({ status, body }));
    expect(received).toHaveLength(1);
    expect(shown(error)).toEqual({
      failure: 'output',
      message: `The notification was not accepted (${said}).`,
      where: 'notification to notify_url',
      hint: 'Check notify_url. The address may be wrong or no longer valid. The next run sends this news again.',
    });
  });

  test.each([301, 302, 303, 307, 308])(
    'after the redirect of HTTP %i, which is not followed',
    async (status) => {
      const elsewhere = await serve(() => ({}));
      const headers = { location: `${elsewhere.url}${path}` };
      const { received, error } = await post(() => ({ status, headers }));
      expect(received).toHaveLength(1);
      expect(elsewhere.received).toEqual([]);
      expect(shown(error)).toMatchObject({
        failure: 'output',
        hint: expect.stringContaining('Redirects are not followed.'),
      });
    },
  );
});

describe('sending takes at most a minute', () => {
  const timeouts = { connectMs: 100, answerMs: 50 };

  test('with a server that never answers', async () => {
    const clock = new FakeClock();
    const slow = (): Reply => {
      void clock.sleep(15_000);
      return silence;
    };
    const { received, error } = await post(slow, clock, { timeouts });
    expect(received).toHaveLength(3);
    expect(clock.monotonic()).toBeLessThanOrEqual(60_000);
    expect(shown(error)).toMatchObject({
      failure: 'output',
      message: 'No complete answer in time from the host in notify_url (TimeoutError).',
    });
  });

  test('with a Retry-After that is waited for if it fits', async () => {
    const limited = { status: 429, headers: { 'retry-after': '30' } };
    const { error, clock } = await post(inTurn(limited, {}));
    expect(error).toBeUndefined();
    expect(clock.slept).toEqual([30_000]);
  });

  test.each(['46', '3600', '999999999999'])('and ends on a Retry-After of %s', async (after) => {
    const { received, error, clock } = await post(() => ({
      status: 429,
      headers: { 'retry-after': after },
    }));
    expect(received).toHaveLength(1);
    expect(clock.slept).toEqual([]);
    expect(shown(error).message).toBe('The notification was not accepted (HTTP 429).');
  });
});

/** Posts to an address of its own making. */
async function postTo(url: string) {
  const { signal } = new AbortController();
  const clock = new FakeClock();
  const options = { proxy: {}, userAgent: 'recon/test', signal, clock, random: () => 0.5 };
  const error = await postNotification(new Secret(url), document, options).catch(
    (caught: unknown) => caught,
  );
  expect(inspect(error, { depth: null })).not.toMatch(/127\.0\.0\.1|localhost/);
  return shown(error);
}

test('a missing server is reported without its address', async () => {
  expect(await postTo(`${await deadProxy()}${path}`)).toEqual({
    failure: 'output',
    message: 'No connection to the host in notify_url (ECONNREFUSED).',
    where: 'notification to notify_url, 5 attempts',
    hint: 'Check the address, the network and the proxy settings, then try again. The next run sends this news again.',
  });
});

test('an untrusted certificate ends the attempts', async () => {
  const host = await listen(createHttpsServer(selfSigned()));
  const { port } = new URL(`http://${host}`);
  expect(await postTo(`https://localhost:${port}${path}`)).toMatchObject({
    message: expect.stringMatching(
      /^The certificate of the host in notify_url is not trusted \(.*SELF_SIGNED.*\)\.$/,
    ),
    where: 'notification to notify_url',
    hint: expect.stringContaining('NODE_EXTRA_CA_CERTS'),
  });
});

test('a proxy is used if one is set, and named if it fails', async () => {
  const url = await proxyThatSays('HTTP/1.1 403 Forbidden\r\n\r\n');
  const proxy = { httpProxy: { variable: 'HTTP_PROXY', url } };
  const { received, error } = await post(() => ({}), new FakeClock(), { proxy });
  expect(received).toEqual([]);
  expect(shown(error)).toEqual({
    failure: 'output',
    message: `The proxy ${url} did not connect to the host in notify_url (HTTP 403).`,
    where: 'notification to notify_url',
    hint: 'The proxy is set in HTTP_PROXY. Check notify_url, and ask the operator of the proxy to allow that host. The next run sends this news again.',
  });
});

test('an interrupted run ends with its own reason and sends nothing more', async () => {
  const run = new AbortController();
  const reply = (): Reply => {
    run.abort(new Error('interrupted'));
    return { status: 500 };
  };
  const { received, error } = await post(reply, new FakeClock(), { signal: run.signal });
  expect(error).toEqual(new Error('interrupted'));
  expect(received).toHaveLength(1);
});

describe('the heartbeat of a night that failed', () => {
  test.each([
    ['/ping/ID', '/fail', '/ping/ID/fail'],
    ['/ping/ID/', '/{code}', '/ping/ID/4'],
    ['/push/ID?status=up&msg=OK', '?status=down&msg={cause}', '/push/ID?status=down&msg=network'],
    ['/ID?key=k', '/fail?code={code}', '/ID/fail?key=k&code=4'],
  ])('goes to %s with %s', async (address, failureForm, expected) => {
    const { url, received } = await serve(() => ({}));
    const { signal } = new AbortController();
    const options = { proxy: {}, userAgent: 'recon/test', signal, clock: new FakeClock() };
    const failure = { exitCode: 4, cause: 'network' };
    await sendHeartbeat(new Secret(url + address), failure, { ...options, failureForm });
    expect(received.map((one) => one.path)).toEqual([expected]);
  });
});
