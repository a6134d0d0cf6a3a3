import type { Fault } from '../base/errors.ts';
import type { Explained } from '../explain/explained.ts';
import type { Pattern } from '../explain/pattern.ts';
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
import type { Identity } from '../reconcile/identity.ts';
import { runVerdict, type Verdict } from '../reconcile/verdict.ts';
import type {
  ExportedDay,
  ExportProblem,
  Problem,
  SettlementRestatement,
} from './export-result.ts';

/** What there is to say of a piece of news, as facts. */
export type NewsDetail =
  /** A message as it was received: why a run failed. */
  | { readonly about: 'text'; readonly text: string }
  /** Why a day could not be fully read. */
  | { readonly about: 'problems'; readonly problems: readonly Problem[] }
  /** Settlements that left their day. Their new day is not known. */
  | { readonly about: 'lost'; readonly ids: readonly string[] }
  /** The version that was reported no longer exists, so it cannot be compared. */
  | { readonly about: 'unknown_change' }
  | { readonly about: 'no_longer_listed' }
  /** What was wrong with the files of a day; empty if no more is known than that they have changed. */
  | { readonly about: 'damage'; readonly found: readonly ExportProblem[] }
  | { readonly about: 'acceptance'; readonly acceptance: Acceptance<AcceptedLine> }
  | { readonly about: 'overdue'; readonly entry: Entry<'overdue'>; readonly account: string }
  | { readonly about: 'discrepancy'; readonly entry: Entry }
  | { readonly about: 'explanation'; readonly explained: Explained; readonly currency: string }
  | {
      readonly about: 'pattern';
      readonly pattern: Pattern;
      readonly names: Names;
      readonly identity: Identity;
    }
  /** `to`: a day, or `gone` if the service no longer lists the settlement. */
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

/** A day that was read, the reason, and the result. */
export interface NightDay extends PlannedDay {
  readonly exported: ExportedDay;
}

export interface News {
  /** 16 hexadecimal digits. The same if it is reported again. */
  readonly id: string;
  readonly kind: NewsKind;
  /** What else is new of the same settlement. */
  readonly also: readonly NewsKind[];
  /** YYYY-MM-DD. Absent if it is about the run. */
  readonly day: string | undefined;
  /** Absent if it is about a day or the run. */
  readonly settlement: NewsSettlement | undefined;
  /** The id of a bank entry that no pay-out explains. */
  readonly entry?: string | undefined;
  /** What that entry received. */
  readonly received?: Money | undefined;
  readonly details: readonly NewsDetail[];
}

/** Absent if only the id of a settlement is known. */
type Header = Pick<Settlement, 'date' | 'accountingToken' | 'currency'>;

export interface NewsSettlement extends Pick<Settlement, 'id'>, Partial<Header> {
  /** `balanced` if it is gone. */
  readonly verdict: Verdict;
  /** Of the pay-in: reported − computed, or received − expected. Absent if it is not known. */
  readonly difference?: Money | undefined;
  readonly codes?: readonly Code[];
  readonly overdue?: Entry<'overdue'> | undefined;
}

/** Differences that were reported before and remain. */
interface KnownDifferences {
  /** Out of balance, and not accepted. */
  readonly settlements: number;
  /** The sums of the absolute pay-in differences, by currency. */
  readonly absolute: readonly Money[];
  /** The first and the last of their days. Absent if there are none. */
  readonly from: string | undefined;
  readonly to: string | undefined;
}

/** Counts of the pay-outs of the days that bank statements cover. */
export interface NightOnBank {
  /** Absent if there are no statements. */
  readonly days: DateRange | undefined;
  readonly isRead: boolean;
  readonly matched: number;
  readonly missing: number;
  /** Received with another amount, or returned, and not accepted. */
  readonly differences: number;
  readonly accepted: number;
  /** Suggested, or with several possible entries. */
  readonly undecided: number;
  /** Ids of entries: those that no pay-out explains, and those that pay-outs of this profile explain. */
  readonly unknown: ReadonlySet<string>;
  readonly explained: ReadonlySet<string>;
  /** Ids of settlements and entries that were reported before and remain. */
  readonly known: ReadonlySet<string>;
  /** Problems of the statements that were reported before and remain. */
  readonly knownProblems: readonly NewsDetail[];
}

export interface ProfileNight {
  readonly profile: string | undefined;
  readonly folder: string;
  readonly names: Names;
  /** Of all days in the folder, without what is accepted. `incomplete` if a day could not be read. */
  readonly verdict: Verdict;
  /** The days that were read, in order. */
  readonly days: readonly NightDay[];
  /** The last day up to which no day is missing. Absent if no day is published. */
  readonly publishedTo: string | undefined;
  /** The newest day in the folder if it is still to come: the clock is behind now, or was ahead. */
  readonly aheadTo?: string | undefined;
  /** How many past days are not published. Absent if the run did not begin. */
  readonly lagDays: number | undefined;
  readonly news: readonly News[];
  readonly known: KnownDifferences;
  readonly pending: number;
  /** Those of published days whose transactions were not fully read. */
  readonly pendingUnread: readonly { readonly id: string; readonly day: string }[];
  readonly overdue: number;
  readonly accepted: number;
  /** Days that could not be read, for a reason that was reported before. */
  readonly knownUnread: readonly string[];
  /** The first of them that has no published version. */
  readonly publishable: string | undefined;
  /** Days that were published incomplete, as the user asked. */
  readonly incompleteDays: readonly string[];
  /** The new name of a damaged `nightly.json`. What was reported before is then not known. */
  readonly stateKeptAs?: string | undefined;
  readonly bank?: NightOnBank | undefined;
  readonly failure: Fault | undefined;
  readonly exitCode: number;
}

export interface NightPreview {
  readonly folder: string;
  readonly days: readonly PreviewedDay[];
  /** Older days to list and compare with what is stored. */
  readonly swept: readonly DateRange[];
  /** How many pending settlements of other days are asked for by their ids. */
  readonly waiting: number;
  readonly requests: number;
  readonly ms: number;
}

interface PreviewedDay extends PlannedDay {
  readonly settlements: number;
  /** As the headers announce them. */
  readonly transactions: number;
  /** Without requests for other days that may have to be read then. */
  readonly requests: number;
}

export function verdictOfNight(nights: readonly ProfileNight[]): Verdict {
  return runVerdict(nights.map(({ verdict }) => verdict));
}

/** How often each kind of news occurs, without kinds that do not occur. */
export function countsOf(news: readonly News[]): readonly (readonly [NewsKind, number])[] {
  return newsKinds
    .map((kind) => [kind, news.filter((one) => one.kind === kind).length] as const)
    .filter(([, count]) => count > 0);
}

/** Whether there is something to report. A damaged state counts as news. */
export function hasNews({ news, stateKeptAs }: ProfileNight): boolean {
  return news.length > 0 || stateKeptAs !== undefined;
}

/** Whether a run failed for a reason that was reported before. A locked folder is not a failure. */
export function isKnownFailure({ failure, news }: ProfileNight): boolean {
  const isNew = news.some(({ kind }) => kind === 'failed');
  return failure !== undefined && failure.cause !== 'locked' && !isNew;
}
