import type { FailureCause } from '../errors.ts';
import { ProxyFault, type ProxySettings, proxyFor } from './proxy.ts';
import { type Policy, RequestFailure } from './request-failure.ts';

const certificateCodes = /^(CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|ERR_TLS_|HOSTNAME_MISMATCH)/;
/** Invalid chunks, another protocol, endless headers. */
const noHttp = /^(HPE_|HTTPParserError|UND_ERR_HEADERS_OVERFLOW)/;
const sentences: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'No connection to',
  ENOTFOUND: 'Host not found:',
  EAI_AGAIN: 'DNS lookup failed for',
  ECONNRESET: 'Connection closed by',
  UND_ERR_SOCKET: 'Connection closed by',
  UND_ERR_CONNECT_TIMEOUT: 'Timed out connecting to',
  UND_ERR_HEADERS_TIMEOUT: 'No answer in time from',
  UND_ERR_BODY_TIMEOUT: 'No complete answer in time from',
  ETIMEDOUT: 'No answer in time from',
  TimeoutError: 'No complete answer in time from',
};

/**
 * Why no answer came from a URL, in words that name who failed: the service, or the proxy before it.
 * Where the address is a secret, `secretSetting` is the setting that holds it, and is named instead.
 */
export function connectionFailure(
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
  const failed = (policy: Policy, message: string, hint: string, cause: FailureCause = 'network') =>
    new RequestFailure(policy, cause, message, { hint, reason: error });
  if (code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE') {
    const hint = `Check ${settings}.${secretSetting ? '' : ' A page from the service is far smaller.'}`;
    return failed('give_up', `The answer from ${origin} is too large.`, hint, 'service');
  }
  if (proxy && fault.status === 407) {
    const message = `The proxy ${proxy.origin} requires a valid user and password (HTTP 407).`;
    const hint = `Set them in ${proxy.variable}, as http://USER:PASSWORD@HOST:PORT.`;
    return failed('give_up', message, hint);
  }
  if (proxy && fault.status !== undefined) {
    // It gave no connection. What fails behind it may be back soon.
    const policy = fault.status >= 500 ? 'retry' : 'give_up';
    const message = `The proxy ${proxy.origin} did not connect to ${origin} (HTTP ${fault.status}).`;
    const hint = `The proxy is set in ${proxy.variable}. Check ${settings}, and ask the operator of the proxy to allow that host.`;
    return failed(policy, message, hint);
  }
  if (isCertificateFault(error)) {
    const message = `The certificate of ${peer} is not trusted (${code}).`;
    const hint =
      'Check the address. For a private certificate authority, set NODE_EXTRA_CA_CERTS to its file.';
    return failed('give_up', message, hint);
  }
  const said = noHttp.test(code) ? 'No valid HTTP answer from' : sentences[code];
  const hint = proxy
    ? `The proxy is set in ${proxy.variable}. Correct or unset it, or add ${hostname} to NO_PROXY.`
    : 'Check the address, the network and the proxy settings, then try again.';
  return failed('retry', `${said ?? 'The request failed:'} ${peer} (${code}).`, hint);
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
