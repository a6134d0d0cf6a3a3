import type { Fault } from '../../base/errors.ts';
import type { DateRange } from '../../model/source.ts';
import type { Money } from '../../money/money.ts';
import type { Code } from '../../reconcile/entry.ts';
import type { Verdict } from '../../reconcile/reconciled.ts';
import type { ExportedDay } from '../export/report.ts';

/**
 * Why a day is read tonight:
 * - `new`: it is over, and was never published
 * - `missing`: as `new`, and later days are published
 * - `unread`: it could not be read the night before
 * - `incomplete`: it was published though it could not be read whole
 * - `damaged`: its files are not what was written
 * - `recent`: it is one of the last days, which the service may restate
 * - `pending`: a settlement of it was pending, and is told otherwise now
 * - `moved`: a settlement has come here, or gone from here, to another day
 */
export type DayReason =
  | 'new'
  | 'missing'
  | 'unread'
  | 'pending_unread'
  | 'incomplete'
  | 'damaged'
  | 'recent'
  | 'pending'
  | 'moved';

/** A day that is to be read, and why. */
export interface PlannedDay {
  /** YYYY-MM-DD. */
  readonly day: string;
  readonly reason: DayReason;
}

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
 * - `unread_day`: a day could not be read whole, or it isn't known where one of its settlements has gone
 * - `read_day`: such a day has been read at last
 * - `failed`: the run failed for this profile
 * - `statements`: the bank statements cannot be read, or do not add up
 * - `missing_on_bank`: the service has paid, and it is not on the bank
 * - `bank_difference`: it is there with another amount
 * - `returned_by_bank`: it was there, and the bank has returned it
 * - `unknown_on_bank`: an entry that no pay-out explains
 * - `on_bank`: a pay-out that was told of as one of these is there as it should be
 */
export const newsKinds = [
  'failed',
  'unread_day',
  'statements',
  'out_of_balance',
  'acceptance',
  'changed',
  'missing_on_bank',
  'bank_difference',
  'returned_by_bank',
  'unknown_on_bank',
  'overdue',
  'gone',
  'settled',
  'balanced',
  'on_bank',
  'moved',
  'restated',
  'read_day',
] as const;

export type NewsKind = (typeof newsKinds)[number];

/** One piece of news. */
export interface News {
  /** 16 hexadecimal digits, the same each time that it is told. */
  readonly id: string;
  readonly kind: NewsKind;
  /** What else is new of the same settlement. */
  readonly also: readonly NewsKind[];
  /** YYYY-MM-DD; absent where it is about the run. */
  readonly day: string | undefined;
  /** Absent where it is about a day or the run. */
  readonly settlement: NewsSettlement | undefined;
  /** The id of the bank entry, where it is about one that no pay-out explains. */
  readonly entry?: string | undefined;
  /** Why, or what has changed: sentences or parts of them. Ids and texts of the service may stand in them. */
  readonly details: readonly string[];
}

/** News, and whose. */
export interface ToldNews extends News {
  readonly profile: string | undefined;
}

/** The settlement that something new is said of. */
export interface NewsSettlement {
  readonly id: string;
  readonly verdict: Verdict;
  /** Absent where it is balanced or gone, as all that follows. */
  readonly accountingToken?: string;
  readonly currency?: string;
  /** Pay-in, reported − computed, or on the bank, received − expected; absent where it is not known. */
  readonly difference?: Money | undefined;
  readonly codes?: readonly Code[];
}

/** What was told before and is still so. */
export interface KnownDifferences {
  /** Out of balance, and not accepted. */
  readonly settlements: number;
  /** Of each currency the sum of the absolute pay-in differences. */
  readonly absolute: readonly Money[];
  /** The first and the last of their days; absent where there are none. */
  readonly from: string | undefined;
  readonly to: string | undefined;
}

/** How many pay-outs, of the days that bank statements are about, stand how. */
export interface NightOnBank {
  /** The days that the statements cover; absent where there are none. */
  readonly days: DateRange | undefined;
  /** Whether all of the statements could be read. */
  readonly isRead: boolean;
  readonly matched: number;
  readonly missing: number;
  /** With another amount, or returned; accepted ones don't count. */
  readonly differences: number;
  readonly accepted: number;
  /** Suggested, or with several possible entries. */
  readonly undecided: number;
  /** Entries that no pay-out explains, and those that pay-outs of this profile do, by their ids. */
  readonly unknown: ReadonlySet<string>;
  readonly explained: ReadonlySet<string>;
  /** What was told before and is still so: ids of settlements and of entries. */
  readonly known: ReadonlySet<string>;
  /** What is wrong with the statements, and was told before: sentences. */
  readonly knownProblems: readonly string[];
}

/** One night of one profile. */
export interface ProfileNight {
  /** Absent where no profile is used. */
  readonly profile: string | undefined;
  /** The folder of its days. */
  readonly folder: string;
  /** Of all days in the folder, less what is accepted; `incomplete` where a day could not be read. */
  readonly verdict: Verdict;
  /** The days that were read, with what was done; in order. */
  readonly days: readonly (PlannedDay & { readonly exported: ExportedDay })[];
  /** The last day up to which none is missing; absent where no day is published. */
  readonly publishedTo: string | undefined;
  /** How many days are over and not published; absent where the run never began. */
  readonly lagDays: number | undefined;
  readonly news: readonly News[];
  readonly known: KnownDifferences;
  /** Settlements that are pending, of all days. */
  readonly pending: number;
  /** How many of them are overdue. */
  readonly overdue: number;
  /** Settlements whose differences people have accepted. */
  readonly accepted: number;
  /** Days that could not be read for a reason that was told before. */
  readonly knownUnread: readonly string[];
  /** The first of them of which nothing is published. */
  readonly publishable: string | undefined;
  /** Days that somebody had published though they could not be read whole. */
  readonly incompleteDays: readonly string[];
  /** Absent where no bank statements are read. */
  readonly bank?: NightOnBank | undefined;
  /** Why the run of this profile ended early. */
  readonly failure: Fault | undefined;
  readonly exitCode: number;
}

/** Everything that the report of `recon nightly` is made of. */
export interface NightReport {
  /** In the order of the command line, or of the configuration file. */
  readonly profiles: readonly ProfileNight[];
}
