import { ReconError } from '../base/errors.ts';
import type { ProxySettings } from '../base/http/proxy.ts';
import type { Host } from './host.ts';

/** The proxies that the environment names, in the usual spellings. */
export function proxyOf({ env }: Pick<Host, 'env'>): ProxySettings {
  const named = (name: string) => {
    const variable = [name, name.toUpperCase()].find((spelling) => env[spelling]);
    return { variable, url: variable && env[variable] };
  };
  const proxyIn = (name: string) => {
    const { variable, url } = named(name);
    if (!variable || !url) return undefined;
    if (/^https?:$/.test(URL.canParse(url) ? new URL(url).protocol : '')) return { variable, url };
    const message = `The proxy in ${variable} is not an http or https URL.`;
    throw new ReconError('configuration', message, {
      where: `environment ${variable}`,
      hint: 'Write it as http://host:port, or unset it.',
    });
  };
  return {
    httpProxy: proxyIn('http_proxy'),
    httpsProxy: proxyIn('https_proxy'),
    noProxy: named('no_proxy').url,
  };
}
