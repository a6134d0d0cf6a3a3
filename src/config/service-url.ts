import { type Given, settingFault } from './origin.ts';

const example =
  'Write the full URL, such as https://api.example.com. A path after the host is allowed.';

/**
 * Checks the address of a host and takes its trailing slashes off. Only https is taken, since
 * credentials travel there; a service on this machine may do without. The address isn't repeated in
 * an error: it may hold a password.
 */
export function parseServiceUrl({ key, text, origin }: Given): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const mayBePlain = url?.protocol === 'http:' && isLoopback(url.hostname);
  if (!url?.hostname) throw settingFault(origin, `${key} is not a URL.`, example);
  if (url.protocol !== 'https:' && !mayBePlain) {
    throw settingFault(
      origin,
      `${key} must start with https://, so credentials are not sent unencrypted.`,
      'Use plain http:// only for a service on this machine (localhost, 127.0.0.1, [::1]).',
    );
  }
  if (url.username || url.password) {
    const hint = 'Remove them from the URL; set client_id and client_secret instead.';
    throw settingFault(origin, `${key} contains a user name or password.`, hint);
  }
  if (url.search || url.hash) {
    throw settingFault(origin, `${key} must not have a part after ? or #.`, example);
  }
  return url.origin + url.pathname.replace(/\/+$/, '');
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname);
}
