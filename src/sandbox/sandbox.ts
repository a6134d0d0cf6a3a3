import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Clock } from '../base/clock.ts';
import { listenAt } from '../base/http/listen-at.ts';
import { parseJson } from '../base/json.ts';
import {
  type Answer,
  type Call,
  type Deliver,
  httpDate,
  type Operation,
  record,
  wrapperCode,
} from './exchange.ts';
import type { SandboxFault } from './faults.ts';
import type { Scenario } from './scenario.ts';
import { createService } from './service.ts';
import { sandboxCredentials, sandboxSigningKeys } from './tokens.ts';
import { webhooksOf } from './webhooks.ts';

interface SandboxOptions {
  readonly scenario: Scenario;
  /** From the outermost to the one next to the service. */
  readonly faults?: readonly SandboxFault[];
  readonly port?: number | undefined;
  readonly host?: string | undefined;
  readonly clock: Clock;
}

export type Sandbox = Awaited<ReturnType<typeof startSandbox>>;

export interface SandboxRequest extends Pick<Call, 'method' | 'path' | 'body' | 'token'> {
  /** 0 if the connection was reset. */
  readonly status: number;
  readonly code: string | undefined;
}

/** Starts the sandbox. Rejects if the port is not available. */
export async function startSandbox(options: SandboxOptions) {
  const { scenario, host = '127.0.0.1', port = 0, clock } = options;
  const closing = new AbortController();
  const faults = (options.faults ?? []).map(({ create }) => create());
  const service = createService({
    scenario,
    clock,
    reshape: (query) => faults.reduce((reshaped, { list }) => list(reshaped), query),
  });
  const interruptible: Clock = {
    now: () => clock.now(),
    monotonic: () => clock.monotonic(),
    sleep: (ms) => clock.sleep(ms, closing.signal),
  };
  const answer = faults.reduceRight<(call: Call) => Promise<Answer>>(
    (next, { around }) =>
      (call) =>
        around(call, next, interruptible),
    async (call) => service(call),
  );
  const requests: SandboxRequest[] = [];
  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    const call = await readCall(request);
    const given = await answer(call);
    const { method, path, body, token } = call;
    requests.push({ method, path, body, token, status: given.status, code: wrapperCode(given) });
    send(response, { ...given, headers: { date: httpDate(clock.now()), ...given.headers } });
  };
  const server = createServer((request, response) => {
    respond(request, response).catch((error: unknown) => {
      if (!closing.signal.aborted) send(response, { status: 500, body: String(error) });
    });
  });
  const url = `http://${host}:${await listenAt(server, port, host)}`;
  return {
    baseUrl: url,
    authUrl: url,
    credentials: sandboxCredentials,
    signingKeys: sandboxSigningKeys,
    requests: requests as readonly SandboxRequest[],
    /** Sends the scenario's webhooks until done, aborted or closed. */
    notify: (to: string, signal: AbortSignal) => {
      const bodies = faults.reduceRight<readonly string[]>(
        (texts, { webhooks }) => webhooks(texts),
        webhooksOf(scenario).map((payload) => JSON.stringify(payload)),
      );
      return notify(to, bodies, clock, AbortSignal.any([signal, closing.signal]));
    },
    /** Also cuts open connections. */
    close: () =>
      new Promise<void>((resolve) => {
        closing.abort();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** All are POST (doc 4.1, 4.3, 4.4). */
const operationsByPath: ReadonlyMap<string, Operation> = new Map([
  ['/oauth/token', 'token'],
  ['/v1/merchant/settlement', 'headers'],
  ['/v1/merchant/settlement/transactions', 'rows'],
]);

function chargeIdIn(path: string): string | undefined {
  const encoded = /^\/charge\/([^/]+)$/.exec(path)?.[1];
  try {
    return encoded && decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
}

/** Reads a request to its end. */
async function readCall(request: IncomingMessage): Promise<Call> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = record(parseJson(Buffer.concat(chunks).toString('utf8')));
  const path = new URL(request.url ?? '/', 'http://sandbox').pathname;
  const chargeId = chargeIdIn(path);
  return {
    method: request.method ?? '',
    path,
    chargeId,
    operation: chargeId === undefined ? operationsByPath.get(path) : 'charge',
    isJson: /^application\/json\s*(;|$)/i.test(request.headers['content-type'] ?? ''),
    token: /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1],
    body,
    settlementId: body?.['settlementId'],
  };
}

/** Sends an answer whole. */
export function deliverWhole(...[response, whole, begin]: Parameters<Deliver>): void {
  begin(whole.length);
  response.end(whole);
}

function send(response: ServerResponse, answer: Answer): void {
  const { status, headers, body, deliver = deliverWhole } = answer;
  const isPage = typeof body === 'string';
  const whole = Buffer.from(isPage ? body : (JSON.stringify(body) ?? ''));
  deliver(response, whole, (length) =>
    response.writeHead(status, {
      'content-type': isPage ? 'text/html; charset=utf-8' : 'application/json; charset=utf-8',
      'content-length': length,
      ...headers,
    }),
  );
}

const untilThereMs = 1_000;

/** Sends each text once, in order, after waiting for a listener. Retries are not documented (doc 6.1). */
async function notify(
  url: string,
  bodies: readonly string[],
  clock: Clock,
  signal: AbortSignal,
): Promise<ReadonlyMap<number, number>> {
  const receipts = new Map<number, number>();
  for (const body of bodies) {
    const status = await post(url, body, clock, signal);
    receipts.set(status, (receipts.get(status) ?? 0) + 1);
  }
  return receipts;
}

async function post(url: string, body: string, clock: Clock, signal: AbortSignal): Promise<number> {
  const headers = { 'content-type': 'application/json' };
  for (;;) {
    try {
      const answer = await fetch(url, { method: 'POST', headers, body, signal });
      await answer.arrayBuffer();
      return answer.status;
    } catch {
      signal.throwIfAborted();
      await clock.sleep(untilThereMs, signal);
    }
  }
}
