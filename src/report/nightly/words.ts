import { absoluteSums, type Money } from '../../money/money.ts';
import { alarm, plain, unsure } from '../common/blocks.ts';
import { digitsOf, firstOf, many, present, signedDigitsOf } from '../common/phrase.ts';
import type { Remark } from '../common/view.ts';
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

type Told = readonly [
  remark: (text: string) => Remark,
  words: string,
  counted: string,
  further?: string,
];

const change = (text: string) => plain(text, '~');

/** How loud news of each kind is, what it is called by itself, and how it is counted. */
const told: Readonly<Record<NewsKind, Told>> = {
  failed: [alarm, 'Run failed', 'failed run'],
  unread_day: [unsure, 'Day not read', 'day', ' not read'],
  out_of_balance: [alarm, 'Out of balance', 'new difference'],
  acceptance: [alarm, 'No longer accepted', 'difference', ' no longer accepted'],
  changed: [alarm, 'Difference changed', 'changed difference'],
  statements: [unsure, 'Bank statements', 'problem', ' with bank statements'],
  missing_on_bank: [alarm, 'Missing pay-out', 'missing pay-out'],
  bank_difference: [alarm, 'Bank difference', 'new bank difference'],
  returned_by_bank: [alarm, 'Returned by the bank', 'pay-out', ' returned by the bank'],
  unknown_on_bank: [alarm, 'Unknown to the service', 'payment', ' unknown to the service'],
  on_bank: [change, 'Now on the statements', 'pay-out', ' now on the bank statements'],
  overdue: [unsure, 'Overdue', 'overdue settlement'],
  gone: [unsure, 'No longer listed', 'settlement', ' no longer listed'],
  moved: [change, 'Moved', 'moved settlement'],
  restated: [change, 'Restated', 'restatement'],
  settled: [change, 'Settled', 'pending settlement', ' now balanced'],
  balanced: [change, 'Now balanced', 'settlement', ' now balanced'],
  read_day: [change, 'Day now read', 'day', ' now read'],
};

/** A remark on news of a kind, as loud as it is. */
export function newsRemark(kind: NewsKind, text: string): Remark {
  return told[kind][0](text);
}

/** `No longer accepted`. */
export function newsWords(kind: NewsKind): string {
  return told[kind][1];
}

export const reasonWords: Readonly<Record<DayReason, string>> = {
  new: 'new',
  missing: 'missing',
  unread: 'not read last time',
  pending_unread: 'a pending settlement was not fully read',
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
  const [, , counted, further = ''] = told[kind];
  return `${many(count, counted)}${further}`;
}

/** `EUR -4.99`. */
export function differenceText(difference: Money): string {
  return `${difference.currency} ${signedDigitsOf(difference)}`;
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
  const onBank = sum(({ bank }) => bank?.known.size ?? 0);
  const days = sum(({ incompleteDays }) => incompleteDays.length);
  // A run that failed may not know any.
  const isSure = accepted === 0 && profiles.every(({ failure }) => !failure);
  const sentences = present(
    what,
    known || (isSure && 'No known differences'),
    accepted > 0 && many(accepted, 'accepted difference'),
    onBank > 0 && `${many(onBank, 'known finding')} on the bank statements`,
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
