import type { Checked, CheckFacts, CheckName, MissingInput } from '../../doctor/checks.ts';
import { isCut, isShort, isStuck, type TwoPages } from '../../doctor/pages.ts';
import { capitalised, enumerate, firstOf, many, present, withoutStop } from '../common/phrase.ts';
import { profileTable, proposalText, proposedLines, rulesText } from '../common/rule-words.ts';
import { identityWords, oddAnswersText, scaleTexts, unreadableText } from '../common/words.ts';

/** The name of a check, where it isn't its key. */
const names: { readonly [Name in CheckName]?: string } = {
  tls: 'TLS',
  settlement_pages: 'pages of settlements',
  transaction_pages: 'pages of transactions',
  scales: 'decimal places',
};

/** What is said of checks by their facts. */
type Words = { readonly [Name in CheckName]?: (facts: CheckFacts[Name]) => string };

/** What a check found: a sentence but for its capital letter and its full stop. */
const found: Required<Words> = {
  configuration: ({ profile, file, sandbox }) => {
    if (sandbox !== null) return `sandbox, scenario ${sandbox}`;
    const place = profile === null ? 'no profile' : `profile ${profile} in ${file}`;
    return `all required settings are set (${place})`;
  },
  proxy: ({ proxy, used }) => {
    if (proxy === null) return 'not set';
    const named = `${proxy.origin} (${proxy.variable})`;
    return used ? `used: ${named}` : `${named} is set, but not used for these hosts`;
  },
  address: ({ hosts }) => {
    if (hosts.length === 0) return 'the sandbox, on this machine';
    const named = (some: typeof hosts) =>
      enumerate(some.map(({ setting, url }) => `${url} (${setting})`));
    const answered = named(hosts.filter((host) => host.answered));
    const silent = named(hosts.filter((host) => !host.answered));
    return `answered at ${answered}${silent && `; not contacted: ${silent}`}`;
  },
  tls: ({ certificates }) => {
    if (certificates.length === 0) return 'not used: plain HTTP on this machine';
    const each = certificates.map(
      ({ host, issuer, expiresAt, daysLeft, protocol }) =>
        `${host}: valid until ${expiresAt.slice(0, 10)} (${many(daysLeft, 'day')}), ` +
        `issued by ${issuer || 'an unnamed authority'}, ${protocol}`,
    );
    return `trusted; ${each.join('; ')}`;
  },
  clock: ({ aheadSeconds }) => {
    if (aheadSeconds === 0) return 'matches the clock of the service to the second';
    const direction = aheadSeconds > 0 ? 'ahead of' : 'behind';
    return `${many(Math.abs(aheadSeconds), 'second')} ${direction} the service, by the Date header of its answers`;
  },
  token: (facts) => {
    if (facts.scheme === 'v1') return 'V1: each request is signed with its own token';
    const { seconds, scopes } = facts;
    const life = seconds === null ? 'lifetime not stated' : `valid for ${many(seconds, 'second')}`;
    return `V2: ${life}; scopes: ${scopes ? enumerate(scopes) || 'none' : 'not stated'}`;
  },
  settlements: ({ from, to, asked, received }) => {
    const came = received === 0 ? 'none found' : `${asked} requested, ${received} returned`;
    return `${came} (${from === to ? from : `${from} to ${to}`})`;
  },
  settlement_pages: (pages) => pagesText(pages, 'settlement'),
  transaction_pages: (pages) => {
    const { received, announced, settlementId } = pages;
    return isShort(pages)
      ? `${received} of ${announced} announced transactions were returned, and no more (settlement ${settlementId})`
      : pagesText(pages, 'transaction');
  },
  latency: ({ answers, medianMs, slowestMs, repeated }) => {
    const times =
      answers === 1
        ? `1 answer in ${duration(slowestMs)}`
        : `${answers} answers: median ${duration(medianMs)}, slowest ${duration(slowestMs)}`;
    const reasons = firstOf([...new Set(repeated.map(withoutStop))]);
    return `${times}${reasons && `; ${many(repeated.length, 'request')} repeated: ${reasons}`}`;
  },
  records: ({ settlements, transactions, unreadable, unknownFields, oddAnswers }) => {
    const unread = unreadableText(unreadable, unreadable.length);
    const unknown = unknownFields.map(({ record, fields }) => `${firstOf(fields)} (${record})`);
    const odd = oddAnswersText(oddAnswers);
    return present(
      `${many(settlements, 'settlement')} and ${many(transactions, 'transaction')} checked`,
      unread && `cannot be read: ${unread}`,
      unknown.length > 0 && `fields not in the service's document: ${unknown.join(', ')}`,
      odd && `not as documented: ${odd}`,
    ).join('; ');
  },
  dates: ({ settlements, zones, outside }) => {
    const all = `${many(settlements, 'settlement')}, dated`;
    const counts = zones.map((one) => `${one.settlements} ${zoneWords(one.zone)}`);
    const [zone, other] = zones;
    const written =
      zone && !other ? zoneWords(zone.zone) : `in different zones: ${enumerate(counts)}`;
    return `${all} ${written}${outside === 0 ? '' : `; ${outside} dated outside the requested days`}`;
  },
  scales: ({ settlements, unusual }) =>
    unusual.length === 0
      ? `as expected for the currency in ${many(settlements, 'settlement')}`
      : scaleTexts(unusual).join('; '),
  names: ({ settlements, names, unseen }) => {
    if (names === 0) return 'none set';
    const lost = unseen.map(({ token, name }) => `${token} (${name})`);
    return lost.length === 0
      ? `all of ${many(names, 'name')} occur`
      : `in none of ${many(settlements, 'settlement')}: ${enumerate(lost)}`;
  },
  identity: ({ chosen, settlements, fits }) => {
    if (chosen === 'off') return 'off: no pay-in is computed';
    const fit = fits.find(({ identity }) => identity === chosen)?.settlements ?? 0;
    return `pay-in = ${identityWords(chosen)} holds for ${fit} of ${many(settlements, 'settlement')}`;
  },
  rules: ({ settlements, balanced, rules, proposed }) => {
    const used = rulesText(rules);
    const more = proposed.reduce((sum, one) => sum + one.settlements, 0);
    return present(
      `sums agree in ${balanced} of ${many(settlements, 'settlement')}`,
      used && `rules in use: ${used}`,
      more > 0 && `in ${more} more with a proposed rule`,
      more === 0 && balanced < settlements && 'no rule to propose',
    ).join('; ');
  },
  charges: ({ scheme, chargeId, refusal }) => {
    const name = scheme.toUpperCase();
    if (!refusal) return `charges accept ${name} (charge ${chargeId})`;
    const said = withoutStop(refusal.message);
    return refusal.cause === 'not_found'
      ? `${name} was used, and the charge of a row cannot be read (${chargeId}): ${said}`
      : `charges reject ${name} (charge ${chargeId}): ${said}`;
  },
  interface: ({ version }) => `version ${version} is supported; the service does not state its own`,
};

