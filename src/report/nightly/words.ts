import { absoluteSums, type Money } from '../../money/money.ts';
import { digitsOf, firstOf, many, present } from '../common/phrase.ts';
import type { Tone } from '../common/view.ts';
import type { SettlementRestatement } from '../export/report.ts';
import { changeClauses } from '../export/words.ts';
import {
  type DayReason,
  type KnownDifferences,
  type News,
  type NewsKind,
  type NightReport,
  newsKinds,
  type ProfileNight,
} from './report.ts';

export const newsWords: Readonly<Record<NewsKind, string>> = {
  failed: 'Run failed',
  unread_day: 'Day not read',
  out_of_balance: 'Out of balance',
  acceptance: 'No longer accepted',
  changed: 'Difference changed',
  overdue: 'Overdue',
  gone: 'No longer listed',
  moved: 'Moved',
  restated: 'Restated',
  settled: 'Settled',
  balanced: 'Now balanced',
  read_day: 'Day now read',
};

/** How much is new of a kind: one piece of news, and several. */
const countWords: Readonly<Record<NewsKind, readonly [one: string, several: string]>> = {
  failed: ['failed run', 'failed runs'],
  unread_day: ['day not read', 'days not read'],
  out_of_balance: ['new difference', 'new differences'],
  acceptance: ['difference no longer accepted', 'differences no longer accepted'],
  changed: ['changed difference', 'changed differences'],
  overdue: ['overdue settlement', 'overdue settlements'],
  gone: ['settlement no longer listed', 'settlements no longer listed'],
  moved: ['moved settlement', 'moved settlements'],
  restated: ['restatement', 'restatements'],
  settled: ['pending settlement now balanced', 'pending settlements now balanced'],
  balanced: ['settlement now balanced', 'settlements now balanced'],
  read_day: ['day now read', 'days now read'],
};

export const newsTones: Readonly<Record<NewsKind, Tone>> = {
  failed: 'bad',
  unread_day: 'unsure',
  out_of_balance: 'bad',
  acceptance: 'bad',
  changed: 'bad',
  overdue: 'unsure',
  gone: 'unsure',
  moved: 'plain',
  restated: 'plain',
  settled: 'plain',
  balanced: 'plain',
  read_day: 'plain',
};

export const reasonWords: Readonly<Record<DayReason, string>> = {
  new: 'new',
  missing: 'missing',
  unread: 'not read last time',
  incomplete: 'published incomplete',
  damaged: 'files were altered',
  recent: 'may be restated',
  pending: 'had a pending settlement',
  moved: 'a settlement has moved',
};

/** How many pieces of news there are of each kind that there is. */
export function countsOf(news: readonly News[]): readonly (readonly [NewsKind, number])[] {
  return newsKinds
    .map((kind) => [kind, news.filter((one) => one.kind === kind).length] as const)
    .filter(([, count]) => count > 0);
}

/** `2 new differences`. */
export function newsCountText(kind: NewsKind, count: number): string {
  return many(count, ...countWords[kind]);
}

/** `EUR 87.80 and USD 5.00 absolute`, of amounts without signs; empty where there are none. */
export function absoluteText(amounts: readonly Money[]): string {
  const texts = absoluteSums(amounts).map((sum) => `${sum.currency} ${digitsOf(sum)}`);
  return texts.length === 0 ? '' : `${firstOf(texts)} absolute`;
}

/** What is new and what is known: `1 new difference, 2 moved settlements. 3 known differences, EUR 87.80 absolute.` */
export function newsSentence({ profiles }: NightReport): string {
  const counts = countsOf(profiles.flatMap(({ news }) => news)).map((one) => newsCountText(...one));
  const what = counts.length === 0 ? 'Nothing new since the last run' : counts.join(', ');
  const known = knownText(profiles.map((one) => one.known));
  const sum = (count: (one: ProfileNight) => number) =>
    profiles.reduce((total, one) => total + count(one), 0);
  const accepted = sum((one) => one.accepted);
  const days = sum(({ incompleteDays }) => incompleteDays.length);
  // A run that failed may not know any.
  const isSure = accepted === 0 && profiles.every(({ failure }) => !failure);
  const sentences = present(
    what,
    known || (isSure && 'No known differences'),
    accepted > 0 && many(accepted, 'accepted difference'),
    days > 0 && `${many(days, 'day')} published incomplete`,
  );
  return sentences.map((one) => `${one}.`).join(' ');
}

/** `3 known differences, EUR 87.80 absolute`; empty where there are none. */
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

/** Where a settlement has gone, as a sentence. */
export function movedText({ from, to }: { readonly from: string; readonly to: string }): string {
  return to === 'gone'
    ? `The service no longer lists it on ${from}.`
    : `The service moved it from ${from} to ${to}.`;
}

/** Settlements that left a day, as a sentence, where nobody knows to which one. */
export function lostText(ids: readonly string[]): string {
  const are = ids.length === 1 ? 'is no longer listed, and its' : 'are no longer listed, and their';
  return `${many(ids.length, 'settlement')} ${are} new day could not be found: ${firstOf(ids)}.`;
}

/** What the service has changed in a settlement, as a sentence. */
export function restatedText(restatement: SettlementRestatement): string {
  return `Restated: ${changeClauses(restatement)}.`;
}

/** What there is to say of a day that was restated, where the version before is lost. */
export const unknownChange =
  'The earlier version is no longer in the folder, so what has changed is not known.';
