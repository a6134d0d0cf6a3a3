import type { Checked, CheckFacts, CheckName, Lack, TwoPages } from '../../doctor/check.ts';
import { isCut, isShort, isStuck } from '../../doctor/checks/pages.ts';
import { capitalised, enumerate, firstOf, many, withoutStop } from '../common/phrase.ts';
import { unusualScaleTexts } from '../common/scale-words.ts';
import { identityWords, oddAnswersText, unreadableText } from '../common/words.ts';
import { checkWords } from './report.ts';

type Sentences = { readonly [Name in CheckName]: (facts: CheckFacts[Name]) => string };

/** What was found, once for every check: a sentence but for its capital letter and its full stop. */
const sentences: Sentences = {
  configuration: ({ profile, file, sandbox }) => {
    if (sandbox !== null) return `all that the sandbox needs; its scenario is ${sandbox}`;
    const place = profile === null ? 'no profile' : `profile ${profile} in ${file}`;
    return `all that is needed is set (${place})`;
  },
  proxy: ({ proxy, used }) => {
    if (proxy === null) return 'none is set';
    const named = `${proxy.origin} (${proxy.variable})`;
    return used ? `through ${named}` : `not through ${named}: these hosts are exempt`;
  },
  address: ({ hosts }) => {
    if (hosts.length === 0) return 'answered by the sandbox, on this machine';
    const named = (isMeant: boolean) =>
      enumerate(
        hosts
          .filter(({ answered }) => answered === isMeant)
          .map(({ setting, url }) => `${url} (${setting})`),
      );
    const [answered, silent] = [named(true), named(false)];
    return `answered at ${answered}${silent && `; not asked: ${silent}`}`;
  },
  tls: ({ certificates }) => {
    if (certificates.length === 0) return 'none: plain HTTP, which stays on this machine';
    const each = certificates.map(
      ({ host, issuer, expiresAt, daysLeft, protocol }) =>
        `${host}: until ${expiresAt.slice(0, 10)}, ${many(daysLeft, 'day')} from now ` +
        `(by ${issuer || 'nobody named'}; ${protocol})`,
    );
    return `trusted; ${each.join('; ')}`;
  },
  clock: ({ aheadSeconds }) => {
    if (aheadSeconds === 0) return "the same as the service's, to the second";
    const direction = aheadSeconds > 0 ? 'ahead of' : 'behind';
    return `${many(Math.abs(aheadSeconds), 'second')} ${direction} the service's, by the Date of its answers`;
  },
  token: (facts) => {
    if (facts.scheme === 'v1') return 'V1: each request is signed with a token of its own';
    const { seconds, scopes } = facts;
    const life = seconds === null ? 'of no named life' : `lives ${many(seconds, 'second')}`;
    return `V2: ${life}; scopes: ${scopes ? enumerate(scopes) || 'none' : 'not named'}`;
  },
  settlements: ({ from, to, asked, received }) => {
    const range = from === to ? `of ${from}` : `of ${from} to ${to}`;
    if (received === 0) return `there is none ${range}`;
    return received === asked
      ? `a page of one came, ${range}`
      : `${received} came where one was asked for, ${range}`;
  },
  settlement_pages: (pages) => pagesText(pages, 'settlement'),
  transaction_pages: (pages) => {
    const { received, announced, settlementId } = pages;
    return isShort(pages)
      ? `${received} came of the ${announced} that are announced, and no more (settlement ${settlementId})`
      : pagesText(pages, 'transaction');
  },
  latency: ({ answers, medianMs, slowestMs, repeated }) => {
    const times =
      answers === 1
        ? `1 answer, after ${duration(slowestMs)}`
        : `${answers} answers, half of them within ${duration(medianMs)}, the slowest after ${duration(slowestMs)}`;
    if (repeated.length === 0) return times;
    const reasons = [...new Set(repeated.map(withoutStop))];
    return `${times}; ${many(repeated.length, 'request')} had to be repeated: ${firstOf(reasons)}`;
  },
  records: ({ settlements, transactions, unreadable, unknownFields, oddAnswers }) => {
    const read = `${many(settlements, 'settlement')} and ${many(transactions, 'transaction')} looked at`;
    const unknown = unknownFields.map(({ record, fields }) => `${firstOf(fields)} (${record})`);
    return [
      read,
      ...(unreadable.length === 0
        ? []
        : [`can't be read: ${unreadableText(unreadable, unreadable.length)}`]),
      ...(unknown.length === 0 ? [] : [`fields that the document lacks: ${unknown.join(', ')}`]),
      ...(oddAnswers.length === 0 ? [] : [`not as documented: ${oddAnswersText(oddAnswers)}`]),
    ].join('; ');
  },
  dates: ({ settlements, zones, outside }) => {
    const all = `${many(settlements, 'settlement')}, written`;
    const [zone] = zones;
    const written =
      zones.length === 1 && zone
        ? `${all} ${zoneWords(zone.zone)}`
        : `${all} differently: ${enumerate(zones.map((one) => `${one.settlements} ${zoneWords(one.zone)}`))}`;
    return outside === 0 ? written : `${written}; ${outside} dated outside the days asked for`;
  },
  scales: ({ settlements, unusual }) =>
    unusual.length === 0
      ? `those of the currency, in ${many(settlements, 'settlement')}`
      : unusualScaleTexts(unusual).join('; '),
  identity: ({ chosen, settlements, fits }) => {
    if (chosen === 'off') return 'off: no pay-in is computed';
    const fit = fits.find(({ identity }) => identity === chosen)?.settlements ?? 0;
    return `pay-in = ${identityWords(chosen)} holds on ${fit} of ${many(settlements, 'settlement')}`;
  },
  charges: ({ scheme, chargeId, refusal }) => {
    const name = scheme.toUpperCase();
    if (!refusal) return `charges accept ${name} (charge ${chargeId})`;
    return refusal.cause === 'not_found'
      ? `${name} is asked with, and the charge of a row can't be read (${chargeId}): ${withoutStop(refusal.message)}`
      : `charges refuse ${name} (charge ${chargeId}): ${withoutStop(refusal.message)}`;
  },
  interface: ({ version }) =>
    `version ${version} is what recon follows; the service does not tell its own`,
};

