import { Agent, type Dispatcher, EnvHttpProxyAgent, Pool } from 'undici';
import { type FailureCause, type Policy, RequestFailure } from '../errors.ts';
import type { FailureReason } from '../failure-reason.ts';
import { utf8Text } from '../texts.ts';

/** Milliseconds to wait for a connection, and for the next piece of an answer. */
interface Timeouts {
  readonly connectMs: number;
  readonly answerMs: number;
}

const defaultTimeouts: Timeouts = { connectMs: 10_000, answerMs: 30_000 };
/** A page of 100 rows is about 50 kB. */
const largestBody = 16 * 1024 * 1024;
/** Parsed, a value takes far more memory than the bytes of a short one: only these, or so many, are read. */
const manyBytes = 1024 * 1024;
const mostValues = 500_000;
/** As undici says it. */
const tooLarge = { code: 'UND_ERR_RES_EXCEEDED_MAX_SIZE' };

export interface HttpRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly token?: string;
  readonly body?: object;
}

export interface HttpAnswer {
  readonly status: number;
  readonly bytes: Buffer;
  readonly contentType: string | undefined;
  readonly requestId: string | undefined;
  readonly retryAfterMs: number | undefined;
  /** The Date header, milliseconds since the epoch. */
  readonly date: number | undefined;
}

/** The text of an answer; empty if it is not UTF-8: replacement characters could make two ids equal. */
export function bodyOf({ bytes }: Pick<HttpAnswer, 'bytes'>): string {
  return utf8Text(bytes);
}

export interface TransportOptions {
  readonly connections: number;
  readonly proxy: ProxySettings;
  readonly userAgent: string;
  readonly signal: AbortSignal;
  readonly now: () => number;
  readonly timeouts?: Timeouts;
  /** The setting that holds the address, if the address is a secret and must not be quoted. */
  readonly secretSetting?: string;
  /** Whether the status is enough: the body of the answer may be missing. */
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
    // One listener for all: removed listeners form a chain that keeps all answers in memory.
    options.signal.addEventListener('abort', () => void this.close(), { once: true });
  }

  /** Sends one request. Throws RequestFailure if there is no answer, or the signal's reason. */
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
        'accept-encoding': 'identity',
        'user-agent': userAgent,
        ...(token && { authorization: `Bearer ${token}` }),
        ...(body && { 'content-type': 'application/json' }),
      },
      body: body ? JSON.stringify(body) : null,
    };
    try {
      // undici's own time-outs restart with each byte: this one bounds the whole exchange.
      const timeoutMs = 2 * this.#timeouts.answerMs;
      const answer = await exchange(this.#agent, request, timeoutMs, this.#options);
      if (holdsTooMuch(answer.bytes)) throw Object.assign(new Error('Too many values'), tooLarge);
      return answer;
    } catch (error) {
      signal.throwIfAborted();
      throw connectionFailure(error, url, proxy, secretSetting);
    }
  }

  async close(): Promise<void> {
    await this.#agent.destroy();
  }
}

/** Whether JSON holds more values than any page, by the characters that go before one. */
function holdsTooMuch(bytes: Buffer): boolean {
  if (bytes.length <= manyBytes) return false;
  let values = 0;
  for (const byte of bytes) if (byte === 0x2c || byte === 0x5b || byte === 0x7b) values += 1;
  return values > mostValues;
}

/** Sends a request by undici's fastest interface, without a stream and a signal for each. */
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

/** Retry-After, a number of seconds or a date, in milliseconds. */
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

export interface ProxySettings {
  readonly httpProxy?: ProxySetting | undefined;
  readonly httpsProxy?: ProxySetting | undefined;
  readonly noProxy?: string | undefined;
}

interface ProxySetting {
  readonly variable: string;
  readonly url: string;
}

/** The proxy for an address, without its password, unless its host is exempt. http's is for https too. */
export function proxyFor(url: string, { httpProxy, httpsProxy }: ProxySettings) {
  const proxy = url.startsWith('https:') ? (httpsProxy ?? httpProxy) : httpProxy;
  return proxy && { variable: proxy.variable, origin: new URL(proxy.url).origin };
}

