import { type NewsKind, newsKinds } from '../../model/night.ts';
import { absoluteSums, type Money } from '../../money/money.ts';
import { jsonAmount, jsonSettlementKey } from '../common/json.ts';
import { enumerate, firstOf, many, moneyText, present, signedMoneyText } from '../common/phrase.ts';
import { newsCountText } from './kinds.ts';
import type { KnownDifferences, News, NightOnBank, NightReport, ProfileNight } from './report.ts';

/** How many pieces of news there are of each kind that there is. */
export function countsOf(news: readonly News[]): readonly (readonly [NewsKind, number])[] {
  return newsKinds
    .map((kind) => [kind, news.filter((one) => one.kind === kind).length] as const)
    .filter(([, count]) => count > 0);
}

/** `-4.99 EUR`. */
export function differenceText(difference: Money): string {
  return signedMoneyText(difference);
}

/** `87.80 EUR and 5.00 USD absolute`, of amounts without signs; empty where there are none. */
export function absoluteText(amounts: readonly Money[]): string {
  const texts = absoluteSums(amounts).map(moneyText);
  return texts.length === 0 ? '' : `${firstOf(texts)} absolute`;
}

/** What is new and what is known: `1 new difference, 2 moved settlements. 3 known differences, 87.80 EUR absolute.` */
export function newsSentence({ profiles }: NightReport): string {
  const counts = countsOf(profiles.flatMap(({ news }) => news)).map((one) => newsCountText(...one));
  const aside = asideText(profiles);
  const nothing = aside ? 'No news' : 'Nothing new since the last run';
  const what = counts.length === 0 ? nothing : counts.join(', ');
  const known = knownText(profiles.map((one) => one.known));
  const sum = (count: (one: ProfileNight) => number) =>
    profiles.reduce((total, one) => total + count(one), 0);
  const accepted = sum((one) => one.accepted);
  const onBank = sum(({ bank }) => bank?.known.size ?? 0);
  const days = sum(({ incompleteDays }) => incompleteDays.length);
  // A run that failed may not know any.
  const isSure = accepted === 0 && profiles.every(({ failure }) => !failure);
  const sentences = present(
    what,
    aside,
    known || (isSure && 'No known differences'),
    accepted > 0 && many(accepted, 'accepted difference'),
    onBank > 0 && `${many(onBank, 'known finding')} on the bank statements`,
    days > 0 && `${many(days, 'day')} published incomplete`,
  );
  return sentences.map((one) => `${one}.`).join(' ');
}

/** Whether there is anything to tell: news, or that nobody knows what was told before. */
export function isToBeTold({ news, stateAside }: ProfileNight): boolean {
  return news.length > 0 || stateAside !== undefined;
}

/** What has become of what was told before, where it can't be read; empty where it can. */
export function asideText(nights: readonly ProfileNight[]): string {
  const names = nights.flatMap(({ stateAside }) => stateAside ?? []);
  if (names.length === 0) return '';
  return `nightly.json is damaged and is kept as ${enumerate(names)}, so news may have been reported before`;
}

/** `3 known differences, 87.80 EUR absolute`; empty where there are none. */
export function knownText(known: readonly KnownDifferences[]): string {
  const count = known.reduce((sum, { settlements }) => sum + settlements, 0);
  const absolute = absoluteText(known.flatMap((one) => one.absolute));
  return count === 0 ? '' : present(many(count, 'known difference'), absolute).join(', ');
}

/** Whether a run failed for a reason that was told before. Where another run is at work, nothing has failed. */
export function hasFailedAgain({ failure, news }: ProfileNight): boolean {
  const isNew = news.some(({ kind }) => kind === 'failed');
  return failure !== undefined && failure.cause !== 'locked' && !isNew;
}

/** A piece of news in JSON, without its details. */
export function jsonNews(
  { id, kind, also, day, settlement }: Omit<News, 'details'>,
  { profile, names }: Pick<ProfileNight, 'profile' | 'names'>,
) {
  const { difference, codes = [] } = settlement ?? {};
  const about = settlement && {
    ...jsonSettlementKey(settlement, names),
    currency: settlement.currency ?? null,
    decimalPlaces: difference?.scale ?? null,
    difference: jsonAmount(difference?.minor, difference?.scale ?? 0),
    verdict: settlement.verdict,
    codes,
  };
  return {
    ...{ id, profile: profile ?? null, kind, also },
    ...{ day: day ?? null, settlement: about ?? null },
  };
}

/** An amount that stands alone, in JSON. */
export function jsonSum({ currency, minor, scale }: Money) {
  return { currency, decimalPlaces: scale, ...jsonAmount(minor, scale) };
}

/** What is not as expected on the bank statements, in JSON. */
export function jsonBankCounts({ missing, differences, unknown }: NightOnBank) {
  return { missing, differences, unknown: unknown.size };
}

/** How the night of a profile ended, as all that is written in JSON begins. */
export function jsonEnding({ profile, verdict, exitCode, publishedTo, lagDays }: ProfileNight) {
  return {
    ...{ profile: profile ?? null, verdict, exitCode },
    ...{ publishedTo: publishedTo ?? null, lagDays: lagDays ?? null },
  };
}
