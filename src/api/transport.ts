import { Agent, type Dispatcher, EnvHttpProxyAgent } from 'undici';
import { collectAnswer, type RawAnswer } from './collect-answer.ts';
import { RequestFailure } from './request-failure.ts';

/** How long to wait, in milliseconds: for a connection; for the next piece of an answer. */
export interface Timeouts {
  readonly connectMs: number;
  readonly answerMs: number;
}

const usualTimeouts: Timeouts = { connectMs: 10_000, answerMs: 30_000 };
/** A page of 100 rows is about 50 kB. */
const largestBody = 16 * 1024 * 1024;

/** One HTTP request. */
export interface Call {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  /** The bearer token, if the operation takes one. */
  readonly token?: string;
  readonly body?: object;
}

/** What came back, whatever its status. */
export interface Answer {
  readonly status: number;
  readonly bytes: Buffer;
  readonly contentType: string | undefined;
  /** The service's own name for the request, where it sends one. */
  readonly requestId: string | undefined;
  readonly retryAfterMs: number | undefined;
  /** When it was sent by the server's clock, milliseconds since the epoch, in whole seconds. */
  readonly date: number | undefined;
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * The text of an answer, without the mark that may stand before it. Where it isn't UTF-8, as JSON has
 * to be (RFC 8259), there is none: with something in the place of such bytes, two ids may read alike.
 */
export function bodyOf({ bytes }: Pick<Answer, 'bytes'>): string {
  try {
    return utf8.decode(bytes);
  } catch {
    return '';
  }
}

/** Proxy addresses, as the environment gives them. */
export interface ProxySettings {
  readonly httpProxy?: string;
  readonly httpsProxy?: string;
  readonly noProxy?: string;
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
}

/** Sends requests over a bounded number of connections. Redirects are never followed. */
export class Transport {
  readonly #agent: Dispatcher;
  readonly #options: TransportOptions;
  readonly #timeouts: Timeouts;

  constructor(options: TransportOptions) {
    this.#options = options;
    this.#timeouts = options.timeouts ?? usualTimeouts;
    const { connectMs, answerMs } = this.#timeouts;
    const settings = {
      connections: options.connections,
      connect: { timeout: connectMs },
      headersTimeout: answerMs,
      bodyTimeout: answerMs,
      maxResponseSize: largestBody,
    };
    const { httpProxy = '', httpsProxy = '', noProxy = '' } = options.proxy;
    const isProxied = httpProxy !== '' || httpsProxy !== '';
    // Empty texts keep undici from reading the environment itself.
    this.#agent = isProxied
      ? new EnvHttpProxyAgent({ ...settings, httpProxy, httpsProxy, noProxy })
      : new Agent(settings);
    // One listener for all requests: a listener that is taken off still points to the next one, so that
    // those of single requests would form a chain, and keep all answers in memory for long.
    options.signal.addEventListener('abort', () => void this.close(), { once: true });
  }

  /** The answer to one request. Throws RequestFailure where there is none, or the signal's reason. */
  async send(call: Call): Promise<Answer> {
    const { signal } = this.#options;
    signal.throwIfAborted();
    try {
      const { origin, pathname, search } = new URL(call.url);
      const request = {
        origin,
        path: pathname + search,
        method: call.method,
        headers: this.#headers(call),
        body: call.body ? JSON.stringify(call.body) : null,
      };
      // undici's own time-outs start anew with each byte: this one bounds the whole exchange.
      return this.#answer(await collectAnswer(this.#agent, request, 2 * this.#timeouts.answerMs));
    } catch (error) {
      signal.throwIfAborted();
      throw connectionFailure(error, call.url);
    }
  }

  /** Closes all connections, breaking off what is still under way. */
  async close(): Promise<void> {
    await this.#agent.destroy();
  }

  #headers(call: Call): Record<string, string> {
    return {
      accept: 'application/json',
      'user-agent': this.#options.userAgent,
      ...(call.token && { authorization: `Bearer ${call.token}` }),
      ...(call.body && { 'content-type': 'application/json' }),
    };
  }

  #answer({ status, headers, bytes }: RawAnswer): Answer {
    const header = (name: string) => {
      const value = headers[name];
      return Array.isArray(value) ? value[0] : value;
    };
    return {
      status,
      bytes,
      contentType: header('content-type'),
      requestId: header('x-request-id') ?? header('x-correlation-id'),
      retryAfterMs: readRetryAfter(header('retry-after'), this.#options.now()),
      date: readDate(header('date')),
    };
  }
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

const certificateCodes = /^(CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|ERR_TLS_|HOSTNAME_MISMATCH)/;
/** Chunks that are none, another protocol, headers without end. */
const noHttp = /^(HPE_|HTTPParserError|UND_ERR_HEADERS_OVERFLOW)/;
const sentences: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'Nothing answers at',
  ENOTFOUND: 'There is no host of the name in',
  EAI_AGAIN: 'The name server did not answer for',
  ECONNRESET: 'The connection was broken off by',
  UND_ERR_SOCKET: 'The connection was broken off by',
  UND_ERR_CONNECT_TIMEOUT: 'No connection in time to',
  UND_ERR_HEADERS_TIMEOUT: 'No answer in time from',
  UND_ERR_BODY_TIMEOUT: 'The answer did not come in whole in time from',
  ETIMEDOUT: 'No answer in time from',
  TimeoutError: 'The answer did not come in whole in time from',
};

function connectionFailure(error: unknown, url: string): RequestFailure {
  const { origin } = new URL(url);
  const code = errorCode(error);
  if (code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE') {
    return new RequestFailure('give_up', 'service', `The answer of ${origin} is too large.`, {
      hint: 'Check base_url and auth_url: a page of the service is far smaller.',
      reason: error,
    });
  }
  if (isCertificateFault(error)) {
    const message = `The certificate of ${origin} is not trusted (${code}).`;
    return new RequestFailure('give_up', 'network', message, {
      hint: 'Check the address. For a company authority, name its file in NODE_EXTRA_CA_CERTS.',
      reason: error,
    });
  }
  const sentence = noHttp.test(code)
    ? 'Something other than HTTP comes from'
    : (sentences[code] ?? 'The request failed to');
  return new RequestFailure('retry', 'network', `${sentence} ${origin} (${code}).`, {
    hint: 'Check the address, the network and the proxy settings, then try again.',
    reason: error,
  });
}

/** Whether a connection failed because the other side's certificate isn't trusted. */
export function isCertificateFault(error: unknown): boolean {
  return certificateCodes.test(errorCode(error));
}

/** The code of an error or of what caused it; time-outs of signals have only a name. */
function errorCode(error: unknown): string {
  for (let at = error; at instanceof Error; at = at.cause) {
    if (at.name === 'TimeoutError') return at.name;
    if ('code' in at && typeof at.code === 'string') return at.code;
    if (at instanceof AggregateError && at.errors.length > 0) return errorCode(at.errors[0]);
  }
  return error instanceof Error ? error.name : 'unknown';
}
