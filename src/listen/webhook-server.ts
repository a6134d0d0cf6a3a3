import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { listenAt } from '../base/http/listen-at.ts';
import { utf8Text } from '../base/texts.ts';
import type { KeepOutcome } from './journal.ts';

/** What a sender may take, unless a test says otherwise. */
export const defaultLimits = {
  /** Bytes of a body. */
  body: 256 * 1024,
  connections: 128,
  /** Milliseconds until the headers are there, and until the whole request is. */
  headersMs: 10_000,
  requestMs: 30_000,
  /** Milliseconds between two looks at those times. */
  checkMs: 2_000,
};

/** So many times the limit is read before a sender is cut off. */
const patience = 16;

export const healthPath = '/healthz';

/** Connections that wait for a next request are cut when it stops; others get so many milliseconds. */
const graceMs = 3_000;

export interface ServerOptions {
  readonly host: string;
  /** 0 takes any free one. */
  readonly port: number;
  /** Where webhooks come in. */
  readonly path: string;
  readonly limits?: typeof defaultLimits;
  /** Keeps the text of a body; rejects where it can't. */
  readonly keep: (text: string) => Promise<KeepOutcome>;
  readonly isWritable: () => Promise<boolean>;
}

/** An answer says nothing of what came in, and nothing of why we can't. */
type Answer = ReturnType<typeof says>;

function says(status: number, text: string, headers: Readonly<Record<string, string>> = {}) {
  return { status, text, headers };
}

const answers = {
  taken: says(200, 'ok'),
  noObject: says(400, 'expected a JSON object'),
  notFound: says(404, 'not found'),
  onlyPost: says(405, 'use POST', { allow: 'POST' }),
  onlyGet: says(405, 'use GET', { allow: 'GET, HEAD' }),
  // The rest of the body may not have been read: nothing more can come on this connection.
  tooLarge: says(413, 'too large', { connection: 'close' }),
  encoded: says(415, 'content encoding is not supported', { connection: 'close' }),
  unwritable: says(503, 'try again later', { 'retry-after': '30' }),
  unhealthy: says(503, 'the journal cannot be written'),
};

/**
 * Starts the server for webhooks. Headers or bodies that don't come in time end with 408, malformed
 * requests with 400: Node does that. Rejects where the port can't be had. `stop`: takes no more, and ends
 * when the last sender has its answer.
 */
export async function startWebhookServer(options: ServerOptions) {
  const { host, port, limits = defaultLimits } = options;
  const server = createServer(
    {
      headersTimeout: limits.headersMs,
      requestTimeout: limits.requestMs,
      connectionsCheckingInterval: limits.checkMs,
    },
    (request, response) => {
      answer(request, { ...options, limits }).then(
        (said) => {
          if (!server.listening) response.shouldKeepAlive = false;
          send(response, said);
        },
        // The sender is gone, before the body was whole.
        () => response.destroy(),
      );
    },
  );
  server.maxConnections = limits.connections;
  return { port: await listenAt(server, port, host), stop: () => stop(server) };
}

async function answer(
  request: IncomingMessage,
  { path, limits, keep, isWritable }: Required<ServerOptions>,
): Promise<Answer> {
  const [asked] = (request.url ?? '').split('?');
  if (asked === healthPath) {
    if (request.method !== 'GET' && request.method !== 'HEAD') return answers.onlyGet;
    return (await isWritable()) ? answers.taken : answers.unhealthy;
  }
  if (asked !== path) return answers.notFound;
  if (request.method !== 'POST') return answers.onlyPost;
  if (!/^(identity)?$/i.test(request.headers['content-encoding'] ?? '')) return answers.encoded;
  const body = await readBody(request, limits.body);
  if (!body) return answers.tooLarge;
  const text = utf8Text(body);
  if (text === '') return answers.noObject;
  return keep(text).then(
    (outcome) => (outcome === 'no_object' ? answers.noObject : answers.taken),
    () => answers.unwritable,
  );
}

/**
 * Undefined where it is larger than `most` bytes. Some of what is too much is read all the same:
 * a sender that is cut off in the middle doesn't see the answer.
 */
function readBody(request: IncomingMessage, most: number): Promise<Buffer | undefined> {
  let chunks: Buffer[] = [];
  let size = 0;
  return new Promise((resolve, reject) => {
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= most) chunks.push(chunk);
      else chunks = [];
      if (size > patience * most) resolve(undefined);
    });
    request.on('end', () => resolve(size > most ? undefined : Buffer.concat(chunks)));
    request.on('error', reject);
    request.on('close', () => reject(new Error('closed')));
  });
}

function send(response: ServerResponse, { status, text, headers }: Answer): void {
  response.writeHead(status, {
    'content-type': 'text/plain; charset=utf-8',
    'content-length': text.length + 1,
    'cache-control': 'no-store',
    ...headers,
  });
  response.end(`${text}\n`);
}

function stop(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const cut = setTimeout(() => server.closeAllConnections(), graceMs);
    server.close(() => {
      clearTimeout(cut);
      resolve();
    });
    server.closeIdleConnections();
  });
}
