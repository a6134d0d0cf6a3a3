import {
  createServer,
  type Server as HttpServer,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { onTestFinished } from 'vitest';
import { connectionTo } from './service.ts';

/** What came in. */
interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
}

/** What goes out: a text as it is, anything else as JSON. Without a reply the connection hangs. */
export interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
}

export interface Server {
  readonly url: string;
  readonly env: Readonly<Record<string, string>>;
  readonly asked: readonly Asked[];
}

type Answerer = (asked: Asked) => Reply | undefined;

/** A server for what no sandbox does, closed when the test ends. */
export async function startServer(answer: Answerer): Promise<Server> {
  const asked: Asked[] = [];
  const server = createServer(async (request, response) => {
    const question = await read(request);
    asked.push(question);
    const reply = answer(question);
    if (reply) send(response, reply);
  });
  const url = await listening(server);
  return { url, env: connectionTo(url), asked };
}

/** Lets a server listen on this machine until the test ends. Returns its address. */
export async function listening(server: HttpServer): Promise<string> {
  const port = await new Promise<number>((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : 0);
    });
  });
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  return `http://127.0.0.1:${port}`;
}

/** Answers the token exchange by the rules, and leaves the rest to `answer`. */
export function afterToken(answer: Answerer): Answerer {
  return (asked) =>
    asked.path === '/oauth/token'
      ? { body: { access_token: 'an-access-token', expires_in: 3600, token_type: 'Bearer' } }
      : answer(asked);
}

/** The wrapper of a success (doc 2.6). */
export function wrapped(data: unknown): Reply {
  return { body: { status: { code: '0', response: 'Success' }, data } };
}

async function read(request: IncomingMessage): Promise<Asked> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return {
    method: request.method ?? '',
    path: request.url ?? '',
    headers: request.headers,
    text: Buffer.concat(chunks).toString('utf8'),
  };
}

function send(response: ServerResponse, { status = 200, headers, body }: Reply): void {
  const isText = typeof body === 'string';
  response.writeHead(status, {
    'content-type': isText ? 'text/plain' : 'application/json',
    ...headers,
  });
  response.end(isText ? body : JSON.stringify(body));
}
