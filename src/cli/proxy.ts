import type { ProxySettings } from '../api/proxy.ts';
import { ReconError } from '../base/errors.ts';
import type { Host } from './host.ts';

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
    ...(httpProxy && { httpProxy }),
    ...(httpsProxy && { httpsProxy }),
    ...(noProxy && { noProxy }),
  };
}

function found({ env }: Pick<Host, 'env'>, which: keyof typeof spellings) {
  const variable = spellings[which].find((candidate) => env[candidate]);
  const text = variable && env[variable];
  return variable && text ? { variable, text } : undefined;
}

function readProxy(host: Pick<Host, 'env'>, which: 'httpProxy' | 'httpsProxy') {
  const proxy = found(host, which);
  if (!proxy) return undefined;
  const { variable, text: url } = proxy;
  if (/^https?:$/.test(URL.canParse(url) ? new URL(url).protocol : '')) return { variable, url };
  throw new ReconError('configuration', `The proxy in ${variable} is not an http or https URL.`, {
    where: `environment ${variable}`,
    hint: 'Write it as http://host:port, or unset it.',
  });
}
