import { isCut, isShort, isStuck, type TwoPages } from '../../doctor/checks/pages.ts';
import type { Checked, CheckFacts, CheckName, Lack } from '../../doctor/checks.ts';
import { capitalised, enumerate, firstOf, many, withoutStop } from '../common/phrase.ts';
import { unusualScaleTexts } from '../common/scale-words.ts';
import { identityWords, oddAnswersText, unreadableText } from '../common/words.ts';

/** What is said about a check. */
interface CheckWords<Facts> {
  /** The check's name, where it isn't its key. */
  readonly name?: string;
  /** What was found: a sentence but for its capital letter and its full stop. */
  found(facts: Facts): string;
  /** What to do about a warning or a failure, in whole sentences; empty where nothing is to be done. */
  advice?(facts: Facts): string;
}

const words: { readonly [Name in CheckName]: CheckWords<CheckFacts[Name]> } = {
  configuration: {
    found: ({ profile, file, sandbox }) => {
      if (sandbox !== null) return `all that the sandbox needs; its scenario is ${sandbox}`;
      const place = profile === null ? 'no profile' : `profile ${profile} in ${file}`;
      return `all that is needed is set (${place})`;
    },
  },
  proxy: {
    found: ({ proxy, used }) => {
      if (proxy === null) return 'none is set';
      const named = `${proxy.origin} (${proxy.variable})`;
      return used ? `through ${named}` : `not through ${named}: these hosts are exempt`;
    },
  },
  address: {
    found: ({ hosts }) => {
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
  },
  tls: {
    name: 'TLS',
    found: ({ certificates }) => {
      if (certificates.length === 0) return 'none: plain HTTP, which stays on this machine';
      const each = certificates.map(
        ({ host, issuer, expiresAt, daysLeft, protocol }) =>
          `${host}: until ${expiresAt.slice(0, 10)}, ${many(daysLeft, 'day')} from now ` +
          `(by ${issuer || 'nobody named'}; ${protocol})`,
      );
      return `trusted; ${each.join('; ')}`;
    },
    advice: () =>
      'Ask whoever runs the service for a new certificate: nothing can be read after that day.',
  },
  clock: {
    found: ({ aheadSeconds }) => {
      if (aheadSeconds === 0) return "the same as the service's, to the second";
      const direction = aheadSeconds > 0 ? 'ahead of' : 'behind';
      return `${many(Math.abs(aheadSeconds), 'second')} ${direction} the service's, by the Date of its answers`;
    },
    advice: ({ signs }) =>
      signs
        ? "Set this machine's clock: tokens of V1 carry its time, and others may be refused."
        : "Set this machine's clock: today and yesterday are by it.",
  },
  token: {
    found: (facts) => {
      if (facts.scheme === 'v1') return 'V1: each request is signed with a token of its own';
      const { seconds, scopes } = facts;
      const life = seconds === null ? 'of no named life' : `lives ${many(seconds, 'second')}`;
      return `V2: ${life}; scopes: ${scopes ? enumerate(scopes) || 'none' : 'not named'}`;
    },
    advice: (facts) => {
      if (facts.scheme === 'v1') return '';
      return facts.lacks.length > 0
        ? `Ask the service to grant ${enumerate(facts.lacks)}.`
        : 'Ask the service for tokens that live longer: recon gets another one each time.';
    },
  },
  settlements: {
    found: ({ from, to, asked, received }) => {
      const range = from === to ? `of ${from}` : `of ${from} to ${to}`;
      if (received === 0) return `there is none ${range}`;
      return received === asked
        ? `a page of one came, ${range}`
        : `${received} came where one was asked for, ${range}`;
    },
    advice: ({ received }) =>
      received === 0
        ? 'Look further back, for example with --days 60.'
        : 'Ask the service about the limit. recon takes what comes.',
  },
  settlement_pages: {
    name: 'pages of settlements',
    found: (pages) => pagesText(pages, 'settlement'),
    advice: adviceOnPages,
  },
  transaction_pages: {
    name: 'pages of transactions',
    found: (pages) => {
      const { received, announced, settlementId } = pages;
      return isShort(pages)
        ? `${received} came of the ${announced} that are announced, and no more (settlement ${settlementId})`
        : pagesText(pages, 'transaction');
    },
    advice: (pages) =>
      isShort(pages)
        ? 'recon settlements reads such a list again, and says what is missing.'
        : adviceOnPages(pages),
  },
  latency: {
    found: ({ answers, medianMs, slowestMs, repeated }) => {
      const times =
        answers === 1
          ? `1 answer, after ${duration(slowestMs)}`
          : `${answers} answers, half of them within ${duration(medianMs)}, the slowest after ${duration(slowestMs)}`;
      if (repeated.length === 0) return times;
      const reasons = [...new Set(repeated.map(withoutStop))];
      return `${times}; ${many(repeated.length, 'request')} had to be repeated: ${firstOf(reasons)}`;
    },
    advice: ({ repeated }) =>
      repeated.length > 0
        ? 'Try again later. If it stays, ask the service; recon repeats what fails for a while.'
        : 'Ask the service if it stays. A request is given up after 30 seconds.',
  },
  records: {
    found: ({ settlements, transactions, unreadable, unknownFields, oddAnswers }) => {
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
    advice: ({ unreadable }) =>
      unreadable.length > 0
        ? 'Report record and field to the service: nothing is concluded about such a settlement.'
        : 'Nothing: recon reads the data all the same. Ask the service whether its interface has a newer version.',
  },
  dates: {
    found: ({ settlements, zones, outside }) => {
      const all = `${many(settlements, 'settlement')}, written`;
      const [zone] = zones;
      const written =
        zones.length === 1 && zone
          ? `${all} ${zoneWords(zone.zone)}`
          : `${all} differently: ${enumerate(zones.map((one) => `${one.settlements} ${zoneWords(one.zone)}`))}`;
      return outside === 0 ? written : `${written}; ${outside} dated outside the days asked for`;
    },
    advice: ({ outside }) =>
      outside > 0
        ? "Mind that the service's day begins at another hour than the written dates: a day may be listed with its neighbour."
        : 'Nothing: dates are kept as they are written. A change of the clocks may be the reason.',
  },
  scales: {
    name: 'decimal places',
    found: ({ settlements, unusual }) =>
      unusual.length === 0
        ? `those of the currency, in ${many(settlements, 'settlement')}`
        : unusualScaleTexts(unusual).join('; '),
    advice: ({ unusual, profile }) => {
      const each = new Map(unusual.map(({ currency, decimalPlaces }) => [currency, decimalPlaces]));
      const table = [...each].map(([currency, places]) => `${currency} = ${places}`).join(', ');
      return (
        'Ask the service whether they are right. If they are, write expected_scales = ' +
        `{ ${table} } under [profiles.${profile ?? 'NAME'}].`
      );
    },
  },
  identity: {
    found: ({ chosen, settlements, fits }) => {
      if (chosen === 'off') return 'off: no pay-in is computed';
      const fit = fits.find(({ identity }) => identity === chosen)?.settlements ?? 0;
      return `pay-in = ${identityWords(chosen)} holds on ${fit} of ${many(settlements, 'settlement')}`;
    },
    advice: ({ chosen, profile, settlements, fits, better }) => {
      const [best] = better;
      if (best === undefined) {
        return 'Ask the service how pay-in follows from gross, fees and tax, or set identity = "off".';
      }
      const fit = fits.find(({ identity }) => identity === best)?.settlements;
      const others =
        better.length === 1 ? '' : ` So does ${enumerate(better.slice(1).map(identityWords))}.`;
      return (
        `Write identity = "${best}" under [profiles.${profile ?? 'NAME'}] in the place of ` +
        `"${chosen}": it holds on ${fit} of ${settlements}.${others}`
      );
    },
  },
  charges: {
    found: ({ scheme, chargeId, refusal }) => {
      const name = scheme.toUpperCase();
      if (!refusal) return `charges accept ${name} (charge ${chargeId})`;
      return refusal.cause === 'not_found'
        ? `${name} is asked with, and the charge of a row can't be read (${chargeId}): ${withoutStop(refusal.message)}`
        : `charges refuse ${name} (charge ${chargeId}): ${withoutStop(refusal.message)}`;
    },
    advice: ({ scheme, refusal }) =>
      scheme === 'v2' && refusal?.cause === 'authentication'
        ? 'Settlements can be read all the same. Charges may take V1: try --charge-auth v1, with ' +
          'jwt_public_key and jwt_secret, and write charge_auth = "v1" if that is it. Or they take ' +
          'a scope that was not granted: ask the service.'
        : (refusal?.hint ?? ''),
  },
  interface: {
    found: ({ version }) =>
      `version ${version} is what recon follows; the service does not tell its own`,
  },
};

/** What a check may need beside the checks before it. */
const needs: Readonly<Record<Exclude<Lack, CheckName>, string>> = {
  settlement: 'a settlement',
  charge_id: 'a row that names a charge',
  date_header: 'an answer with a Date',
};

/** The name of a check. */
export function checkName(check: CheckName): string {
  return words[check].name ?? check;
}

/** What a check found, in whole sentences. */
export function foundText(check: Checked): string {
  if (check.level === 'not_checked') return notCheckedText(check.lacks);
  if (!('fault' in check)) return `${capitalised(foundBy(check))}.`;
  const { message, where } = check.fault;
  return where === null ? message : `${message} At: ${where}`;
}

/** What to do about a check, in whole sentences; empty where nothing is to be done. */
export function checkAdvice(check: Checked): string {
  if (check.level === 'ok' || check.level === 'not_checked') return '';
  return 'fault' in check ? (check.fault.hint ?? '') : adviceOn(check);
}

function notCheckedText(lacks: Lack): string {
  return isCheck(lacks)
    ? `Not without ${checkName(lacks)}, which failed.`
    : `It takes ${needs[lacks]}, and there is none.`;
}

function isCheck(lacks: Lack): lacks is CheckName {
  return lacks in words;
}

/** A check that came to something, in the one form by which the compiler finds its words. */
interface FoundBy<Name extends CheckName> {
  readonly check: Name;
  readonly facts: CheckFacts[Name];
}

function foundBy<Name extends CheckName>({ check, facts }: FoundBy<Name>): string {
  return words[check].found(facts);
}

function adviceOn<Name extends CheckName>({ check, facts }: FoundBy<Name>): string {
  return words[check].advice?.(facts) ?? '';
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

function adviceOnPages(pages: TwoPages): string {
  if (isStuck(pages)) {
    return 'Ask the service about the offset: a list of more than one page can not be read.';
  }
  if (pages.repeated > 0) return 'recon reads such lists again. Ask the service why.';
  return isCut(pages)
    ? 'Nothing: recon goes by what it gets, with more requests. If reading takes long, ask the service.'
    : '';
}

function zoneWords(zone: string): string {
  if (zone === '') return 'without a zone';
  return zone.toUpperCase() === 'Z' ? 'in UTC (Z)' : `with ${zone}`;
}

function duration(ms: number): string {
  return ms < 1000 ? `${Math.max(ms, 1)} ms` : `${(ms / 1000).toFixed(1)} s`;
}
