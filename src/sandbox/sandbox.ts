import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Clock } from '../base/clock.ts';
import { listenAt } from '../base/http/listen-at.ts';
import { type Answer, type Call, httpDate, readCall, send, wrapperCode } from './exchange.ts';
import { createFaults, type Faults } from './faults.ts';
import type { Scenario } from './scenarios.ts';
import { createService } from './service.ts';
import { createTokens, sandboxCredentials, sandboxSigningKeys } from './tokens.ts';
import { notify, webhooksOf } from './webhooks.ts';

export interface SandboxOptions {
  readonly scenario: Scenario;
  readonly faults?: Faults;
  /** 0, the default, takes any free one. */
  readonly port?: number;
  /** 127.0.0.1 by default. */
  readonly host?: string;
  readonly clock: Clock;
}

/** The service, at work on this machine. */
export type Sandbox = Awaited<ReturnType<typeof startSandbox>>;

export interface SandboxRequest extends Pick<Call, 'method' | 'path' | 'body' | 'token'> {
  /** 0 where the connection was reset instead. */
  readonly status: number;
  /** The wrapper's code, where there was a wrapper. */
  readonly code: string | undefined;
}

/** In seconds; doc 4.1 shows no figure. */
const defaultTokenLife = 3600;

/** Starts the service, on loopback unless told otherwise. Rejects where the port can't be had. */
export async function startSandbox(options: SandboxOptions) {
  const { scenario, host = '127.0.0.1', port = 0, clock } = options;
  const closing = new AbortController();
  const faults = createFaults(options.faults ?? []);
  const { tokenLife = defaultTokenLife } = faults.find((fault) => fault.tokenLife) ?? {};
  const service = createService({
    scenario,
    tokens: createTokens(clock, tokenLife),
    scheme: faults.find(({ scheme }) => scheme)?.scheme,
    chargeScheme: faults.find(({ chargeScheme }) => chargeScheme)?.chargeScheme,
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
    /** The keys of the V1 scheme. */
    signingKeys: sandboxSigningKeys,
    /** Every request that was answered, or left unanswered on purpose, in that order. */
    requests: requests as readonly SandboxRequest[],
    /** Sends the webhooks that its data call for; ends when the signal aborts, or it is closed. */
    notify: (to: string, signal: AbortSignal) => {
      const bodies = faults.reduceRight<readonly string[]>(
        (texts, { webhooks }) => webhooks(texts),
        webhooksOf(scenario).map((payload) => JSON.stringify(payload)),
      );
      return notify(to, bodies, clock, AbortSignal.any([signal, closing.signal]));
    },
    /** Stops it and cuts what is still connected. */
    close: () =>
      new Promise<void>((resolve) => {
        closing.abort();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
