import { daysBetween } from '../../../src/base/calendar.ts';
import { type Settlement, textOf, verdictOf } from './settlement.ts';

/** Settlements by their ids, with what each of the days says that have it. */
export type Places = ReadonlyMap<string, readonly Settlement[]>;

/** What lies in the folder after a night. */
export interface Filed {
  readonly places: Places;
  /** The days in place. */
  readonly days: ReadonlySet<string>;
  /** Days that can't be read, and what is in the way; `undefined` where that isn't known. */
  readonly unread: ReadonlyMap<string, string | undefined>;
  /** The day of the night, by its clock: pending settlements are overdue by it. */
  readonly today: string;
}

/** What somebody knows who was told. */
export interface Known extends Pick<Filed, 'days' | 'unread'> {
  /** Older days that the service lists nothing of any more, and that were told. */
  readonly delisted: ReadonlySet<string>;
  /** Why the last night failed, in words. */
  readonly failure: string | undefined;
  /** The settlements that were told of, as they were and lay. */
  readonly lay: ReadonlyMap<string, Settlement>;
  /** The same, for what is to be thought of them, and whether they were overdue. */
  readonly stood: ReadonlyMap<
    string,
    { readonly settlement: Settlement; readonly isOverdue: boolean }
  >;
}

export const nothingKnown: Known = {
  ...{ days: new Set(), unread: new Map(), failure: undefined, delisted: new Set() },
  ...{ lay: new Map(), stood: new Map() },
};

/** The days that a settlement may be pending, by default. */
const pendingDays = 14;

export function isOverdue(one: Settlement, today: string): boolean {
  return verdictOf(one) === 'pending' && daysBetween(one.day, today) > pendingDays;
}

/**
 * What is new of where a settlement lies, and what it says there: `is`, if it lies anywhere.
 * `isListed`: whether the service has it.
 */
export function placeNews(
  { lay, days }: Known,
  id: string,
  is: Settlement | undefined,
  isListed: boolean,
): string | undefined {
  const was = lay.get(id);
  if (!is) return was && (isListed ? 'moved' : 'gone');
  if (!was) return days.has(is.day) ? 'restated' : undefined;
  if (was.day !== is.day) return 'moved';
  return textOf(was) === textOf(is) ? undefined : 'restated';
}

/** What is new of what is to be thought of it. */
export function verdictNews(
  { stood }: Known,
  id: string,
  is: Settlement | undefined,
  today: string,
): string | undefined {
  const then = stood.get(id);
  const was = then && verdictOf(then.settlement);
  switch (is && verdictOf(is)) {
    case 'out_of_balance':
      if (!is || !then || was !== 'out_of_balance') return 'out_of_balance';
      return textOf({ ...then.settlement, day: is.day }) === textOf(is) ? undefined : 'changed';
    case 'pending':
      return is && isOverdue(is, today) && !then?.isOverdue ? 'overdue' : undefined;
    case 'balanced':
      return was === 'out_of_balance' ? 'balanced' : was === 'pending' ? 'settled' : undefined;
    case undefined:
      return undefined;
  }
}
