import { keysOf } from '../../base/keys.ts';
import { alarm, plain, unsure } from '../common/blocks.ts';
import { many } from '../common/phrase.ts';
import type { Remark } from '../common/view.ts';

/**
 * Why a day is read tonight:
 * - `new`: it is over, and was never published
 * - `missing`: as `new`, and later days are published
 * - `unread`: it could not be read the night before
 * - `incomplete`: it was published though it could not be read whole
 * - `damaged`: its files are not what was written
 * - `changed`: it is older, and its headers are not what is stored
 * - `recent`: it is one of the last days, which the service may restate
 * - `pending`: a settlement of it was pending, and is told otherwise now
 * - `moved`: a settlement has come here, or gone from here, to another day
 */
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
} as const;

export type DayReason = keyof typeof reasonWords;

type Told = readonly [
  remark: (text: string) => Remark,
  words: string,
  counted: string,
  further?: string,
];

const change = (text: string) => plain(text, '~');

/**
 * What is new since the last run, the weightiest first:
 * - `out_of_balance`: a settlement is out of balance and was not before
 * - `changed`: it still is, with other figures or findings
 * - `balanced`: it was out of balance and balances now
 * - `settled`: it was pending and balances now
 * - `overdue`: it is pending for too long
 * - `acceptance`: its difference was accepted, and counts again: it has changed, or the time is over
 * - `restated`: the service tells it otherwise than before; of a day, where it isn't known how
 * - `moved`: the service lists it on another day
 * - `gone`: the service lists it no longer
 * - `no_longer_listed`: the service lists nothing of an older day any more, and its export stays
 * - `repaired`: files of a day were not what was written, and it was read again
 * - `recovered`: the last run failed for this profile, and this one did not
 * - `unread_day`: a day could not be read whole, or it isn't known where one of its settlements has gone
 * - `read_day`: such a day has been read at last
 * - `failed`: the run failed for this profile
 * - `statements`: the bank statements cannot be read, or do not add up
 * - `missing_on_bank`: the service has paid, and it is not on the bank
 * - `bank_difference`: it is there with another amount
 * - `returned_by_bank`: it was there, and the bank has returned it
 * - `unknown_on_bank`: an entry that no pay-out explains
 * - `on_bank`: a pay-out that was told of as one of these is there as it should be
 *
 * Of each, how loud it is, what it is called by itself, and how it is counted.
 */
const told = {
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
} as const satisfies Readonly<Record<string, Told>>;

export type NewsKind = keyof typeof told;

export const newsKinds = keysOf(told);

/** A remark on news of a kind, as loud as it is. */
export function newsRemark(kind: NewsKind, text: string): Remark {
  return told[kind][0](text);
}

/** `No longer accepted`. */
export function newsWords(kind: NewsKind): string {
  return told[kind][1];
}

/** `2 new differences`. */
export function newsCountText(kind: NewsKind, count: number): string {
  const [, , counted, further = '']: Told = told[kind];
  return `${many(count, counted)}${further}`;
}
