import { join } from 'node:path';
import type {
  DayState,
  ExportedDay,
  FieldChange,
  Problem,
  SettlementRestatement,
} from '../app/export-result.ts';
import type { Clock } from '../base/clock.ts';
import { readBlocks } from '../base/files.ts';
import { drained } from '../base/ordered.ts';
import { TooLargeError } from '../lake/parquet-file.ts';
import { unreadPendings } from '../reconcile/reconcile-run.ts';
import { keptTexts, problemsOf } from '../report/export/view.ts';
import type { CurrentVersion } from './check-day.ts';
import type { DayBuild, ExportFolder } from './export-folder.ts';
import { csvNames, manifestName, sourceName } from './layout.ts';
import {
  type DaySettings,
  formatManifest,
  isPublishedIncomplete,
  type Manifest,
  type ManifestFile,
  reconciledFields,
  settingsDigest,
} from './manifest.ts';
import { type readDay, startCsv } from './read-day.ts';
import { changeColumns, compareVersions } from './restatement.ts';
import type { ExportScope } from './scope.ts';

export interface PublishRequest {
  readonly folder: ExportFolder;
  readonly scope: ExportScope;
  readonly clock: Clock;
  readonly tool: string;
  /** How many superseded versions of a day are kept; undefined for all. */
  readonly keep: number | undefined;
  /** Days that are published even if they are incomplete; absent for none. */
  readonly evenIncomplete?: ReadonlySet<string>;
}

interface DayToPublish {
  readonly build: DayBuild;
  readonly read: ReadDay;
  readonly settings: DaySettings;
  readonly current: CurrentVersion;
  /** Whether the current version is made again even with the same data and settings, for its tables. */
  readonly mustRebuild: boolean;
}

/** Publishes a day that was read, or discards it and keeps the current version. */
export async function publishDay(day: DayToPublish, request: PublishRequest): Promise<ExportedDay> {
  const { build, read, current } = day;
  const isAsked = request.evenIncomplete?.has(build.day) ?? false;
  const change = changeOf(day);
  const state = stateOf(day, change, isAsked);
  const exported = exportedDay(build.day, state, read);
  if (state === 'incomplete' || state === 'unchanged') {
    await build.discard();
    if (!isAsked || state === 'unchanged' || current.state === 'none') return exported;
    const kept = current.state === 'damaged' ? keptTexts.damaged : keptTexts.complete;
    return { ...exported, problems: [...exported.problems, { text: kept }] };
  }
  const { changes, restatements } = await writeChanges(build, change, current);
  if (state === 'restated' && isOnlyReadWorse(restatements)) {
    await build.discard();
    return { ...exported, state: 'unchanged' };
  }
  const tables = await closeTables(day, changes);
  if (tables instanceof TooLargeError) {
    await build.discard();
    return unwrittenDay(build.day, { text: tables.message });
  }
  const files = { ...read.files, ...changes };
  await writeManifest(day, request, { files, tables });
  // A version with the same data, or with altered files, is not worth keeping.
  const keepsReplaced = change !== 'recomputed' && change !== 'repaired';
  await request.folder.publish(build, keepsReplaced, request.keep);
  return { ...exported, restatements };
}

type DayChange = 'written' | 'restated' | 'recomputed' | 'repaired' | 'unchanged';

function changeOf({ read, settings, current, mustRebuild }: DayToPublish): DayChange {
  if (current.state === 'none') return 'written';
  if (current.state === 'damaged') return 'repaired';
  const { manifest } = current;
  if (manifest.contentSha256 !== read.contentSha256) return 'restated';
  const isSame = manifest.settingsDigest === settingsDigest(settings) && !mustRebuild;
  return isSame ? 'unchanged' : 'recomputed';
}

/** An incomplete version never replaces a complete one, or a damaged one that may have been complete. */
function stateOf(
  { read, current, mustRebuild }: DayToPublish,
  change: DayChange,
  isAsked: boolean,
): DayState {
  if (change === 'unchanged') return change;
  const wasIncomplete = current.state === 'intact' && isPublishedIncomplete(current.manifest);
  if (read.report.run.verdict !== 'incomplete') return wasIncomplete ? 'completed' : change;
  // For its tables, an incomplete version is made again without being asked for.
  const isWanted = isAsked || (change === 'recomputed' && mustRebuild);
  const mayReplace = current.state === 'none' || wasIncomplete;
  return isWanted && mayReplace ? 'published_incomplete' : 'incomplete';
}

