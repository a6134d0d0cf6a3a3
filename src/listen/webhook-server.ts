import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { listenAt } from '../base/http/listen-at.ts';
import { utf8Text } from '../base/texts.ts';
import { type Journal, largestBody } from './journal.ts';

/** What a sender may use; tests have others. */
export const defaultLimits = {
  body: largestBody,
  connections: 128,
  /** Milliseconds for the headers, and for the whole request. */
  headersMs: 10_000,
  requestMs: 30_000,
  /** Milliseconds between two checks of these times. */
  checkMs: 2_000,
};

/** A body is read up to so many times the limit before the sender is cut off. */
const patience = 16;

export const healthPath = '/healthz';

/** Milliseconds for open requests when the server stops. */
const graceMs = 3_000;

export interface ServerOptions {
  readonly host: string;
  /** 0 for any free one. */
  readonly port: number;
  readonly path: string;
  readonly limits?: typeof defaultLimits;
  /** Keeps the text of a body; rejects if it cannot. */
  readonly keep: (text: string) => ReturnType<Journal['keep']>;
  readonly isWritable: () => Promise<boolean>;
}

type Answer = ReturnType<typeof says>;

function says(status: number, text: string, headers: Readonly<Record<string, string>> = {}) {
  return { status, text, headers };
}

/** Answers never describe the request, or why it cannot be kept. */
const answers = {
  taken: says(200, 'ok'),
  noObject: says(400, 'expected a JSON object'),
  notFound: says(404, 'not found'),
  onlyPost: says(405, 'use POST', { allow: 'POST' }),
  onlyGet: says(405, 'use GET', { allow: 'GET, HEAD' }),
  // The rest of the body may not have been read, so the connection ends.
  tooLarge: says(413, 'too large', { connection: 'close' }),
  encoded: says(415, 'content encoding is not supported', { connection: 'close' }),
  unwritable: says(503, 'try again later', { 'retry-after': '30' }),
  unhealthy: says(503, 'the journal cannot be written'),
};

/**
 * Starts the server for webhooks; rejects if the port is not free. Node answers late requests with 408,
 * malformed ones with 400. `stop` accepts no more, and waits for the last answer.
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
        // The sender left before the body was complete.
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

/** Undefined if it has more than `most` bytes. A sender that is cut off at once does not see the answer. */
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
