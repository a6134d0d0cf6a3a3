import type { ReconError } from '../base/errors.ts';
import type { Settlement } from '../model/settlement.ts';
import type { DateRange } from '../model/source.ts';
import type { Code } from '../reconcile/entry.ts';
import { runVerdict, type Verdict } from '../reconcile/verdict.ts';

/**
 * The result of an export for a day:
 * - `written`: it was missing
 * - `unchanged`: the exported version is the same
 * - `restated`: the service changed it since the last export; the old version is kept
 * - `completed`: it was published incomplete and is complete now; the old version is kept
 * - `recomputed`: only settings changed
 * - `repaired`: its files were damaged
 * - `published_incomplete`: it could not be read completely and was published, as requested; an earlier
 *   version was incomplete too, and is kept if it differs
 * - `incomplete`: it could not be read completely; the earlier version stays
 */
export type DayState =
  | 'written'
  | 'unchanged'
  | 'restated'
  | 'completed'
  | 'recomputed'
  | 'repaired'
  | 'published_incomplete'
  | 'incomplete';

/** A field that changed; empty if it had, or has, no value. */
export interface FieldChange {
  readonly field: string;
  readonly before: string;
  readonly after: string;
}

export interface SettlementRestatement {
  /** From the header now or, if it was removed, before. */
  readonly settlement: Pick<Settlement, 'id' | 'date' | 'accountingToken' | 'currency'>;
  readonly change: 'added' | 'removed' | 'changed';
  readonly fields: readonly FieldChange[];
  readonly transactions: {
    readonly added: number;
    readonly removed: number;
    readonly changed: number;
  };
}

export interface ExportedDay {
  readonly day: string;
  readonly state: DayState;
  readonly verdict: Verdict;
  readonly settlements: Readonly<Record<Verdict, number>>;
  readonly transactions: number;
  /** The ids of pending settlements that were not fully read: the day is there, but not complete. */
  readonly unread: readonly string[];
  /** How many settlements are pending because of an unknown status. */
  readonly unknownStatuses: number;
  /** How many settlements have unusual decimal places for their currency. */
  readonly unusualScales: number;
  /** What the service changed since the last export. */
  readonly restatements: readonly SettlementRestatement[];
  readonly problems: readonly Problem[];
  /** Whether its files are damaged and the service no longer lists its settlements. */
  readonly isDelisted?: boolean;
  /** Why its list of settlements could not be read, if the run went on with other days. */
  readonly unlisted?: ReconError;
}

/** What is out of balance, could not be read or may be wrong. */
export interface Problem {
  readonly text: string;
  /** Why it could not be read; absent for other problems. */
  readonly obstacle?: Code | undefined;
  /** The same as facts: whose rows, or which code, and how many records. Equal as long as the same records are unread. */
  readonly obstacleFacts?: string | undefined;
}

/** Days outside the range of a run that need another run, in order. */
export interface DaysOutside {
  /** Missing between the first and the last exported day. */
  readonly missing: readonly string[];
  /** With settlements that were pending when the day was exported last. */
  readonly pending: readonly string[];
  /** With a damaged manifest. */
  readonly damaged: readonly string[];
  /** Published although they could not be read completely. */
  readonly incomplete: readonly string[];
}

/** A day that is in the export, but not complete. */
export interface UnreadDay {
  readonly day: string;
  /** The pending settlements that were not fully read. */
  readonly settlementIds: readonly string[];
}

/** How many settlements the days have, whatever their verdict. */
export function countSettlements(days: readonly ExportedDay[]): number {
  return days
    .flatMap(({ settlements }) => Object.values(settlements))
    .reduce((sum, count) => sum + count, 0);
}

export function verdictOfDays(days: readonly ExportedDay[]): Verdict {
  return runVerdict(days.map(({ verdict }) => verdict));
}

/** What is wrong with a file of an export, or with a folder of it. */
export interface ExportProblem {
  readonly path: string;
  readonly message: string;
}

export interface VerifyReport {
  readonly folder: string;
  readonly profile: string | null;
  readonly host: string;
  /** The requested range, or else the first to the last day; undefined if there are no days. */
  readonly range: DateRange | undefined;
  /** Days of the range that are as written. */
  readonly sound: number;
  readonly missing: readonly string[];
  readonly problems: readonly ExportProblem[];
  /** Folders of days whose manifests have no digest of themselves: an older `recon` wrote them. */
  readonly withoutDigest: readonly string[];
  readonly catalogues: readonly string[];
  /** Days that are as written, but were published although they could not be read completely. */
  readonly publishedIncomplete: readonly string[];
  /** Days that are as written, but have pending settlements that were not fully read. */
  readonly unread: readonly UnreadDay[];
  /** Whether a run holds the folder, or was killed while it did. */
  readonly isLocked: boolean;
  /** What the next run does first if one was interrupted, step by step. */
  readonly unfinished: readonly string[];
}

/** Whether all days are there and as written, even if a run has to be finished. */
export function isSound({ missing, problems }: VerifyReport): boolean {
  return missing.length === 0 && problems.length === 0;
}