/** What to do about a warning or a failure, in whole sentences; empty if no action is needed. */
const advice: Words = {
  tls: () =>
    'Ask the operator of the service to renew the certificate. After that day, nothing can be read.',
  clock: ({ signs }) =>
    signs
      ? "Set this machine's clock: V1 tokens carry its time, and the service may reject them."
      : 'Set this machine\'s clock: "today" and "yesterday" depend on it.',
  token: (facts) => {
    if (facts.scheme === 'v1') return '';
    return facts.lacks.length > 0
      ? `Ask the service to grant ${enumerate(facts.lacks)}.`
      : 'Ask the service for tokens with a longer lifetime: recon has to request new ones often.';
  },
  settlements: ({ received }) =>
    received === 0
      ? 'Look further back, for example with --days 60.'
      : 'Ask the service about the page limit. recon accepts what is returned.',
  settlement_pages: adviceOnPages,
  transaction_pages: (pages) =>
    isShort(pages)
      ? 'recon settlements reads such a list again and reports what is missing.'
      : adviceOnPages(pages),
  latency: ({ repeated }) =>
    repeated.length > 0
      ? 'Try again later. If it persists, ask the service. recon retries failed requests for a while.'
      : 'If it persists, ask the service. Requests time out after 30 seconds.',
  records: ({ unreadable }) =>
    unreadable.length > 0
      ? 'Report the record and the field to the service. recon draws no conclusion about such a settlement.'
      : 'No action needed: recon can read the data. Ask the service whether its interface has a newer version.',
  dates: ({ outside }) =>
    outside > 0
      ? "The service's day may start at a different hour than the dates suggest, so a settlement may be listed on a neighbouring day."
      : 'No action needed: dates are kept as received. The start or end of summer time may be the reason.',
  scales: ({ unusual, profile }) => {
    const each = new Map(unusual.map(({ currency, decimalPlaces }) => [currency, decimalPlaces]));
    const table = [...each].map(([currency, places]) => `${currency} = ${places}`).join(', ');
    return (
      'Ask the service whether they are correct. If they are, set expected_scales = ' +
      `{ ${table} } under [${profileTable(profile ?? 'NAME')}].`
    );
  },
  names: () =>
    'Compare these accounting tokens with those of recon settlements, or look further back with --days 60.',
  identity: ({ chosen, profile, settlements, fits, better }) => {
    const [best, ...rest] = better;
    if (best === undefined) {
      return 'Ask the service how the pay-in is calculated from gross, fees and tax, or set identity = "off".';
    }
    const fit = fits.find(({ identity }) => identity === best)?.settlements;
    const also = enumerate(rest.map(identityWords));
    const others = also && ` Also possible: ${also}.`;
    return (
      `Set identity = "${best}" under [${profileTable(profile ?? 'NAME')}] instead of ` +
      `"${chosen}": it holds for ${fit} of ${settlements}.${others}`
    );
  },
  rules: ({ rules, proposed, profile }) => {
    const lines = proposedLines(proposed, { profile: profile ?? undefined, rules });
    return `${proposed.map(proposalText).join(' ')} Add to the configuration file: ${lines.join(' ')}`;
  },
  charges: ({ scheme, refusal }) =>
    scheme === 'v2' && refusal?.cause === 'authentication'
      ? 'Settlements can still be read. Charges may need V1: try --charge-auth v1 with ' +
        'jwt_public_key and jwt_secret. If it works, set charge_auth = "v1". If not, charges may ' +
        'need a scope that was not granted: ask the service.'
      : (refusal?.hint ?? ''),
};

