import { connect } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { KeepOutcome } from '../../src/listen/journal.ts';
import { defaultLimits, startWebhookServer } from '../../src/listen/webhook-server.ts';

interface Options {
  readonly keep?: (text: string) => Promise<KeepOutcome>;
  readonly limits?: Partial<typeof defaultLimits>;
}

async function start({ keep = async () => 'kept', limits }: Options = {}) {
  const taken: string[] = [];
  const server = await startWebhookServer({
    host: '127.0.0.1',
    port: 0,
    path: '/hook',
    limits: { ...defaultLimits, checkMs: 10, ...limits },
    keep: (text) => {
      taken.push(text);
      return keep(text);
    },
    isWritable: async () => true,
  });
  onTestFinished(() => server.stop());
  const url = `http://127.0.0.1:${server.port}`;
  const ask = async (path: string, init: RequestInit = {}) => {
    const answer = await fetch(url + path, init);
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  };
  return { server, taken, ask, port: server.port };
}

/** What comes back for bytes that are sent as they are, until the connection ends. */
function sendRaw(port: number, text: string): Promise<string> {
  return new Promise((resolve) => {
    let received = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    socket.on('data', (data) => {
      received += data.toString();
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve(received));
  });
}

const post = (body: NonNullable<RequestInit['body']>, headers = {}) => ({
  method: 'POST',
  body,
  headers,
});
const statusOf = (received: string) => /^HTTP\/1\.1 (\d+)/.exec(received)?.[1];

describe('the server', () => {
  it('accepts a body of any content type, and answers after it is kept', async () => {
    let keep = (_: KeepOutcome) => {};
    const { ask, taken } = await start({
      keep: () =>
        new Promise((resolve) => {
          keep = resolve;
        }),
    });
    let isAnswered = false;
    const answer = ask('/hook?from=service', post('{"n":1}', { 'content-type': 'text/plain' }));
    void answer.then(() => {
      isAnswered = true;
    });
    while (taken.length === 0) await new Promise((resolve) => setImmediate(resolve));
    // An answer that came too soon would be here before this one.
    await ask('/healthz');
    expect(isAnswered).toBe(false);
    keep('kept');
    expect((await answer).status).toBe(200);
    expect(taken).toEqual(['{"n":1}']);
  });

  it.each([
    ['GET', '/hook', 405, 'POST'],
    ['PUT', '/hook', 405, 'POST'],
    ['POST', '/healthz', 405, 'GET, HEAD'],
    ['GET', '/healthz', 200, null],
    ['HEAD', '/healthz', 200, null],
    ['POST', '/hook/', 404, null],
    ['GET', '/', 404, null],
    ['POST', '/%68ook', 404, null],
  ])('answers %s %s with %i', async (method, path, status, allow) => {
    const { ask, taken } = await start();
    const answer = await ask(path, { method });
    expect([answer.status, answer.headers.get('allow')]).toEqual([status, allow]);
    expect(taken).toEqual([]);
  });

  it('answers 413 to a body that is too large, with or without its length', async () => {
    const { ask, taken } = await start({ limits: { body: 1000 } });
    expect((await ask('/hook', post('x'.repeat(1000)))).status).toBe(200);
    expect((await ask('/hook', post('x'.repeat(1001)))).status).toBe(413);
    const endless = new ReadableStream({
      pull: (controller) => controller.enqueue(new Uint8Array(500)),
    });
    const streamed = ask('/hook', { ...post(endless), duplex: 'half' } as RequestInit);
    expect([413, 'cut off']).toContain(
      (await streamed.catch(() => ({ status: 'cut off' }))).status,
    );
    expect(taken).toHaveLength(1);
  });

  it('answers 415 to an encoded body and 400 to a body that is not UTF-8', async () => {
    const { ask, taken } = await start();
    expect((await ask('/hook', post('x', { 'content-encoding': 'gzip' }))).status).toBe(415);
    expect((await ask('/hook', post(new Uint8Array([0x7b, 0xff, 0x7d])))).status).toBe(400);
    expect(taken).toEqual([]);
  });

  it('answers 503 with Retry-After and without a reason if the body cannot be kept', async () => {
    const { ask } = await start({
      keep: async () => {
        throw new Error('ENOSPC: /var/lib/secret');
      },
    });
    const answer = await ask('/hook', post('{"card":"4111"}'));
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '30']);
    expect(answer.text).toBe('try again later\n');
  });

  it('answers 408 to a sender that is too slow with headers or body', async () => {
    const { port, taken } = await start({ limits: { headersMs: 30, requestMs: 60 } });
    const [headers, body] = await Promise.all([
      sendRaw(port, 'POST /hook HTTP/1.1\r\nHost: x\r\n'),
      sendRaw(port, 'POST /hook HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{"n"'),
    ]);
    expect([headers, body].map(statusOf)).toEqual(['408', '408']);
    expect(taken).toEqual([]);
  });

  it.each([
    'NONSENSE\r\n\r\n',
    'POST /hook HTTP/1.1\r\nContent-Length: x\r\n\r\n',
    '\u0016\u0003\u0001',
  ])('answers 400 to what is not HTTP, without details: %j', async (text) => {
    const { port } = await start({ limits: { headersMs: 30, requestMs: 60 } });
    const received = await sendRaw(port, text);
    expect(statusOf(received)).toMatch(/^40[08]$/);
    expect(received).not.toMatch(/at |node|Error|NONSENSE/);
  });

  it('accepts only as many connections as it may', async () => {
    const { port, ask } = await start({ limits: { connections: 2, headersMs: 60, requestMs: 60 } });
    const idle = [1, 2].map(() => sendRaw(port, 'POST /hook HTTP/1.1\r\n'));
    const third = await ask('/hook', post('{}')).catch(() => 'refused');
    expect(third).toBe('refused');
    await Promise.all(idle);
    expect((await ask('/hook', post('{}'))).status).toBe(200);
  });

  it('answers a request that began before it stops, and no later one', async () => {
    let keep = (_: KeepOutcome) => {};
    const { ask, server, taken } = await start({
      keep: () =>
        new Promise((resolve) => {
          keep = resolve;
        }),
    });
    const answer = ask('/hook', post('{}'));
    while (taken.length === 0) await new Promise((resolve) => setImmediate(resolve));
    const stopped = server.stop();
    await expect(ask('/hook', post('{}'))).rejects.toThrow();
    keep('kept');
    expect((await answer).status).toBe(200);
    await stopped;
  });
});
