import { daysBetween } from '../../base/calendar.ts';
import type { ProbedPage } from '../../model/probe.ts';
import { pageSizes } from '../../model/source.ts';
import {
  enumerate,
  firstOf,
  many,
  present,
  rangeText,
  withoutStop,
} from '../../report/common/phrase.ts';
import { oddAnswersText, unreadableText } from '../../report/common/words.ts';
import { type Checks, result, skipped, warningIf } from '../examination.ts';

/** Tokens of V1 carry the time (doc 5.1); otherwise it is only about which day it is. */
const tolerableSeconds = { signing: 1, otherwise: 60 };

/** What both settlement operations take (doc 4.3, 4.4). */
const neededScopes = ['read:merchant', 'read:merchant:settlement'];
/** Tokens that live for less are asked for again and again. */
const shortestLifeSeconds = 60;

const daysBefore = 21;
const dayMs = 86_400_000;
const slowMs = 3_000;

/** How the service is reached, and how it answers. */
export const serviceChecks = {
  configuration({ setup: { profile, file, sandbox } }) {
    if (sandbox !== undefined) return result('ok', `sandbox, scenario ${sandbox}`);
    const place = profile === undefined ? 'no profile' : `profile ${profile} in ${file}`;
    return result('ok', `all required settings are set (${place})`);
  },

  proxy({ setup: { proxy }, sightings }) {
    if (!proxy) return result('ok', 'not set');
    const named = `${proxy.origin} (${proxy.variable})`;
    const isUsed = sightings.peers.has(proxy.origin);
    const found = isUsed ? `used: ${named}` : `${named} is set, but not used for these hosts`;
    return result('ok', found);
  },

  /** The hosts of the service that answered. If the requests ended early, one may be missing. */
  address({ setup: { sandbox }, sightings }) {
    const answers = sightings.exchanges.filter(({ status }) => status !== undefined);
    if (answers.length === 0) return undefined;
    if (sandbox !== undefined) return result('ok', 'the sandbox, on this machine');
    const hosts = new Set(answers.map(({ origin }) => origin));
    return result('ok', `answered at ${enumerate([...hosts])}`);
  },

  tls({ setup, sightings, now }) {
    const certificates = [...sightings.peers].flatMap(([origin, { certificate }]) => {
      if (!certificate) return [];
      const { issuer, expiresAt } = certificate;
      const daysLeft = Math.floor((expiresAt - now) / dayMs);
      const until = new Date(expiresAt).toISOString();
      return [{ host: new URL(origin).host, issuer, expiresAt: until, daysLeft }];
    });
    if (certificates.length === 0) {
      if (setup.baseUrl.startsWith('https:')) return undefined;
      return result('ok', 'not used: plain HTTP on this machine');
    }
    const each = certificates.map(
      ({ host, issuer, expiresAt, daysLeft }) =>
        `${host}: valid until ${expiresAt.slice(0, 10)} (${many(daysLeft, 'day')}), ` +
        `issued by ${issuer || 'an unnamed authority'}`,
    );
    return warningIf(
      certificates.some(({ daysLeft }) => daysLeft < daysBefore),
      `trusted; ${each.join('; ')}`,
      'Ask the operator of the service to renew the certificate. After that day, nothing can be read.',
      { certificates },
    );
  },

  /** How far this clock is ahead of the service's, by the Date of the answer that came fastest. */
  clock({ setup, sightings: { exchanges } }) {
    if (exchanges.every(({ status }) => status === undefined)) return undefined;
    const [fastest] = exchanges
      .flatMap(({ date, startedAt, ms }) => (date === undefined ? [] : [{ date, startedAt, ms }]))
      .sort((one, other) => one.ms - other.ms);
    if (!fastest) return skipped('no answer with a Date header found');
    const aheadSeconds = aheadOf(fastest);
    const isSigning = Object.values(setup.schemes).includes('v1');
    const direction = aheadSeconds > 0 ? 'ahead of' : 'behind';
    return warningIf(
      Math.abs(aheadSeconds) > tolerableSeconds[isSigning ? 'signing' : 'otherwise'],
      aheadSeconds === 0
        ? 'matches the clock of the service to the second'
        : `${many(Math.abs(aheadSeconds), 'second')} ${direction} the service, by the Date header of its answers`,
      isSigning
        ? "Set this machine's clock: V1 tokens carry its time, and the service may reject them."
        : 'Set this machine\'s clock: "today" and "yesterday" depend on it.',
      { aheadSeconds },
    );
  },

  /** Under V1 each request has a token of its own, and no scope is granted. */
  token({ setup: { schemes }, sightings: { grant } }) {
    if (!Object.values(schemes).includes('v2')) {
      return result('ok', 'V1: each request is signed with its own token');
    }
    if (!grant) return undefined;
    const { seconds, scopes } = grant;
    const isForSettlements = schemes.settlements === 'v2' && scopes !== null;
    const lacks = isForSettlements ? neededScopes.filter((one) => !scopes.includes(one)) : [];
    const isShort = seconds !== null && seconds < shortestLifeSeconds;
    const life = seconds === null ? 'lifetime not stated' : `valid for ${many(seconds, 'second')}`;
    return warningIf(
      lacks.length > 0 || isShort,
      `V2: ${life}; scopes: ${scopes ? enumerate(scopes) || 'none' : 'not stated'}`,
      lacks.length > 0
        ? `Ask the service to grant ${enumerate(lacks)}.`
        : 'Ask the service for tokens with a longer lifetime: recon has to request new ones often.',
      grant,
    );
  },

  settlements({ first, newest, emptyDays, query: { range } }) {
    if (!first) return undefined;
    const received = first.keys.length;
    const came = received === 0 ? 'none found' : `1 requested, ${received} returned`;
    const days = newest === undefined ? 0 : daysBetween(newest, range.to) + 7;
    return warningIf(
      received !== 1,
      `${came} (${rangeText(range)})${emptyDays ? `, since ${rangeText(emptyDays)} has none` : ''}`,
      received === 0
        ? newest === undefined
          ? 'The service has no settlement of the last ten years: check the profile (country and environment).'
          : `The newest settlement is of ${newest}. ${days > 366 ? '' : `To check with it, add --days ${days}.`}`.trimEnd()
        : 'Ask the service about the page limit. recon accepts what is returned.',
    );
  },

  settlement_pages({ settlementPages: pages }) {
    if (!pages[0]?.keys.length) return undefined;
    return twoPages('settlement', pageSizes.headers, pages);
  },

  /** The same of the rows of the settlement that has the most of them. */
  transaction_pages({ largest, rowPages }) {
    const [received, next] = rowPages.map(({ keys }) => keys.length);
    if (received === undefined || !largest) return undefined;
    const isShort = received < (largest.transactions ?? 0) && (received === 0 || next === 0);
    if (!isShort) return twoPages('transaction', pageSizes.rows, rowPages);
    return result(
      'warning',
      `${received} of ${largest.transactions} announced transactions were returned, and no more (settlement ${largest.id})`,
      'recon settlements reads such a list again and reports what is missing.',
    );
  },

  latency({ sightings: { exchanges } }) {
    const answered = exchanges.filter(({ status }) => status !== undefined);
    const times = answered.map(({ ms }) => ms).sort((one, other) => one - other);
    const slowestMs = times.at(-1);
    if (slowestMs === undefined) return undefined;
    const medianMs = times[Math.floor((times.length - 1) / 2)] ?? slowestMs;
    // A request that fails twice is not repeated again.
    const repeated = exchanges.filter(
      ({ path, failure }, index) =>
        failure !== undefined &&
        exchanges.slice(index + 1).some((next) => next.path === path && !next.failure),
    );
    const reasons = new Set(repeated.map(({ failure = '' }) => withoutStop(failure)));
    const took =
      times.length === 1
        ? `1 answer in ${duration(slowestMs)}`
        : `${times.length} answers: median ${duration(medianMs)}, slowest ${duration(slowestMs)}`;
    const again = `; ${many(repeated.length, 'request')} repeated: ${firstOf([...reasons])}`;
    return warningIf(
      slowestMs >= slowMs || repeated.length > 0,
      repeated.length > 0 ? took + again : took,
      repeated.length > 0
        ? 'Try again later. If it persists, ask the service. recon retries failed requests for a while.'
        : 'If it persists, ask the service. Requests time out after 30 seconds.',
      { medianMs, slowestMs },
    );
  },

  records({ first, settlements, settlementPages, rowPages, sightings }) {
    if (!first) return undefined;
    const { oddAnswers, unknownFields } = sightings;
    const unreadable = [...settlementPages, ...rowPages].flatMap((page) => page.unreadable);
    const transactions = new Set(rowPages.flatMap(({ keys }) => keys)).size;
    const unread = unreadableText(unreadable, unreadable.length);
    const unknown = unknownFields.map(({ record, fields }) => `${firstOf(fields)} (${record})`);
    const odd = oddAnswersText(oddAnswers);
    const found = present(
      `${many(settlements.length, 'settlement')} and ${many(transactions, 'transaction')} checked`,
      unread && `cannot be read: ${unread}`,
      unknown.length > 0 && `fields not in the service's document: ${unknown.join(', ')}`,
      odd && `not as documented: ${odd}`,
    ).join('; ');
    const facts = { unreadable, unknownFields, oddAnswers };
    const report =
      'Report the record and the field to the service. recon draws no conclusion about such a settlement.';
    const ask =
      'No action needed: recon can read the data. Ask the service whether its interface has a newer version.';
    if (unreadable.length > 0) return result('failure', found, report, facts);
    return warningIf(unknownFields.length > 0 || oddAnswers.length > 0, found, ask, facts);
  },
} satisfies Checks;

