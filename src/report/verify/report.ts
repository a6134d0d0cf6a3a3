import type { DateRange } from '../../model/source.ts';

/** What is wrong with a file of an export, or with a folder of it. */
export interface ExportProblem {
  /** In the folder of the export. */
  readonly path: string;
  /** A sentence. */
  readonly message: string;
}

/** Everything that the report of `recon export --verify` is made of. */
export interface VerifyReport {
  /** As the user named it. */
  readonly folder: string;
  readonly profile: string | null;
  readonly host: string;
  /** What was asked for, or else from the first day to the last; undefined where there is none. */
  readonly range: DateRange | undefined;
  /** Days of the range that are there, and sound. */
  readonly sound: number;
  /** Days of the range that are not there. */
  readonly missing: readonly string[];
  readonly problems: readonly ExportProblem[];
  /** Folders of days whose manifests bear no digest of themselves: an older `recon` wrote them. */
  readonly withoutDigest: readonly string[];
  /** Set where a run holds the folder, or was killed while it did. */
  readonly isLocked: boolean;
  /** What the next run will do first, where one was cut short: a step each. */
  readonly unfinished: readonly string[];
}

/** Whether all days are there and as written. What a run has yet to finish changes nothing in that. */
export function isSound({ missing, problems }: VerifyReport): boolean {
  return missing.length === 0 && problems.length === 0;
}
