import { enumerate, many, moneyText } from '../common/phrase.ts';
import type { Tone } from '../common/view.ts';
import type { SettlementRestatement } from '../export/report.ts';
import { changeClauses } from '../export/words.ts';
import type { DayReason, NewsKind, NightReport } from './report.ts';

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
  read_day: 'Day read at last',
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
  damaged: 'files have changed',
  recent: 'may be restated',
  pending: 'had a pending settlement',
  moved: 'a settlement has moved',
};

/** What is new and what is known, in a sentence or two. */
export function newsSentence({ profiles }: NightReport): string {
  const news = profiles.reduce((sum, one) => sum + one.news.length, 0);
  const known = profiles.reduce((sum, one) => sum + one.known.settlements, 0);
  const differences = known === 0 ? 'No known differences' : many(known, 'known difference');
  const absolute = profiles.length === 1 ? (profiles[0]?.known.absolute ?? []).map(moneyText) : [];
  const sums = absolute.length > 0 ? `, ${enumerate(absolute)} absolute` : '';
  const what = news === 0 ? 'Nothing new since the last run.' : `${news} new since the last run.`;
  const incomplete = profiles.reduce((sum, one) => sum + one.incompleteDays.length, 0);
  const lacking = incomplete === 0 ? '' : ` ${many(incomplete, 'day')} published incomplete.`;
  return `${what} ${differences}${sums}.${lacking}`;
}

/** Where a settlement has gone, as a sentence. */
export function movedText({ from, to }: { readonly from: string; readonly to: string }): string {
  return to === 'gone'
    ? `The service no longer lists it on ${from}.`
    : `The service moved it from ${from} to ${to}.`;
}

/** What the service has changed in a settlement, as a sentence. */
export function restatedText(restatement: SettlementRestatement): string {
  return `Restated: ${changeClauses(restatement)}.`;
}