function exportedDay(day: string, state: DayState, { report }: ReadDay): ExportedDay {
  const { run } = report;
  const statuses = run.totals.map(({ unknownStatus }) => unknownStatus.settlements);
  return {
    ...emptyReport,
    day,
    state,
    verdict: run.verdict,
    settlements: run.counts,
    transactions: run.transactions,
    unread: unreadPendings(run.settlements),
    unknownStatuses: statuses.reduce((sum, settlements) => sum + settlements, 0),
    problems: problemsOf(report),
  };
}

const emptyReport = {
  settlements: { balanced: 0, out_of_balance: 0, pending: 0, incomplete: 0 },
  transactions: 0,
  unread: [],
  unknownStatuses: 0,
  unusualScales: 0,
  restatements: [],
  problems: [],
};

/** The report of a day that stays as it is. */
export function unchangedDay({ day, verdict, counts, unread = [] }: Manifest): ExportedDay {
  const settlements = { ...emptyReport.settlements, ...counts.settlements };
  const { transactions } = counts;
  return { ...emptyReport, day, state: 'unchanged', verdict, settlements, transactions, unread };
}

/** The report of a day that cannot be written, and why. */
export function unwrittenDay(day: string, problem: Problem): ExportedDay {
  return { ...emptyReport, day, state: 'incomplete', verdict: 'incomplete', problems: [problem] };
}

/** Writes `changes.csv`: compares the versions if the data changed, else copies the current file. Not of a damaged day. */
async function writeChanges(build: DayBuild, change: DayChange, current: CurrentVersion) {
  let restatements: readonly SettlementRestatement[] = [];
  let written: ManifestFile | undefined;
  if (current.state === 'intact') {
    const { folder, manifest } = current;
    const known = manifest.files[csvNames.changes];
    if (change === 'restated') {
      const file = await startCsv(build, csvNames.changes, changeColumns);
      const versions = compareVersions(join(folder, sourceName), join(build.folder, sourceName));
      restatements = await drained(versions, file.add);
      written = await file.close();
    } else if (known) {
      const file = await build.file(csvNames.changes);
      for await (const block of readBlocks(join(folder, csvNames.changes))) await file.write(block);
      written = { rows: known.rows, ...(await file.close()) };
    }
  }
  const changes: Readonly<Record<string, ManifestFile>> = written
    ? { [csvNames.changes]: written }
    : {};
  return { changes, restatements };
}

/** Whether all that changed is that rows of pending settlements could not be fully read this time. */
function isOnlyReadWorse(restatements: readonly SettlementRestatement[]): boolean {
  const isWorse = ({ field, after }: FieldChange) => field === 'rows_read' && after !== 'yes';
  return (
    restatements.length > 0 &&
    restatements.every(
      ({ change, fields }) => change === 'changed' && fields.length > 0 && fields.every(isWorse),
    )
  );
}

async function closeTables(
  { build, read, settings }: DayToPublish,
  changes: Readonly<Record<string, ManifestFile>>,
) {
  const { report, contentSha256, tables } = read;
  const changesPath = changes[csvNames.changes] && join(build.folder, csvNames.changes);
  const closing = tables?.close({ report, settings, contentSha256, changesPath });
  return closing?.catch((error: unknown) => {
    if (error instanceof TooLargeError) return error;
    throw error;
  });
}

async function writeManifest(
  { build, read, settings }: DayToPublish,
  { tool, scope, clock }: PublishRequest,
  { files, tables }: { files: Manifest['files']; tables: Manifest['tables'] },
): Promise<void> {
  const file = await build.file(manifestName);
  await file.write(
    formatManifest({
      tool,
      ...scope,
      day: build.day,
      settings,
      settingsDigest: settingsDigest(settings),
      ...reconciledFields(read.report.run),
      totals: read.totals,
      contentSha256: read.contentSha256,
      files,
      ...(tables && { tables }),
      exportedAt: new Date(clock.now()).toISOString(),
    }),
  );
  await file.close();
}

type ReadDay = Awaited<ReturnType<typeof readDay>>;
