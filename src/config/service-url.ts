import { type Given, settingFault } from './origin.ts';

const example =
  'Write it whole, such as https://api.example.com; a path after the host is allowed.';

/**
 * Checks the address of a host and takes its trailing slashes off. Only https is taken, since
 * credentials travel there; a service on this machine may do without. The address isn't repeated in
 * an error: it may hold a password.
 */
export function parseServiceUrl({ key, text, origin }: Given): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const mayBePlain = url?.protocol === 'http:' && isLoopback(url.hostname);
  if (!url?.hostname) throw settingFault(origin, `${key} is not a web address.`, example);
  if (url.protocol !== 'https:' && !mayBePlain) {
    throw settingFault(
      origin,
      `${key} must begin with https://, so that credentials are not sent in the open.`,
      'Plain http:// is for a service on this machine only (localhost, 127.0.0.1, [::1]).',
    );
  }
  if (url.username || url.password) {
    const hint = 'Take them out of the address; they belong in client_id and client_secret.';
    throw settingFault(origin, `${key} holds a user name or password.`, hint);
  }
  if (url.search || url.hash) {
    throw settingFault(origin, `${key} has a part after ? or #, which is never sent.`, example);
  }
  return url.origin + url.pathname.replace(/\/+$/, '');
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname);
}
