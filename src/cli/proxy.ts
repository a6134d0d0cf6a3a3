import type { ProxySettings } from '../api/transport.ts';
import { ReconError } from '../base/errors.ts';
import type { Host } from './host.ts';

/** A proxy, and the variable that names it. */
export interface NamedProxy {
  readonly variable: string;
  /** Without the user and the password that its address may hold. */
  readonly origin: string;
}

/** The usual spellings, the ones that count first. */
const spellings = {
  httpProxy: ['http_proxy', 'HTTP_PROXY'],
  httpsProxy: ['https_proxy', 'HTTPS_PROXY'],
  noProxy: ['no_proxy', 'NO_PROXY'],
} as const;

/** The proxies that the environment names. */
export function proxyOf(host: Pick<Host, 'env'>): ProxySettings {
  const httpProxy = readProxy(host, 'httpProxy');
  const httpsProxy = readProxy(host, 'httpsProxy');
  const noProxy = found(host, 'noProxy')?.text;
  return {
    ...(httpProxy && { httpProxy: httpProxy.text }),
    ...(httpsProxy && { httpsProxy: httpsProxy.text }),
    ...(noProxy && { noProxy }),
  };
}

/** The proxy for an address, unless its host is exempt; plain http's is for https too. */
export function proxyFor(url: string, host: Pick<Host, 'env'>): NamedProxy | undefined {
  const ofHttp = readProxy(host, 'httpProxy');
  const proxy = url.startsWith('https:') ? (readProxy(host, 'httpsProxy') ?? ofHttp) : ofHttp;
  return proxy && { variable: proxy.name, origin: new URL(proxy.text).origin };
}

function found({ env }: Pick<Host, 'env'>, which: keyof typeof spellings) {
  const name = spellings[which].find((candidate) => env[candidate]);
  const text = name && env[name];
  return name && text ? { name, text } : undefined;
}

function readProxy(host: Pick<Host, 'env'>, which: 'httpProxy' | 'httpsProxy') {
  const proxy = found(host, which);
  if (!proxy) return undefined;
  const { name, text } = proxy;
  if (/^https?:$/.test(URL.canParse(text) ? new URL(text).protocol : '')) return proxy;
  throw new ReconError('configuration', `The proxy in ${name} is no http address.`, {
    where: `environment ${name}`,
    hint: 'Write it as http://host:port, or unset it.',
  });
}
