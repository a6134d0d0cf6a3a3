import { enumerate, many } from '../../report/common/phrase.ts';
import { type Checks, result, warningIf } from '../examination.ts';

/** Tokens of V1 carry the time (doc 5.1); otherwise it is only about which day it is. */
const tolerableSeconds = { signing: 1, otherwise: 60 };

/** What both settlement operations take (doc 4.3, 4.4). */
const needed = ['read:merchant', 'read:merchant:settlement'];
/** Tokens that live for less are asked for again and again. */
const shortestLife = 60;

const daysBefore = 21;
const dayMs = 86_400_000;

export const connectionChecks = {
  configuration({ setup: { profile = null, file = null, sandbox = null } }) {
    const place = profile === null ? 'no profile' : `profile ${profile} in ${file}`;
    const isSet = `all required settings are set (${place})`;
    const found = sandbox === null ? isSet : `sandbox, scenario ${sandbox}`;
    return result('ok', { profile, file, sandbox }, found);
  },

  proxy({ setup: { proxy = null }, sightings }) {
    if (proxy === null) return result('ok', { proxy, used: false }, 'not set');
    const used = sightings.peers.has(proxy.origin);
    const named = `${proxy.origin} (${proxy.variable})`;
    const found = used ? `used: ${named}` : `${named} is set, but not used for these hosts`;
    return result('ok', { proxy, used }, found);
  },

  /** Whether the hosts of the service answer. Where asking ended early, one may not have been asked. */
  address({ setup: { baseUrl, authUrl, sandbox }, sightings }) {
    const answers = sightings.exchanges.filter(({ status }) => status !== undefined);
    if (answers.length === 0) return undefined;
    // Those of the sandbox are nobody's concern.
    if (sandbox !== undefined) return result('ok', { hosts: [] }, 'the sandbox, on this machine');
    const urls = { base_url: baseUrl, ...(authUrl !== undefined && { auth_url: authUrl }) };
    const hosts = Object.entries(urls).map(([setting, url]) => ({
      setting,
      url,
      answered: answers.some(({ origin }) => origin === new URL(url).origin),
    }));
    const named = (isAnswered: boolean) => {
      const those = hosts.filter(({ answered }) => answered === isAnswered);
      return enumerate(those.map(({ setting, url }) => `${url} (${setting})`));
    };
    const silent = named(false);
    const found = `answered at ${named(true)}${silent && `; not contacted: ${silent}`}`;
    return result('ok', { hosts }, found);
  },

  tls({ setup, sightings, now }) {
    const certificates = [...sightings.peers].flatMap(([origin, { certificate }]) => {
      if (!certificate) return [];
      const { issuer, expiresAt: end, protocol } = certificate;
      const daysLeft = Math.floor((end - now) / dayMs);
      const expiresAt = new Date(end).toISOString();
      return [{ host: new URL(origin).host, issuer, expiresAt, daysLeft, protocol }];
    });
    if (certificates.length === 0) {
      if (setup.baseUrl.startsWith('https:')) return undefined;
      return result('ok', { certificates }, 'not used: plain HTTP on this machine');
    }
    const each = certificates.map(
      ({ host, issuer, expiresAt, daysLeft, protocol }) =>
        `${host}: valid until ${expiresAt.slice(0, 10)} (${many(daysLeft, 'day')}), ` +
        `issued by ${issuer || 'an unnamed authority'}, ${protocol}`,
    );
    return warningIf(
      certificates.some(({ daysLeft }) => daysLeft < daysBefore),
      { certificates },
      `trusted; ${each.join('; ')}`,
      'Ask the operator of the service to renew the certificate. After that day, nothing can be read.',
    );
  },

  /** How far this clock is ahead of the service's, by the Date of the answer that came fastest. */
  clock({ setup, sightings: { exchanges } }) {
    if (exchanges.every(({ status }) => status === undefined)) return undefined;
    const [fastest] = exchanges
      .flatMap(({ date, startedAt, ms }) => (date === undefined ? [] : [{ date, startedAt, ms }]))
      .sort((one, other) => one.ms - other.ms);
    if (!fastest) return { lacks: 'date_header' };
    const aheadSeconds = aheadOf(fastest);
    const signs = Object.values(setup.schemes).includes('v1');
    const direction = aheadSeconds > 0 ? 'ahead of' : 'behind';
    return warningIf(
      Math.abs(aheadSeconds) > tolerableSeconds[signs ? 'signing' : 'otherwise'],
      { aheadSeconds, signs },
      aheadSeconds === 0
        ? 'matches the clock of the service to the second'
        : `${many(Math.abs(aheadSeconds), 'second')} ${direction} the service, by the Date header of its answers`,
      signs
        ? "Set this machine's clock: V1 tokens carry its time, and the service may reject them."
        : 'Set this machine\'s clock: "today" and "yesterday" depend on it.',
    );
  },

  /** Under V1 each request has a token of its own, and no scope is granted. */
  token({ setup: { schemes }, answers: { grant } }) {
    if (schemes.settlements === 'v1' && schemes.charges === 'v1') {
      return result('ok', { scheme: 'v1' }, 'V1: each request is signed with its own token');
    }
    if (!grant) return undefined;
    const { seconds = null, scopes = null } = grant;
    const isForSettlements = schemes.settlements === 'v2';
    const lacks = isForSettlements && scopes ? needed.filter((one) => !scopes.includes(one)) : [];
    const isShort = seconds !== null && seconds < shortestLife;
    const life = seconds === null ? 'lifetime not stated' : `valid for ${many(seconds, 'second')}`;
    return warningIf(
      lacks.length > 0 || isShort,
      { scheme: 'v2', seconds, scopes, lacks },
      `V2: ${life}; scopes: ${scopes ? enumerate(scopes) || 'none' : 'not stated'}`,
      lacks.length > 0
        ? `Ask the service to grant ${enumerate(lacks)}.`
        : 'Ask the service for tokens with a longer lifetime: recon has to request new ones often.',
    );
  },
} satisfies Checks;

/**
 * By how much this clock is ahead, in seconds. The Date is cut off to whole seconds and was written
 * at some moment between the request and the answer: within that, nothing can be told.
 */
function aheadOf({ startedAt, ms, date }: Record<'startedAt' | 'ms' | 'date', number>) {
  const least = startedAt - (date + 1000);
  const most = startedAt + ms - date;
  return least <= 0 && 0 <= most ? 0 : Math.round((least + most) / 2000);
}
