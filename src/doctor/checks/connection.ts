import type { Exchange } from '../../model/probe.ts';
import { finding, warningIf } from '../check.ts';
import type { Examination } from '../examination.ts';

/** Which proxy the requests took, if any. */
export function judgeProxy({ setup, sightings }: Examination) {
  const { proxy = null } = setup;
  const used = proxy !== null && sightings.peers.has(proxy.origin);
  return finding('ok', { proxy, used });
}

/** Whether the hosts of the service answer. Where asking ended early, one may not have been asked. */
export function judgeAddress({ setup, sightings }: Examination) {
  const { baseUrl, authUrl, sandbox } = setup;
  const answered = new Set(
    sightings.exchanges.filter(({ status }) => status !== undefined).map(({ origin }) => origin),
  );
  if (answered.size === 0) return undefined;
  // Those of the sandbox are nobody's concern.
  if (sandbox !== undefined) return finding('ok', { hosts: [] });
  const urls = { base_url: baseUrl, ...(authUrl !== undefined && { auth_url: authUrl }) };
  const hosts = Object.entries(urls).map(([setting, url]) => ({
    setting,
    url,
    answered: answered.has(new URL(url).origin),
  }));
  return finding('ok', { hosts });
}

/** Time enough to ask the service for a new one. */
const daysBefore = 21;
const dayMs = 86_400_000;

/** How long the certificates of the hosts still hold; those that aren't trusted ended the asking. */
export function judgeTls({ setup, sightings, now }: Examination) {
  const certificates = [...sightings.peers].flatMap(([origin, { certificate }]) => {
    if (!certificate) return [];
    const { issuer, expiresAt: end, protocol } = certificate;
    const daysLeft = Math.floor((end - now) / dayMs);
    const expiresAt = new Date(end).toISOString();
    return [{ host: new URL(origin).host, issuer, expiresAt, daysLeft, protocol }];
  });
  if (certificates.length === 0 && setup.baseUrl.startsWith('https:')) return undefined;
  const endsSoon = certificates.some(({ daysLeft }) => daysLeft < daysBefore);
  return warningIf(endsSoon, { certificates });
}

/** A tenth of the time after which a request is given up. */
const slow = 3_000;

/** How long the service takes to answer, and which requests it had to be sent twice. */
export function judgeLatency({ sightings }: Examination) {
  const { exchanges } = sightings;
  const times = exchanges
    .filter(({ status }) => status !== undefined)
    .map(({ ms }) => ms)
    .sort((one, other) => one - other);
  const slowestMs = times.at(-1);
  if (slowestMs === undefined) return undefined;
  const medianMs = times[Math.floor((times.length - 1) / 2)] ?? slowestMs;
  const repeated = exchanges
    .filter((one) => wasMended(one, exchanges))
    .map(({ failure = '' }) => failure);
  const isOdd = slowestMs >= slow || repeated.length > 0;
  return warningIf(isOdd, { answers: times.length, medianMs, slowestMs, repeated });
}

/** Whether an attempt failed and the next one at the same request didn't. */
function wasMended(one: Exchange, exchanges: readonly Exchange[]): boolean {
  if (one.failure === undefined) return false;
  const following = exchanges
    .slice(exchanges.indexOf(one) + 1)
    .find(({ path, attempt }) => path === one.path && attempt === one.attempt + 1);
  return following !== undefined && following.failure === undefined;
}