/** What was not found, though a check needs it. */
const needs: Readonly<Record<Exclude<MissingInput, CheckName>, string>> = {
  settlement: 'no settlement',
  charge_id: 'no row with a charge id',
  short_settlement: 'no settled settlement with all rows on one page',
  date_header: 'no answer with a Date header',
};

/** What came of the scheme that is not set, where the one that is was rejected. */
export function otherSchemeText(scheme: 'v1' | 'v2', profile = 'NAME', failure?: unknown): string {
  const name = scheme.toUpperCase();
  return failure instanceof Error
    ? `${name} was tried too: ${failure.message} Check the credentials and base_url, and ask the service which access method it takes.`
    : `The service accepts ${name}: set auth = "${scheme}" under [${profileTable(profile)}], or RECON_AUTH=${scheme}.`;
}

/** The name of a check. */
export function checkName(check: CheckName): string {
  return names[check] ?? check;
}

/** What a check found, in whole sentences. */
export function foundText(check: Checked): string {
  if (check.level === 'not_checked') return `Skipped: ${missingText(check.lacks)}.`;
  if (!('fault' in check)) return `${capitalised(said(found, check))}.`;
  const { message, where } = check.fault;
  return where === null ? message : `${message} At: ${where}`;
}

/** What to do about a check, in whole sentences; empty if no action is needed. */
export function checkAdvice(check: Checked): string {
  if (check.level === 'ok' || check.level === 'not_checked') return '';
  return 'fault' in check ? (check.fault.hint ?? '') : said(advice, check);
}

/** An earlier check that failed, or something to look at that was not found. */
function missingText(lacks: MissingInput): string {
  const isFailed = (name: string): name is CheckName => name in found;
  return isFailed(lacks) ? `${checkName(lacks)} failed` : `${needs[lacks]} found`;
}

// A check and its facts are of one name: by that the compiler finds its words.
function said<Name extends CheckName>(
  words: Words,
  { check, facts }: { check: Name; facts: CheckFacts[Name] },
): string {
  return words[check]?.(facts) ?? '';
}

function pagesText(pages: TwoPages, what: string): string {
  const { asked, received, next, repeated } = pages;
  if (received === 0) return `no ${what}s`;
  const came = `${received} of ${asked} requested ${what}s returned`;
  if (isStuck(pages)) return `${came}, and the next page repeats them`;
  const again = repeated === 0 ? '' : `; ${repeated} repeated on the next page`;
  if (isCut(pages)) return `${came} although there are more: the page limit is ${received}${again}`;
  const isLast = received < asked && !next;
  return `${came}${isLast ? ', and there are no more' : ''}: the page limit is at least ${received}${again}`;
}

function adviceOnPages(pages: TwoPages): string {
  if (isStuck(pages)) {
    return 'Ask the service about the offset: lists longer than one page cannot be read.';
  }
  if (pages.repeated > 0) return 'Ask the service why. recon reads such lists again.';
  return isCut(pages)
    ? 'No action needed: recon makes more requests. If reading takes too long, ask the service.'
    : '';
}

function zoneWords(zone: string): string {
  if (zone === '') return 'without a time zone';
  return zone.toUpperCase() === 'Z' ? 'in UTC (Z)' : `with offset ${zone}`;
}

function duration(ms: number): string {
  return ms < 1000 ? `${Math.max(ms, 1)} ms` : `${(ms / 1000).toFixed(1)} s`;
}
