import type { News, NightOnBank, ProfileNight } from '../../app/night-result.ts';
import { countsOf, isKnownFailure, verdictOfNight } from '../../app/night-result.ts';
import type { FailureCause } from '../../base/errors.ts';
import { cut } from '../../base/texts.ts';
import { isUuid } from '../../base/uuid.ts';
import { type NewsKind, newsKinds } from '../../model/night.ts';
import type { Money } from '../../money/money.ts';
import { jsonRecord, jsonSum } from '../common/json.ts';
import { enumerate, many, moneyText, present, signedMoneyText } from '../common/phrase.ts';
import { schema } from '../common/view.ts';
import {
  absoluteText,
  damagedStateText,
  jsonEnding,
  jsonNews,
  knownText,
  newsCountText,
  newsWords,
  overchargesOf,
} from './words.ts';

const mostItems = 100;
const mostLines = 20;
const mostNamed = 3;
const longestName = 60;

/** Why a run failed, without texts of the service or the machine. */
const failureWords: Readonly<Record<FailureCause, string>> = {
  usage: 'wrong usage',
  configuration: 'wrong configuration',
  authentication: 'the service rejects the credentials or denies access',
  network: 'the connection to the service failed',
  service: 'the service returned an error or unreadable data',
  not_found: 'a record was not found',
  output: 'the files could not be written',
  locked: 'another run is writing to the same folder',
  damaged: 'exported files are damaged',
  bug: 'a bug in recon',
};

type NewsOfProfile = News & { readonly of: ProfileNight };

/**
 * The JSON document for `notify_url`, described in docs/notification.md. It has no text of the service:
 * ids that are not UUIDs, and currencies that are not three capital letters, are null. So `text` cannot
 * mention a person or contain a reference.
 */
export function notification(nights: readonly ProfileNight[]): object {
  const all = nights.flatMap((of) => of.news.map((one): NewsOfProfile => ({ ...one, of })));
  const news = newsKinds.flatMap((kind) => all.filter((one) => one.kind === kind));
  return jsonRecord({
    schema,
    event: 'recon.nightly',
    text: escapedForSlack(textOf(nights, news)),
    verdict: verdictOfNight(nights),
    profiles: nights.map(jsonNight),
    news: news.slice(0, mostItems).map(jsonSafeNews),
    more: Math.max(0, news.length - mostItems),
  });
}

function jsonNight(night: ProfileNight) {
  const { known, pending, overdue } = night;
  return {
    ...jsonEnding(night),
    news: Object.fromEntries(countsOf(night.news)),
    known: {
      settlements: known.settlements,
      absolute: known.absolute.slice(0, mostItems).map((one) => ({
        ...jsonSum(one),
        currency: safeCurrency(one.currency),
      })),
    },
    pending,
    overdue,
    ...(night.stateKeptAs !== undefined && { stateDamaged: true }),
    ...(night.bank && { bank: jsonBank(night.bank) }),
    failure: night.failure?.cause,
  };
}

function jsonBank({ missing, differences, unknown }: NightOnBank) {
  return { missing, differences, unknown: unknown.size };
}

/** News without texts of the service. */
function jsonSafeNews({ of, ...one }: NewsOfProfile) {
  const { settlement, ...news } = jsonNews(one, of);
  const safe = {
    id: safeId(one.settlement?.id),
    accountingToken: safeId(one.settlement?.accountingToken),
    currency: safeCurrency(one.settlement?.currency),
  };
  const [received] = safeAmounts(one.received ? [one.received] : []);
  return {
    ...news,
    settlement: settlement && { ...settlement, ...safe },
    received: received && jsonSum(received),
  };
}

function textOf(nights: readonly ProfileNight[], news: readonly NewsOfProfile[]): string {
  // Two lines are for the conclusion and the number of further items.
  const shown = news.length < mostLines ? news.length : mostLines - 2;
  const rest = news.length - shown;
  return [
    conclusion(nights, news),
    ...news.slice(0, shown).map((one) => `• ${newsLine(one, nights.length > 1)}`),
    ...present(rest > 0 && `${many(rest, 'more item')} in the report of recon nightly.`),
  ].join('\n');
}