const lackWords: Readonly<Record<Lack, string>> = {
  ...checkWords,
  settlement: 'a settlement',
  charge_id: 'a row that names a charge',
  date_header: 'an answer with a Date',
};

/** What a check found, in whole sentences. */
export function foundText(check: Checked): string {
  if (check.level === 'not_checked') return notCheckedText(check.lacks);
  if (!('fault' in check)) return `${capitalised(sentenceOf(check))}.`;
  const { message, where } = check.fault;
  return where === null ? message : `${message} At: ${where}`;
}

function notCheckedText(lacks: Lack): string {
  return lacks in checkWords
    ? `Not without ${lackWords[lacks]}, which failed.`
    : `It takes ${lackWords[lacks]}, and there is none.`;
}

function sentenceOf<Name extends CheckName>(check: {
  check: Name;
  facts: CheckFacts[Name];
}): string {
  return sentences[check.check](check.facts);
}

function pagesText(pages: TwoPages, what: string): string {
  const { asked, received, next, repeated } = pages;
  if (received === 0) return `there are no ${what}s`;
  const came = `${many(received, what)} came of ${asked} asked for`;
  if (isStuck(pages)) return `${came}, and the next page has the same ones`;
  const again = repeated === 0 ? '' : `; ${repeated} came again on the next page`;
  if (isCut(pages)) return `${came}, though there are more: the maximum is ${received}${again}`;
  return received < asked && !next
    ? `${came}, which are all: the maximum is at least ${received}`
    : `${came}: the maximum is at least ${received}${again}`;
}

function zoneWords(zone: string): string {
  if (zone === '') return 'without a zone';
  return zone.toUpperCase() === 'Z' ? 'in UTC (Z)' : `with ${zone}`;
}

function duration(ms: number): string {
  return ms < 1000 ? `${Math.max(ms, 1)} ms` : `${(ms / 1000).toFixed(1)} s`;
}
