import type { DayReason, NewsKind } from '../../model/night.ts';
import { alarm, plain, unsure } from '../common/blocks.ts';
import { many } from '../common/phrase.ts';
import type { Remark } from '../common/view.ts';

/** Why a night reads a day, in words. */
export const reasonWords = {
  new: 'new',
  missing: 'missing',
  unread: 'not read last time',
  pending_unread: 'a pending settlement was not fully read',
  incomplete: 'published incomplete',
  damaged: 'files were altered',
  changed: 'headers have changed',
  recent: 'may be restated',
  pending: 'had a pending settlement',
  moved: 'a settlement has moved',
} as const satisfies Readonly<Record<DayReason, string>>;

type KindWords = readonly [
  remark: (text: string) => Remark,
  words: string,
  counted: string,
  further?: string,
];

const change = (text: string) => plain(text, '~');

/** How loud each kind of news is, what it is called by itself, and how it is counted. */
const kindWords: Readonly<Record<NewsKind, KindWords>> = {
  failed: [alarm, 'Run failed', 'failed run'],
  unread_day: [unsure, 'Day not read', 'day', ' not read'],
  statements: [unsure, 'Bank statements', 'problem', ' with bank statements'],
  out_of_balance: [alarm, 'Out of balance', 'new difference'],
  acceptance: [alarm, 'No longer accepted', 'difference', ' no longer accepted'],
  changed: [alarm, 'Difference changed', 'changed difference'],
  missing_on_bank: [alarm, 'Missing pay-out', 'missing pay-out'],
  bank_difference: [alarm, 'Bank difference', 'new bank difference'],
  returned_by_bank: [alarm, 'Returned by the bank', 'pay-out', ' returned by the bank'],
  unknown_on_bank: [alarm, 'Unknown to the service', 'payment', ' unknown to the service'],
  overdue: [unsure, 'Overdue', 'overdue settlement'],
  gone: [unsure, 'No longer listed', 'settlement', ' no longer listed'],
  no_longer_listed: [unsure, 'Day no longer listed', 'day', ' no longer listed'],
  repaired: [unsure, 'Damaged files', 'day', ' with damaged files'],
  settled: [change, 'Settled', 'pending settlement', ' now balanced'],
  balanced: [change, 'Now balanced', 'settlement', ' now balanced'],
  on_bank: [change, 'Now on the statements', 'pay-out', ' now on the bank statements'],
  moved: [change, 'Moved', 'moved settlement'],
  restated: [change, 'Restated', 'restatement'],
  read_day: [change, 'Day now read', 'day', ' now read'],
  recovered: [change, 'Run succeeded again', 'run', ' succeeded again'],
};

/** A remark on news of a kind, as loud as it is. */
export function newsRemark(kind: NewsKind, text: string): Remark {
  return kindWords[kind][0](text);
}

/** `No longer accepted`. */
export function newsWords(kind: NewsKind): string {
  return kindWords[kind][1];
}

/** `2 new differences`. */
export function newsCountText(kind: NewsKind, count: number): string {
  const [, , counted, further = ''] = kindWords[kind];
  return `${many(count, counted)}${further}`;
}