class ProxyFault extends Error {
  override readonly name = 'ProxyFault';
  readonly status: number | undefined;

  constructor({ status, cause }: { readonly status?: number; readonly cause?: unknown }) {
    super('The proxy gave no connection.', { cause });
    this.status = status;
  }
}

/** The connections to a proxy. Failures before there is one to the service are ProxyFault. */
function createProxyPool(proxy: URL, options: Pool.Options): Dispatcher {
  const pool = new Pool(proxy, options);
  const connect = pool.connect.bind(pool);
  return Object.assign(pool, {
    connect: async (request: Dispatcher.ConnectOptions) => {
      const answer = await connect(request).catch((cause: unknown) => {
        throw new ProxyFault({ cause });
      });
      if (answer.statusCode === 200) return answer;
      answer.socket.on('error', () => {}).destroy();
      throw new ProxyFault({ status: answer.statusCode });
    },
  });
}

const certificateCodes = /^(CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|ERR_TLS_|HOSTNAME_MISMATCH)/;

/** Why no answer came: whether the service or the proxy failed. A secret address is not named. */
function connectionFailure(
  error: unknown,
  url: string,
  proxies: ProxySettings,
  secretSetting?: string,
): RequestFailure {
  const { origin, hostname } = secretSetting
    ? { origin: `the host in ${secretSetting}`, hostname: 'that host' }
    : new URL(url);
  const settings = secretSetting ?? 'base_url and auth_url';
  const fault = error instanceof ProxyFault ? error : undefined;
  const code = errorCode(fault?.cause ?? error);
  const proxy = fault && proxyFor(url, proxies);
  const peer = proxy ? `the proxy ${proxy.origin}` : origin;
  const failed = (
    policy: Policy,
    happened: FailureReason,
    hint: string,
    cause: FailureCause = 'network',
  ) => new RequestFailure(policy, cause, happened, { hint, reason: error });
  if (code === tooLarge.code) {
    const hint = `Check ${settings}.${secretSetting ? '' : ' A page from the service is far smaller.'}`;
    const happened = { code: 'answer_too_large', facts: { from: origin } };
    return failed('give_up', happened, hint, 'service');
  }
  if (proxy && fault.status === 407) {
    const hint = `Set them in ${proxy.variable}, as http://USER:PASSWORD@HOST:PORT.`;
    return failed('give_up', { code: 'proxy_login', facts: { proxy: proxy.origin } }, hint);
  }
  if (proxy && fault.status !== undefined) {
    // What fails behind the proxy may be back soon.
    const policy = fault.status >= 500 ? 'retry' : 'give_up';
    const facts = { proxy: proxy.origin, to: origin, http: String(fault.status) };
    const hint = `The proxy is set in ${proxy.variable}. Check ${settings}, and ask the operator of the proxy to allow that host.`;
    return failed(policy, { code: 'proxy_refused', facts }, hint);
  }
  if (isCertificateFault(error)) {
    const hint = `${checkAddress}. For a private certificate authority, set NODE_EXTRA_CA_CERTS to its file.`;
    return failed('give_up', { code: 'certificate', facts: { peer, error: code } }, hint);
  }
  const hint = proxy
    ? `The proxy is set in ${proxy.variable}. Correct or unset it, or add ${hostname} to NO_PROXY.`
    : `${checkAddress}, the network and the proxy settings, then try again.`;
  return failed('retry', { code: 'no_connection', facts: { peer, error: code } }, hint);
}

/** How hints begin that concern an address; whoever knows which setting it is from may say so instead. */
export const checkAddress = 'Check the address';

/** Whether a connection failed because of an untrusted certificate. */
export function isCertificateFault(error: unknown): boolean {
  return certificateCodes.test(errorCode(error));
}

/** The code of an error or of its cause; time-outs have only a name. */
function errorCode(error: unknown): string {
  for (let at = error; at instanceof Error; at = at.cause) {
    if (at.name === 'TimeoutError') return at.name;
    if ('code' in at && typeof at.code === 'string') return at.code;
    if (at instanceof AggregateError && at.errors.length > 0) return errorCode(at.errors[0]);
  }
  return error instanceof Error ? error.name : 'unknown';
}
