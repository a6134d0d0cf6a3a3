import { Agent, type Dispatcher, EnvHttpProxyAgent } from 'undici';
import { utf8Text } from '../texts.ts';
import { connectionFailure } from './connection-failure.ts';
import { createProxyPool, type ProxySettings } from './proxy.ts';

/** How long to wait, in milliseconds: for a connection; for the next piece of an answer. */
export interface Timeouts {
  readonly connectMs: number;
  readonly answerMs: number;
}

const defaultTimeouts: Timeouts = { connectMs: 10_000, answerMs: 30_000 };
/** A page of 100 rows is about 50 kB. */
const largestBody = 16 * 1024 * 1024;

/** One HTTP request. */
export interface HttpRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  /** The bearer token, if the operation takes one. */
  readonly token?: string;
  readonly body?: object;
}

/** What came back, whatever its status. */
export interface HttpAnswer {
  readonly status: number;
  readonly bytes: Buffer;
  readonly contentType: string | undefined;
  /** The service's own name for the request, where it sends one. */
  readonly requestId: string | undefined;
  readonly retryAfterMs: number | undefined;
  /** When it was sent by the server's clock, milliseconds since the epoch, in whole seconds. */
  readonly date: number | undefined;
}

/**
 * The text of an answer, without the mark that may stand before it. Where it isn't UTF-8, as JSON has
 * to be (RFC 8259), there is none: with something in the place of such bytes, two ids may read alike.
 */
export function bodyOf({ bytes }: Pick<HttpAnswer, 'bytes'>): string {
  return utf8Text(bytes);
}

export interface TransportOptions {
  readonly connections: number;
  readonly proxy: ProxySettings;
  readonly userAgent: string;
  /** Ends what is under way, and the transport. */
  readonly signal: AbortSignal;
  /** Milliseconds since the epoch, for Retry-After dates. */
  readonly now: () => number;
  readonly timeouts?: Timeouts;
  /** The setting that holds the address, where that is a secret: failures say nothing of the address. */
  readonly secretSetting?: string;
  /** Whether the status is all that counts: an answer is whole with it, though its body breaks off. */
  readonly isStatusEnough?: boolean;
}

/** Sends requests over a bounded number of connections. Redirects are never followed. */
export class Transport {
  readonly #agent: Dispatcher;
  readonly #options: TransportOptions;
  readonly #timeouts: Timeouts;

  constructor(options: TransportOptions) {
    this.#options = options;
    this.#timeouts = options.timeouts ?? defaultTimeouts;
    const { connectMs, answerMs } = this.#timeouts;
    const settings = {
      connections: options.connections,
      connect: { timeout: connectMs },
      headersTimeout: answerMs,
      bodyTimeout: answerMs,
      maxResponseSize: largestBody,
    };
    const { httpProxy, httpsProxy, noProxy = '' } = options.proxy;
    this.#agent =
      httpProxy || httpsProxy
        ? new EnvHttpProxyAgent({
            ...settings,
            clientFactory: (proxy, given) =>
              createProxyPool(proxy, { ...given, headersTimeout: answerMs }),
            // Empty texts keep undici from reading the environment itself.
            httpProxy: httpProxy?.url ?? '',
            httpsProxy: httpsProxy?.url ?? '',
            noProxy,
          })
        : new Agent(settings);
    // One listener for all requests: a listener that is taken off still points to the next one, so that
    // those of single requests would form a chain, and keep all answers in memory for long.
    options.signal.addEventListener('abort', () => void this.close(), { once: true });
  }

  /** The answer to one request. Throws RequestFailure where there is none, or the signal's reason. */
  async send({ method, url, token, body }: HttpRequest): Promise<HttpAnswer> {
    const { signal, userAgent, proxy, secretSetting } = this.#options;
    signal.throwIfAborted();
    const { origin, pathname, search } = new URL(url);
    const request = {
      origin,
      path: pathname + search,
      method,
      headers: {
        accept: 'application/json',
        'user-agent': userAgent,
        ...(token && { authorization: `Bearer ${token}` }),
        ...(body && { 'content-type': 'application/json' }),
      },
      body: body ? JSON.stringify(body) : null,
    };
    try {
      // undici's own time-outs start anew with each byte: this one bounds the whole exchange.
      const timeoutMs = 2 * this.#timeouts.answerMs;
      return await exchange(this.#agent, request, timeoutMs, this.#options);
    } catch (error) {
      signal.throwIfAborted();
      throw connectionFailure(error, url, proxy, secretSetting);
    }
  }

  /** Closes all connections, breaking off what is still under way. */
  async close(): Promise<void> {
    await this.#agent.destroy();
  }
}

/**
 * Sends a request and collects the whole answer: undici's plainest interface, without a stream for
 * each body and a signal for each request. Rejects with the error, or with a TimeoutError after
 * `timeoutMs`. Where the status is enough, nobody waits for the body of a success, and whatever has come
 * of another one will do.
 */
function exchange(
  dispatcher: Dispatcher,
  request: Dispatcher.DispatchOptions,
  timeoutMs: number,
  { now, isStatusEnough = false }: Pick<TransportOptions, 'now' | 'isStatusEnough'>,
): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    let controller: Dispatcher.DispatchController | undefined;
    let status = 0;
    let headers: Readonly<Record<string, string | string[] | undefined>> = {};
    const header = (name: string) => [headers[name]].flat()[0];
    const chunks: Buffer[] = [];
    let timedOut: Error | undefined;
    const finish = () => {
      clearTimeout(timer);
      const [first] = chunks;
      resolve({
        status,
        bytes: first && chunks.length === 1 ? first : Buffer.concat(chunks),
        contentType: header('content-type'),
        requestId: header('x-request-id') ?? header('x-correlation-id'),
        retryAfterMs: readRetryAfter(header('retry-after'), now()),
        date: readDate(header('date')),
      });
    };
    const fail = (error: Error) => {
      clearTimeout(timer);
      if (isStatusEnough && status >= 200) finish();
      else reject(error);
    };
    const timer = setTimeout(() => {
      timedOut = new DOMException(`No whole answer within ${timeoutMs} ms`, 'TimeoutError');
      controller?.abort(timedOut);
      fail(timedOut);
    }, timeoutMs);
    dispatcher.dispatch(request, {
      onRequestStart: (started) => {
        controller = started;
        // It may have waited for a connection.
        if (timedOut) started.abort(timedOut);
      },
      onResponseStart: (_, code, fields) => {
        status = code;
        headers = fields;
        if (isStatusEnough && code >= 200 && code < 300) finish();
      },
      onResponseData: (_, chunk) => {
        chunks.push(chunk);
      },
      onResponseEnd: finish,
      onResponseError: (_, error) => fail(error),
    });
  });
}

/** Retry-After in milliseconds: it is a number of seconds or a date. */
function readRetryAfter(text: string | undefined, now: number): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  const date = readDate(text);
  return date === undefined ? undefined : Math.max(0, date - now);
}

function readDate(text = ''): number | undefined {
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : date;
}