/**
 * By how much this clock is ahead, in seconds. The Date is cut off to whole seconds and was written
 * at some time between the request and the answer, so 0 if that could explain the distance.
 */
function aheadOf({ startedAt, ms, date }: Record<'startedAt' | 'ms' | 'date', number>) {
  const least = startedAt - (date + 1000);
  const most = startedAt + ms - date;
  return least <= 0 && 0 <= most ? 0 : Math.round((least + most) / 2000);
}

/** The first page of a list, and the next one if it was requested. */
function twoPages(what: string, asked: number, [first, second]: readonly ProbedPage<unknown>[]) {
  const known = new Set(first?.keys);
  const received = first?.keys.length ?? 0;
  const next = second?.keys.length ?? 0;
  const repeated = second?.keys.filter((key) => known.has(key)).length ?? 0;
  if (received === 0) return result('ok', `no ${what}s`);
  const came = `${received} of ${asked} requested ${what}s returned`;
  // A page that only repeats records may also hide others.
  if (repeated > 0 && repeated === next) {
    return result(
      'failure',
      `${came}, and the next page repeats them`,
      'Ask the service about the offset: lists longer than one page cannot be read.',
    );
  }
  const isCut = received < asked && next > 0;
  const isLast = received < asked && next === 0;
  const limit = isCut
    ? ` although there are more: the page limit is ${received}`
    : `${isLast ? ', and there are no more' : ''}: the page limit is at least ${received}`;
  return warningIf(
    isCut || repeated > 0,
    `${came}${limit}${repeated === 0 ? '' : `; ${repeated} repeated on the next page`}`,
    repeated > 0
      ? 'Ask the service why. recon reads such lists again.'
      : 'No action needed: recon makes more requests. If reading takes too long, ask the service.',
  );
}

function duration(ms: number): string {
  return ms < 1000 ? `${Math.max(ms, 1)} ms` : `${(ms / 1000).toFixed(1)} s`;
}
