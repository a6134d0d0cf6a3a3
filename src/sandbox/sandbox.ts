import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Clock } from '../base/clock.ts';
import { listenAt } from '../base/http/listen-at.ts';
import { type Answer, type Call, httpDate, readCall, send, wrapperCode } from './exchange.ts';
import type { SandboxFault } from './faults.ts';
import type { Scenario } from './scenario.ts';
import { createService } from './service.ts';
import { createTokens, sandboxCredentials, sandboxSigningKeys } from './tokens.ts';
import { notify, webhooksOf } from './webhooks.ts';

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
    tokens: createTokens(clock),
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
