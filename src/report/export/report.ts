import type { ReconError } from '../../base/errors.ts';
import type { Settlement } from '../../model/settlement.ts';
import type { Code } from '../../reconcile/entry.ts';
import { runVerdict, type Verdict } from '../../reconcile/verdict.ts';
import type { Names } from '../common/report.ts';

/**
 * What an export did with a day:
 * - `written`: it wasn't there
 * - `unchanged`: what is there says the same
 * - `restated`: the service tells it otherwise than before; the old version is kept
 * - `completed`: it was published incomplete, and was read whole now; the old version is kept
 * - `recomputed`: only settings changed
 * - `repaired`: what was there was not what had been written
 * - `published_incomplete`: it could not be read whole and was written all the same, as asked; what was
 *   there was incomplete too, and is kept where it told the day otherwise
 * - `incomplete`: it could not be read whole; what was there stays
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

/** A field that reads otherwise than before; empty where it had, or has, no value. */
export interface FieldChange {
  readonly field: string;
  readonly before: string;
  readonly after: string;
}

/** How a settlement differs from what was exported before. */
export interface SettlementRestatement {
  /** By its header now; of a removed one, by that before. */
  readonly settlement: Pick<Settlement, 'id' | 'date' | 'accountingToken' | 'currency'>;
  readonly change: 'added' | 'removed' | 'changed';
  /** Fields of the header that changed. */
  readonly fields: readonly FieldChange[];
  /** How many of its transactions were added, removed or changed. */
  readonly transactions: {
    readonly added: number;
    readonly removed: number;
    readonly changed: number;
  };
}

/** A day of an export. */
export interface ExportedDay {
  /** YYYY-MM-DD. */
  readonly day: string;
  readonly state: DayState;
  readonly verdict: Verdict;
  /** How many settlements have each verdict. */
  readonly settlements: Readonly<Record<Verdict, number>>;
  readonly transactions: number;
  /** The ids of pending settlements that were not fully read: the day is there, but not complete. */
  readonly unread: readonly string[];
  /** How many settlements are pending because the document doesn't name their status. */
  readonly unknownStatuses: number;
  /** How many settlements have decimal places that their currency doesn't have. */
  readonly unusualScales: number;
  /** What changed where the service tells it otherwise than before. */
  readonly restatements: readonly SettlementRestatement[];
  readonly problems: readonly Problem[];
  /** Whether its files are damaged, and the service lists nothing of it any more. */
  readonly isDelisted?: boolean;
  /** Why its list of settlements could not be read, where others go on all the same. */
  readonly unlisted?: ReconError;
}

/** What is out of balance, could not be read or may be wrong. */
export interface Problem {
  /** A sentence. */
  readonly text: string;
  /** Why it could not be read; absent where it is something else. */
  readonly obstacle?: Code | undefined;
  /** The same as facts: whose rows, or which code, and how many records. Equal while the same is unread. */
  readonly obstacleFacts?: string | undefined;
}

/** What is left undone in a folder outside the range of a run. Days in order. */
export interface DaysOutside {
  /** Not there, between the first day that is and the last. */
  readonly missing: readonly string[];
  /** With settlements that were pending when the day was exported last. */
  readonly pending: readonly string[];
  /** With a manifest that isn't what was written. */
  readonly damaged: readonly string[];
  /** Published though they could not be read whole. */
  readonly incomplete: readonly string[];
}

/** A day that is in the export, but not complete. */
export interface UnreadDay {
  readonly day: string;
  /** Of pending settlements that were not fully read. */
  readonly settlementIds: readonly string[];
}

/** Everything that the report of `recon export` is made of. */
export interface ExportReport {
  /** As the user named it. */
  readonly folder: string;
  readonly names: Names;
  /** The days that were asked for: one at least, in order. */
  readonly asked: readonly string[];
  readonly profile: string | undefined;
  /** In order; fewer than the range has where the run was cut short. */
  readonly days: readonly ExportedDay[];
  /** Names under which the folder has been taken over, each as what it was and is. */
  readonly renamed: readonly string[];
  readonly outside: DaysOutside;
}

/** How many settlements the days have, whatever their verdict. */
export function countSettlements(days: readonly ExportedDay[]): number {
  return days
    .flatMap(({ settlements }) => Object.values(settlements))
    .reduce((sum, count) => sum + count, 0);
}

/** What the days come to together. */
export function verdictOfDays(days: readonly ExportedDay[]): Verdict {
  return runVerdict(days.map(({ verdict }) => verdict));
}
