import type { Fault } from '../base/errors.ts';
import type { Explained } from '../explain/explained.ts';
import type { BankMatch } from '../match/match.ts';
import type { AcceptedLine } from '../model/accepted-difference.ts';
import type { StatementFinding } from '../model/bank.ts';
import type { CloseRecord } from '../model/close.ts';
import { type NewsKind, newsKinds, type PlannedDay } from '../model/night.ts';
import type { Names, Settlement } from '../model/settlement.ts';
import type { DateRange } from '../model/source.ts';
import type { Money } from '../money/money.ts';
import type { Acceptance } from '../reconcile/acceptance.ts';
import type { Code, Entry } from '../reconcile/entry.ts';
import { runVerdict, type Verdict } from '../reconcile/verdict.ts';
import type { ExportedDay, ExportProblem, SettlementRestatement } from './export-result.ts';

/** What there is to say of a piece of news, as facts. */
export type NewsDetail =
  /** A message as it was received: why a run failed, or what could not be read. */
  | { readonly about: 'text'; readonly text: string }
  /** Settlements that are no longer on their day, and whose new day is not known. */
  | { readonly about: 'lost'; readonly ids: readonly string[] }
  /** The version that was reported is no longer there to compare with. */
  | { readonly about: 'unknown_change' }
  | { readonly about: 'no_longer_listed' }
  /** What was wrong with the files of a day; empty if no more is known than that they have changed. */
  | { readonly about: 'damage'; readonly found: readonly ExportProblem[] }
  | { readonly about: 'acceptance'; readonly acceptance: Acceptance<AcceptedLine> }
  | { readonly about: 'overdue'; readonly entry: Entry<'overdue'>; readonly account: string }
  | { readonly about: 'discrepancy'; readonly entry: Entry }
  | { readonly about: 'explanation'; readonly explained: Explained; readonly currency: string }
  /** `to`: a day, or `gone` where the service no longer lists the settlement. */
  | { readonly about: 'departure'; readonly from: string; readonly to: string }
  | { readonly about: 'restatement'; readonly restatement: SettlementRestatement }
  | { readonly about: 'closed'; readonly record: CloseRecord }
  /** What is wrong with bank statements: a finding in them, or why they cannot be read. */
  | { readonly about: 'statements'; readonly problem: StatementFinding | Fault }
  /** A pay-out that is missing or has a difference. */
  | { readonly about: 'pay_out'; readonly match: BankMatch }
  /** What the bank has of a pay-out. */
  | { readonly about: 'entries'; readonly match: BankMatch }
  /** An entry that no pay-out explains. */
  | { readonly about: 'unknown_entry'; readonly match: BankMatch };

/** A day that was read, why, and what came of it. */
export interface NightDay extends PlannedDay {
  readonly exported: ExportedDay;
}

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
  readonly details: readonly NewsDetail[];
}

/** Absent where nothing is known of a settlement but its id. */
type Header = Pick<Settlement, 'date' | 'accountingToken' | 'currency'>;

export interface NewsSettlement extends Pick<Settlement, 'id'>, Partial<Header> {
  /** `balanced` where it is gone. */
  readonly verdict: Verdict;
  /** Pay-in, reported − computed, or on the bank, received − expected; absent where it is not known. */
  readonly difference?: Money | undefined;
  readonly codes?: readonly Code[];
  /** Set where it is pending for too long. */
  readonly overdue?: Entry<'overdue'> | undefined;
}

/** What was told before and is still so. */
interface KnownDifferences {
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
  /** What is wrong with the statements, and was reported before. */
  readonly knownProblems: readonly NewsDetail[];
}

export interface ProfileNight {
  readonly profile: string | undefined;
  readonly folder: string;
  readonly names: Names;
  /** Of all days in the folder, less what is accepted; `incomplete` where a day could not be read. */
  readonly verdict: Verdict;
  /** The days that were read, with what was done; in order. */
  readonly days: readonly NightDay[];
  /** The last day up to which none is missing; absent where no day is published. */
  readonly publishedTo: string | undefined;
  /** How many days are over and not published; absent where the run never began. */
  readonly lagDays: number | undefined;
  readonly news: readonly News[];
  readonly known: KnownDifferences;
  readonly pending: number;
  readonly overdue: number;
  readonly accepted: number;
  /** Days that could not be read for a reason that was told before. */
  readonly knownUnread: readonly string[];
  /** The first of them of which nothing is published. */
  readonly publishable: string | undefined;
  /** Days that somebody had published though they could not be read whole. */
  readonly incompleteDays: readonly string[];
  /** The name that `nightly.json` gets because it can't be read: what was told before is not known. */
  readonly stateKeptAs?: string | undefined;
  readonly bank?: NightOnBank | undefined;
  readonly failure: Fault | undefined;
  readonly exitCode: number;
}

export interface NightPreview {
  readonly folder: string;
  readonly days: readonly PreviewedDay[];
  /** Older days whose settlements are listed again and compared with what is stored. */
  readonly swept: readonly DateRange[];
  /** Pending settlements of other days, which are asked for by their ids. */
  readonly waiting: number;
  readonly requests: number;
  readonly ms: number;
}

interface PreviewedDay extends PlannedDay {
  readonly settlements: number;
  /** As the headers announce them. */
  readonly transactions: number;
  /** Without those for other days that these may lead to. */
  readonly requests: number;
}

/** What all profiles come to together. */
export function verdictOfNight(nights: readonly ProfileNight[]): Verdict {
  return runVerdict(nights.map(({ verdict }) => verdict));
}

/** How many pieces of news there are of each kind that there is. */
export function countsOf(news: readonly News[]): readonly (readonly [NewsKind, number])[] {
  return newsKinds
    .map((kind) => [kind, news.filter((one) => one.kind === kind).length] as const)
    .filter(([, count]) => count > 0);
}

/** Whether there is anything to tell: news, or that nobody knows what was told before. */
export function hasNews({ news, stateKeptAs }: ProfileNight): boolean {
  return news.length > 0 || stateKeptAs !== undefined;
}

/** Whether a run failed for a reason that was told before. Where another run is at work, nothing has failed. */
export function isKnownFailure({ failure, news }: ProfileNight): boolean {
  const isNew = news.some(({ kind }) => kind === 'failed');
  return failure !== undefined && failure.cause !== 'locked' && !isNew;
}
