import type { ReconError } from '../base/errors.ts';
import { groupedBy } from '../base/lists.ts';
import type { Settlement } from '../model/settlement.ts';
import type { DateRange } from '../model/source.ts';
import type { UnusualScales } from '../reconcile/checks.ts';
import type { Code, Entry } from '../reconcile/entry.ts';
import type { ReconciledSettlement } from '../reconcile/reconcile-settlement.ts';
import { runVerdict, type Verdict, verdictReason } from '../reconcile/verdict.ts';
import type { SettlementsReport } from './settlements-report.ts';

/**
 * What an export did with a day:
 * - `written`: it was not in the export
 * - `unchanged`: the version in place is the same
 * - `restated`: the service gives other data than before; the old version is kept
 * - `completed`: it was published incomplete, and is fully read now; the old version is kept
 * - `recomputed`: only settings changed
 * - `repaired`: its files had changed since they were written
 * - `published_incomplete`: it could not be fully read and was written, as the user asked; an incomplete
 *   version before is kept if its data differ
 * - `incomplete`: it could not be fully read; the version in place stays
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

/** A changed field. Empty texts if it had, or has, no value. */
export interface FieldChange {
  readonly field: string;
  readonly before: string;
  readonly after: string;
}

export interface SettlementRestatement {
  /** By its header now; of a removed one, by that before. */
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
  /** Settlements that are pending because the document does not name their status. */
  readonly unknownStatuses: number;
  /** Settlements with decimal places that their currency does not have. */
  readonly unusualScales: number;
  readonly restatements: readonly SettlementRestatement[];
  readonly problems: readonly Problem[];
  /** Whether its files are damaged, and the service lists nothing of it any more. */
  readonly isDelisted?: boolean;
  /** Why its settlements could not be listed, if the run continues with other days. */
  readonly unlisted?: ReconError;
}

/** What is out of balance, could not be read or may be wrong. `report/export/view.ts` has the sentences. */
export type Problem =
  | {
      readonly about: 'settlement';
      readonly reconciled: ReconciledSettlement;
      /** The name of its account. */
      readonly name: string | undefined;
      readonly explanation: string | undefined;
    }
  | { readonly about: 'finding'; readonly finding: Entry }
  /** Those that have the same one. */
  | { readonly about: 'unknown_status'; readonly settlements: readonly ReconciledSettlement[] }
  | { readonly about: 'unusual_scale'; readonly scale: UnusualScales }
  | { readonly about: 'unlisted'; readonly reason: string }
  | { readonly about: 'too_large'; readonly reason: string }
  /** Its files are damaged, and the service lists nothing of it any more. */
  | { readonly about: 'delisted' }
  /** Its files have changed since they were written. */
  | { readonly about: 'changed' }
  /** Why an incomplete version was not published, although that was requested. */
  | { readonly about: 'kept_complete' | 'kept_damaged' };

/** What is out of balance or could not be read: by settlement, then unknown statuses, then findings of the run. */
export function problemsOf({
  run,
  names,
  explanations,
}: Pick<SettlementsReport, 'run' | 'names' | 'explanations'>): readonly Problem[] {
  const unknown = run.settlements.filter((one) => verdictReason(one) === 'unknown_status');
  const byStatus = groupedBy(unknown, ({ settlement }) => settlement.status);
  return [
    ...run.settlements
      .filter(({ verdict }) => verdict === 'out_of_balance' || verdict === 'incomplete')
      .map((reconciled) => ({
        about: 'settlement' as const,
        reconciled,
        name: names.get(reconciled.settlement.accountingToken),
        explanation: explanations?.get(reconciled.settlement.id),
      })),
    ...[...byStatus.values()].map((settlements) => ({
      about: 'unknown_status' as const,
      settlements,
    })),
    ...run.findings
      .filter(({ weight }) => weight !== 'ignored')
      .map((finding) => ({ about: 'finding' as const, finding })),
  ];
}

/** Why something could not be read; undefined for other problems. `facts` are equal while the same is unread. */
export function obstacleOf(
  problem: Problem,
): { readonly code: Code; readonly facts: string } | undefined {
  const { about } = problem;
  if (about === 'unlisted' || about === 'delisted') return { code: 'not_read', facts: 'not_read' };
  if (about === 'finding') return obstacleIn([problem.finding]);
  if (about !== 'settlement') return undefined;
  const { discrepancies, settlement } = problem.reconciled;
  return obstacleIn(discrepancies, settlement.id);
}

function obstacleIn(entries: readonly Entry[], ...settlementIds: readonly string[]) {
  const obstacles = entries.filter(isObstacle);
  const [first] = obstacles;
  const facts = obstacles.map(({ code, count }) => `${code} ${count}`);
  return first && { code: first.code, facts: [...settlementIds, ...facts].join(' ') };
}

export const isObstacle = ({ weight }: Entry): boolean => weight === 'incomplete';

/** What is left undone in a folder outside the range of a run. Days in order. */
export interface DaysOutside {
  /** Not there, between the first day that is and the last. */
  readonly missing: readonly string[];
  /** With settlements that were pending when the day was exported last. */
  readonly pending: readonly string[];
  /** With a manifest that has changed since it was written. */
  readonly damaged: readonly string[];
  /** Published, but not fully read. */
  readonly incomplete: readonly string[];
}

/** A day that is in the export, but not complete. */
export interface UnreadDay {
  readonly day: string;
  /** Of pending settlements that were not fully read. */
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

/** The codes are stored in `nightly.json`: they never change. */
export const exportProblemCodes = [
  'missing',
  'changed',
  'other_size',
  'other_rows',
  'other_contents',
  'other_version',
  'other_day',
  'not_in_manifest',
  'only_in_folder',
  'no_day',
  'blocked',
  'contradiction',
  'newer_schema',
  'not_valid',
  'unreadable',
] as const;

/** What is wrong with a file of an export, or with a folder of it. `report/verify/words.ts` has the sentences. */
export interface ExportProblem {
  readonly path: string;
  readonly code: (typeof exportProblemCodes)[number];
  /** What its sentence names: what was found, then what was expected. */
  readonly values?: readonly (string | number)[] | undefined;
}

export interface VerifyReport {
  readonly folder: string;
  readonly profile: string | null;
  readonly host: string;
  /** What was asked for, or else from the first day to the last; undefined if there are no days. */
  readonly range: DateRange | undefined;
  /** Days of the range that are in the export and intact. */
  readonly sound: number;
  readonly missing: readonly string[];
  readonly problems: readonly ExportProblem[];
  readonly catalogues: readonly string[];
  /** Intact days that were published incomplete. */
  readonly publishedIncomplete: readonly string[];
  /** Intact days with pending settlements that were not fully read. */
  readonly unread: readonly UnreadDay[];
  /** Whether a run uses the folder, or was killed while it did. */
  readonly isLocked: boolean;
  /** The steps that the next run does first, after one was interrupted. */
  readonly unfinished: readonly string[];
}

/** Whether all days are in place and intact. An interrupted run does not change that. */
export function isSound({ missing, problems }: VerifyReport): boolean {
  return missing.length === 0 && problems.length === 0;
}
