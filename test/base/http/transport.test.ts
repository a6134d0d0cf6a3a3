import { createServer as createHttpsServer } from 'node:https';
import { createServer as createTcpServer, type Socket } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { RequestFailure } from '../../../src/base/errors.ts';
import {
  type HttpRequest,
  type ProxySettings,
  Transport,
} from '../../../src/base/http/transport.ts';
import { connectProxy } from './connect-proxy.ts';
import { brokenOff, listen, type Reply, reset, serve, silence } from './loopback.ts';
import { selfSigned } from './self-signed.ts';

const now = Date.UTC(2026, 3, 1);

function open(proxy: ProxySettings = {}, signal = new AbortController().signal): Transport {
  const transport = new Transport({
    connections: 2,
    proxy,
    userAgent: 'recon/test',
    signal,
    now: () => now,
  });
  onTestFinished(() => transport.close());
  return transport;
}

/** The failure of a request. */
async function failure(transport: Transport, call: HttpRequest): Promise<RequestFailure> {
  const error = await transport.send(call).catch((caught: unknown) => caught);
  if (error instanceof RequestFailure) return error;
  throw new Error(`no failure: ${JSON.stringify(error)}`);
}

test('a request posts JSON with a bearer token and the name of the program', async () => {
  const { url, received } = await serve(() => ({ body: { fine: true } }));
  const call = { method: 'POST', url: `${url}/a?b=c`, token: 'token-1', body: { d: 1 } } as const;
  const answer = await open().send(call);
  expect(answer).toMatchObject({
    status: 200,
    bytes: Buffer.from('{"fine":true}'),
    contentType: 'application/json',
  });
  expect(received).toMatchObject([
    {
      path: '/a?b=c',
      body: { d: 1 },
      headers: {
        authorization: 'Bearer token-1',
        'content-type': 'application/json',
        'user-agent': 'recon/test',
      },
    },
  ]);
});

test('a request without a token and a body sends no header for them', async () => {
  const { url, received } = await serve(() => ({}));
  await open().send({ method: 'GET', url });
  expect(received[0]?.headers).not.toHaveProperty('authorization');
  expect(received[0]?.headers).not.toHaveProperty('content-type');
});

test.each<[string, Readonly<Record<string, string>>, string | undefined]>([
  ['x-request-id', { 'x-request-id': 'r-1', 'x-correlation-id': 'c-1' }, 'r-1'],
  ['x-correlation-id', { 'x-correlation-id': 'c-1' }, 'c-1'],
  ['nothing', {}, undefined],
])('the request id of the service is from %s', async (_, headers, requestId) => {
  const { url } = await serve(() => ({ headers }));
  expect(await open().send({ method: 'GET', url })).toMatchObject({ requestId });
});

test.each<[string, number | undefined]>([
  ['0', 0],
  ['120', 120_000],
  [new Date(now + 90_000).toUTCString(), 90_000],
  [new Date(now - 90_000).toUTCString(), 0],
  ['soon', undefined],
  ['', undefined],
])('Retry-After "%s" is %s milliseconds', async (text, retryAfterMs) => {
  const { url } = await serve(() => ({ headers: { 'retry-after': text } }));
  expect((await open().send({ method: 'GET', url })).retryAfterMs).toBe(retryAfterMs);
});

describe('a redirect', () => {
  test.each([301, 302, 303, 307, 308])(
    'of HTTP %i is returned as the answer, and is not followed',
    async (status) => {
      const elsewhere = await serve(() => ({ body: { stolen: true } }));
      const { url } = await serve(() => ({ status, headers: { location: elsewhere.url } }));
      const call = { method: 'POST', url, token: 'token-1', body: {} } as const;
      expect(await open().send(call)).toMatchObject({ status });
      expect(elsewhere.received).toEqual([]);
    },
  );
});

test.each<[string, Reply]>([
  ['reset', reset],
  ['broken off in the middle of the body', brokenOff],
  ['closed before the answer', (response) => response.socket?.end()],
  ['that speaks no HTTP', (response) => response.socket?.end('220 mail server ready\r\n')],
])('a connection %s is a network fault, and is tried again', async (_, reply) => {
  const { url } = await serve(() => reply);
  const fault = await failure(open(), { method: 'GET', url });
  expect(fault).toMatchObject({ policy: 'retry', failure: 'network' });
  expect(fault.message).toContain(url);
});