/** `Nightly settlements: 2 new differences, -4.99 EUR and +5.00 EUR. 3 known differences, 87.80 EUR absolute.` */
function conclusion(nights: readonly ProfileNight[], news: readonly NewsOfProfile[]): string {
  const sum = (count: (night: ProfileNight) => number) =>
    nights.reduce((total, night) => total + count(night), 0);
  const [pending, overdue] = [sum((night) => night.pending), sum((night) => night.overdue)];
  const missing = sum(({ lagDays = 0 }) => lagDays);
  const stillFailing = nights.filter(isKnownFailure).length;
  const whose = nights.length > 1 ? many(nights.length, 'profile') : nameText(nights[0]);
  const counts = countsOf(news).map(([kind, count]) => countText(kind, count, news));
  const sentences = present(
    `${present('Nightly settlements', whose).join(' of ')}: ${counts.join('; ') || 'nothing new'}`,
    damagedStateText(nights),
    stillFailing > 0 && `${many(stillFailing, 'run')} failed again for a known reason`,
    knownText(nights.map(({ known }) => ({ ...known, absolute: safeAmounts(known.absolute) }))),
    pending > 0 && `${pending} pending${overdue > 0 ? ` (${overdue} overdue)` : ''}`,
    missing > 0 && `${many(missing, 'day')} not published`,
  );
  return sentences.map((one) => `${one}.`).join(' ');
}

function countText(kind: NewsKind, count: number, news: readonly NewsOfProfile[]): string {
  const words = newsCountText(kind, count);
  if (kind === 'overcharged') {
    return present(words, ...safeAmounts(overchargesOf(news)).map(moneyText)).join(', ');
  }
  if (kind !== 'out_of_balance') return words;
  const differences = safeAmounts(
    news.flatMap((one) => (one.kind === kind && one.settlement?.difference) || []),
  );
  const amounts =
    count <= mostNamed ? enumerate(differences.map(signedMoneyText)) : absoluteText(differences);
  return present(words, amounts).join(', ');
}

/** `Out of balance: 2026-03-09, 40487b05-d8e9-53d8-80c1-657d847ec834, -4.99 EUR`. */
function newsLine(
  { kind, also, day, settlement, of }: NewsOfProfile,
  isOneOfSeveral: boolean,
): string {
  const words = [kind, ...also].map(newsWords);
  const isOpen = settlement?.verdict === 'out_of_balance' || kind === 'bank_difference';
  const about = present(
    kind === 'failed' && of.failure && failureWords[of.failure.cause],
    day,
    safeId(settlement?.id),
    settlement?.overdue && many(settlement.overdue.facts.days, 'day'),
    ...safeAmounts(settlement?.overdue ? [settlement.overdue.facts.payIn] : []).map(moneyText),
    ...safeAmounts(isOpen && settlement?.difference ? [settlement.difference] : []).map(
      signedMoneyText,
    ),
  );
  const name = isOneOfSeveral && nameText(of);
  return present(name, words.join(', '), about.join(', ')).join(': ');
}

function nameText({ profile = '' }: Partial<ProfileNight> = {}): string {
  return cut(profile.replace(/\s+/g, ' '), longestName);
}

function safeId(id = ''): string | undefined {
  return isUuid(id.toLowerCase()) ? id : undefined;
}

function safeCurrency(currency = ''): string | undefined {
  return /^[A-Z]{3}$/.test(currency) ? currency : undefined;
}

function safeAmounts(amounts: readonly Money[]): readonly Money[] {
  return amounts.filter(({ currency }) => safeCurrency(currency) !== undefined);
}

/** Escapes the characters that begin mentions and links in Slack. */
function escapedForSlack(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
