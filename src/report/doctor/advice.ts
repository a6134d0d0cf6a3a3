import { isCut, isShort, isStuck } from '../../doctor/checks/pages.ts';
import type { Checked, CheckFacts, CheckName } from '../../doctor/checks.ts';
import { enumerate } from '../common/phrase.ts';
import { identityWords } from '../common/words.ts';

type Advices = { readonly [Name in CheckName]?: (facts: CheckFacts[Name]) => string };

const aboutPages = (pages: CheckFacts['settlement_pages']): string => {
  if (isStuck(pages)) {
    return 'Ask the service about the offset: a list of more than one page can not be read.';
  }
  if (pages.repeated > 0) return 'recon reads such lists again. Ask the service why.';
  return isCut(pages)
    ? 'Nothing: recon goes by what it gets, with more requests. If reading takes long, ask the service.'
    : '';
};

/** What to do, in whole sentences; where nothing is to be done, nothing. */
const advices: Advices = {
  tls: () =>
    'Ask whoever runs the service for a new certificate: nothing can be read after that day.',
  clock: ({ signs }) =>
    signs
      ? "Set this machine's clock: tokens of V1 carry its time, and others may be refused."
      : "Set this machine's clock: today and yesterday are by it.",
  token: (facts) => {
    if (facts.scheme === 'v1') return '';
    return facts.lacks.length > 0
      ? `Ask the service to grant ${enumerate(facts.lacks)}.`
      : 'Ask the service for tokens that live longer: recon gets another one each time.';
  },
  settlements: ({ received }) =>
    received === 0
      ? 'Look further back, for example with --days 60.'
      : 'Ask the service about the limit. recon takes what comes.',
  settlement_pages: aboutPages,
  transaction_pages: (pages) =>
    isShort(pages)
      ? 'recon settlements reads such a list again, and says what is missing.'
      : aboutPages(pages),
  latency: ({ repeated }) =>
    repeated.length > 0
      ? 'Try again later. If it stays, ask the service; recon repeats what fails for a while.'
      : 'Ask the service if it stays. A request is given up after 30 seconds.',
  records: ({ unreadable }) =>
    unreadable.length > 0
      ? 'Report record and field to the service: nothing is concluded about such a settlement.'
      : 'Nothing: recon reads the data all the same. Ask the service whether its interface has a newer version.',
  dates: ({ outside }) =>
    outside > 0
      ? "Mind that the service's day begins at another hour than the written dates: a day may be listed with its neighbour."
      : 'Nothing: dates are kept as they are written. A change of the clocks may be the reason.',
  scales: ({ unusual, profile }) => {
    const each = new Map(unusual.map(({ currency, decimalPlaces }) => [currency, decimalPlaces]));
    const table = [...each].map(([currency, places]) => `${currency} = ${places}`).join(', ');
    return (
      'Ask the service whether they are right. If they are, write expected_scales = ' +
      `{ ${table} } under [profiles.${profile ?? 'NAME'}].`
    );
  },
  identity: ({ chosen, profile, settlements, fits, better }) => {
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
  charges: ({ scheme, refusal }) =>
    scheme === 'v2' && refusal?.cause === 'authentication'
      ? 'Settlements can be read all the same. Charges may take V1: try --charge-auth v1, with ' +
        'jwt_public_key and jwt_secret, and write charge_auth = "v1" if that is it. Or they take ' +
        'a scope that was not granted: ask the service.'
      : (refusal?.hint ?? ''),
};

/** What to do about a check, if there is anything. */
export function checkAdvice(check: Checked): string {
  if (check.level === 'ok' || check.level === 'not_checked') return '';
  return 'fault' in check ? (check.fault.hint ?? '') : adviceOf(check);
}

function adviceOf<Name extends CheckName>(check: { check: Name; facts: CheckFacts[Name] }): string {
  return advices[check.check]?.(check.facts) ?? '';
}