test('a refused connection is a network fault, and is tried again', async () => {
  const server = createTcpServer();
  const host = await listen(server);
  await new Promise((resolve) => server.close(resolve));
  const fault = await failure(open(), { method: 'GET', url: `http://${host}` });
  expect(fault).toMatchObject({ policy: 'retry', failure: 'network' });
  expect(fault.message).toContain('ECONNREFUSED');
});

test('a self-signed certificate is a final failure', async () => {
  const server = createHttpsServer(selfSigned(), (_, response) => response.end('{}'));
  const { port } = new URL(`http://${await listen(server)}`);
  const fault = await failure(open(), { method: 'GET', url: `https://localhost:${port}` });
  expect(fault).toMatchObject({ policy: 'give_up', failure: 'network' });
  expect(fault.message).toContain('SELF_SIGNED');
});

describe('a body', () => {
  const megabyte = 'x'.repeat(1024 * 1024);
  const ofMegabytes =
    (count: number): Reply =>
    (response) => {
      let left = count;
      const write = () => {
        for (; left > 0; left -= 1) if (!response.write(megabyte)) break;
        left -= 1;
        if (left < 0) response.end();
        else response.once('drain', write);
      };
      write();
    };

  test('of 15 MB is read', async () => {
    const { url } = await serve(() => ({ body: megabyte.repeat(15) }));
    const { bytes } = await open().send({ method: 'GET', url });
    expect(bytes.length).toBe(15 * megabyte.length);
  });

  test('beyond 16 MB is a final failure, whether its length is announced or not', async () => {
    for (const reply of [{ body: megabyte.repeat(17) }, ofMegabytes(20)]) {
      const { url } = await serve(() => reply);
      const fault = await failure(open(), { method: 'GET', url });
      expect(fault).toMatchObject({ policy: 'give_up', failure: 'service' });
    }
  });
});

describe('an aborted run', () => {
  test('ends requests under way, and those that wait for a connection, with its reason', async () => {
    const run = new AbortController();
    const { url } = await serve(() => {
      run.abort(new Error('enough'));
      return silence;
    });
    const transport = open({}, run.signal);
    const sendings = Array.from({ length: 5 }, () => transport.send({ method: 'GET', url }));
    const ends = await Promise.all(sendings.map((one) => one.catch(String)));
    expect(ends).toEqual(Array(5).fill('Error: enough'));
  });

  test('sends no request', async () => {
    const { url, received } = await serve(() => ({}));
    const aborted = AbortSignal.abort(new Error('enough'));
    await expect(open({}, aborted).send({ method: 'GET', url })).rejects.toThrow('enough');
    expect(received).toEqual([]);
  });
});

describe('a proxy', () => {
  test('is used if one is set, and not for hosts that are exempt', async () => {
    const { url, received } = await serve(() => ({}));
    const { host } = new URL(url);
    const { url: address, targets } = await connectProxy();
    const httpProxy = { variable: 'HTTP_PROXY', url: address };
    const call = { method: 'GET', url } as const;
    const proxied = open({ httpProxy });
    await proxied.send(call);
    await proxied.close();
    expect(targets).toEqual([host]);
    const exempt = open({ httpProxy, noProxy: '127.0.0.1' });
    await exempt.send(call);
    expect(targets).toEqual([host]);
    expect(received).toHaveLength(2);
  });

  test('does not change the limit for a body', async () => {
    const { url } = await serve(() => ({ body: 'x'.repeat(17 * 1024 * 1024) }));
    const { url: address } = await connectProxy();
    const proxied = open({ httpProxy: { variable: 'HTTP_PROXY', url: address } });
    expect(await failure(proxied, { method: 'GET', url })).toMatchObject({ policy: 'give_up' });
    await proxied.close();
  });
});

test('closing ends what is under way, and leaves no connection', async () => {
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
    socket.resume();
  });
  const url = `http://${await listen(server)}`;
  const transport = open();
  const sending = failure(transport, { method: 'GET', url });
  await new Promise((resolve) => server.once('connection', resolve));
  await transport.close();
  expect(await sending).toMatchObject({ failure: 'network' });
  await new Promise<void>((resolve, reject) =>
    server.getConnections((error, count) => {
      if (error) reject(error);
      else if (count === 0) resolve();
      else for (const socket of sockets) socket.on('close', () => resolve());
    }),
  );
});
