import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import { onTestFinished } from 'vitest';

/** A request as a server of a test received it. */
export interface Received {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  /** The body as JSON; undefined where it isn't. */
  readonly body: Readonly<Record<string, unknown>> | undefined;
  /** Its number on this server, from 1. */
  readonly number: number;
}

/** What to answer: texts as they are, anything else as JSON. A function delivers it by itself. */
export type Reply =
  | {
      readonly status?: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: unknown;
    }
  | ((response: ServerResponse) => void);

export interface Loopback {
  readonly url: string;
  readonly received: readonly Received[];
  /** The most requests that were under way at once. */
  readonly most: () => number;
}

/** A server on this machine that is closed when the test ends. */
export async function serve(
  answer: (request: Received) => Reply | Promise<Reply>,
): Promise<Loopback> {
  const received: Received[] = [];
  let underWay = 0;
  let most = 0;
  const server = createServer(async (incoming, response) => {
    underWay += 1;
    most = Math.max(most, underWay);
    response.on('close', () => {
      underWay -= 1;
    });
    const body = await readBody(incoming);
    const number = received.length + 1;
    const request = { path: incoming.url ?? '', headers: incoming.headers, body, number };
    received.push(request);
    deliver(response, await answer(request));
  });
  return { url: `http://${await listen(server)}`, received, most: () => most };
}

/** Starts a server; it is closed when the test ends. Returns its host and port. */
export async function listen(server: Server & { closeAllConnections?(): void }): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(
    () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections?.();
      }),
  );
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** The settlement wrapper (doc 2.6). */
export function wrapper(code: unknown, data?: unknown, message?: string): Reply {
  return { body: { status: { code, response: code === '0' ? 'Success' : 'Fail', message }, data } };
}

/** A connection that is reset without an answer. */
export const reset: Reply = (response) => response.socket?.resetAndDestroy();

/** Half of an answer, then the connection ends. */
export const brokenOff: Reply = (response) => {
  response.writeHead(200, { 'content-length': 1000 });
  response.write('{"status"', () => response.destroy());
};

/** No answer at all, until the client gives up. */
export const silence: Reply = () => {};

async function readBody(incoming: IncomingMessage): Promise<Received['body']> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString('utf8');
  return text === '' ? undefined : JSON.parse(text);
}

function deliver(response: ServerResponse, reply: Reply): void {
  if (typeof reply === 'function') {
    reply(response);
    return;
  }
  const { status = 200, headers, body = '' } = reply;
  const isText = typeof body === 'string';
  response.writeHead(status, {
    'content-type': isText ? 'text/html' : 'application/json',
    ...headers,
  });
  response.end(isText ? body : JSON.stringify(body));
}
