import { join } from 'node:path';
import {
  type DayState,
  type ExportedDay,
  type FieldChange,
  type Problem,
  problemsOf,
  type SettlementRestatement,
} from '../app/export-result.ts';
import { concernsOneSettlement, type Progress } from '../app/read-settlements.ts';
import type { Clock } from '../base/clock.ts';
import { ReconError } from '../base/errors.ts';
import { readBlocks } from '../base/files.ts';
import { drained, mapOrdered } from '../base/ordered.ts';
import { byText } from '../base/texts.ts';
import { TooLargeError } from '../lake/parquet-file.ts';
import type { HeaderList, Source } from '../model/source.ts';
import { unusualScales } from '../reconcile/checks.ts';
import { unreadPendings } from '../reconcile/reconcile-run.ts';
import {
  type CurrentVersion,
  currentVersion,
  hasAllTables,
  readManifest,
  reusableVersion,
} from './check-day.ts';
import { DaySource } from './day-source.ts';
import type { DayBuild, ExportFolder } from './export-folder.ts';
import { ExportSource } from './export-source.ts';
import { csvNames, manifestName, sourceName } from './layout.ts';
import {
  type DaySettings,
  daySettings,
  formatManifest,
  isPublishedIncomplete,
  type Manifest,
  type ManifestFile,
  reconciledFields,
  reconcileSettings,
  settingsDigest,
} from './manifest.ts';
import { type DayRequest, readDay, startCsv } from './read-day.ts';
import { changeColumns, compareVersions } from './restatement.ts';
import { RowMemory } from './row-store.ts';
import type { ExportScope } from './scope.ts';

interface PublishRequest {
  readonly folder: ExportFolder;
  readonly scope: ExportScope;
  readonly clock: Clock;
  readonly tool: string;
  /** How many superseded versions of a day are kept. Undefined: all. */
  readonly keep: number | undefined;
  /** Days that are published even if they are incomplete. */
  readonly evenIncomplete?: ReadonlySet<string>;
}

export interface ExportRequest
  extends PublishRequest,
    Omit<DayRequest, 'memory' | 'priority' | 'tables'> {
  readonly source: Source;
  /** Stops the requests of the source. */
  readonly stop: () => Promise<void>;
  /** Whether rows are read even if the headers have not changed. */
  readonly deep: boolean;
  /** A night goes on after a day that cannot be listed, and keeps a damaged day that is empty now. */
  readonly isNight?: boolean;
}

const memoryLimit = 24 * 1024 * 1024;

/** Days that are read at the same time: later ones use the connections that are free. */
const daysAtOnce = 5;
/** Days whose headers are requested ahead: few requests, each of which waits for the one before. */
const listsAtOnce = 32;

/** Exports days in the given order, and yields each when it is done. Throws ReconError if the run cannot go on. */
export async function* exportDays(days: Iterable<string>, request: ExportRequest) {
  const memory = new RowMemory(memoryLimit);
  const ahead = Math.min(daysAtOnce, request.ahead);
  const underWay = new Set<Promise<unknown>>();
  let done = 0;
  const watched = <Result>(work: Promise<Result>) => {
    const ended: Promise<unknown> = work.catch(() => {}).then(() => underWay.delete(ended));
    underWay.add(ended);
    return work;
  };
  const list = (day: string) => {
    const { source, filters } = request;
    return watched(source.headers({ range: { from: day, to: day }, filters }));
  };
  const prepare = (one: DayWithList, index: number) => {
    const { day } = one;
    const onProgress = (progress: Progress) => {
      if (index === done) request.onProgress({ ...progress, day });
    };
    return watched(prepareDay(one, { ...request, memory, onProgress, priority: index }));
  };
  try {
    for await (const publish of mapOrdered(listAhead(days, list), ahead, prepare)) {
      const exported = await publish();
      if (exported.state !== 'incomplete') await request.folder.bind();
      done += 1;
      yield exported;
    }
  } finally {
    if (underWay.size > 0) await request.stop();
    await Promise.all(underWay);
  }
}

interface DayWithList {
  readonly day: string;
  readonly headers: Promise<HeaderList>;
}

function* listAhead(days: Iterable<string>, list: (day: string) => Promise<HeaderList>) {
  const ahead: DayWithList[] = [];
  for (const day of days) {
    ahead.push({ day, headers: list(day) });
    if (ahead.length === listsAtOnce) yield* ahead.splice(0, 1);
  }
  yield* ahead;
}

/** Publishes a day that was read, or keeps the current version. Called in the order of the days. */
type Publish = () => Promise<ExportedDay>;

/** Reads a day of the service, unless its rows are known. Throws ReconError if the run cannot go on. */
async function prepareDay(
  { day, headers: list }: DayWithList,
  request: ExportRequest & Omit<DayRequest, 'tables'>,
): Promise<Publish> {
  const { source, folder, settings, names, deep, isNight = false } = request;
  const headers = await list.catch((error: unknown) => {
    if (isNight && concernsOneSettlement(error)) return error;
    throw error;
  });
  if (headers instanceof ReconError) return async () => unlistedDay(day, headers);
  const current = await currentVersion(folder.days.get(day), day);
  if (isNight && headers.settlements.length === 0 && (await isLostData(day, current, request))) {
    return async () => ({ ...unwrittenDay(day, { about: 'delisted' }), isDelisted: true });
  }
  const unusual = unusualScales(headers.settlements, settings.expectedScales);
  const finished = (exported: ExportedDay): ExportedDay => ({
    ...exported,
    unusualScales: unusual.reduce((sum, one) => sum + one.settlements, 0),
    problems: [
      ...exported.problems,
      ...unusual.map((scale) => ({ about: 'unusual_scale' as const, scale })),
    ],
  });
  const wanted = daySettings(settings, names, headers.settlements);
  const reusable = deep ? undefined : reusableVersion(current, headers);
  const { writesTables } = folder;
  const mustRebuild = writesTables && current.state === 'intact' && !(await hasAllTables(current));
  if (reusable?.manifest.settingsDigest === settingsDigest(wanted) && !mustRebuild) {
    return async () => finished(unchangedDay(reusable.manifest));
  }
  const build = await folder.startDay(day);
  const tables = writesTables ? { profile: request.scope.profile ?? '' } : undefined;
  const from = reusable ? sourceOf(reusable) : source;
  const read = await readDay(build, headers, from, { ...request, tables });
  return async () =>
    finished(await publishDay({ build, read, settings: wanted, current, mustRebuild }, request));
}

/** Whether a damaged day that the service no longer lists may have settlements. */
async function isLostData(day: string, current: CurrentVersion, { folder }: ExportRequest) {
  if (current.state !== 'damaged') return false;
  const place = folder.days.get(day) ?? '';
  const manifest = await readManifest(place, day);
  if ('counts' in manifest && manifest.complete) {
    const { balanced, out_of_balance, pending } = manifest.counts.settlements;
    return balanced + out_of_balance + pending > 0;
  }
  const path = join(place, sourceName);
  const before = await DaySource.open(path).catch(() => undefined);
  // If its list cannot be read, it may have some.
  return before?.headers.settlements.length !== 0;
}

function unlistedDay(day: string, unlisted: ReconError): ExportedDay {
  return { ...unwrittenDay(day, { about: 'unlisted', reason: unlisted.message }), unlisted };
}

function sourceOf({ folder, manifest }: Extract<CurrentVersion, { state: 'intact' }>): Source {
  return new ExportSource({ days: new Map([[manifest.day, folder]]), areChecked: true });
}

/** Makes days again whose tables are missing or changed, from their own source and settings. Yields every day. */
export async function* addTables(
  request: Pick<ExportRequest, 'folder' | 'clock' | 'tool' | 'keep'>,
): AsyncGenerator<ExportedDay, void, void> {
  const memory = new RowMemory(memoryLimit);
  const { folder } = request;
  for (const day of [...folder.days.keys()].sort(byText)) {
    const current = await currentVersion(folder.days.get(day), day);
    if (current.state !== 'intact') {
      yield unwrittenDay(day, { about: 'changed' });
      continue;
    }
    const { profile, host, filters, settings } = current.manifest;
    if (await hasAllTables(current)) {
      yield unchangedDay(current.manifest);
      continue;
    }
    const source = sourceOf(current);
    const headers = await source.headers({ range: { from: day, to: day }, filters });
    const build = await folder.startDay(day);
    const read = await readDay(build, headers, source, {
      filters,
      settings: reconcileSettings(settings),
      names: new Map(Object.entries(settings.names)),
      ahead: 1,
      priority: 0,
      memory,
      tables: { profile: profile ?? '' },
      onProgress: () => {},
    });
    const scope = { profile, host, filters };
    const rebuilt = { build, read, settings, current, mustRebuild: true };
    yield await publishDay(rebuilt, { ...request, scope });
  }
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
async function publishDay(day: DayToPublish, request: PublishRequest): Promise<ExportedDay> {
  const { build, read, current } = day;
  const isAsked = request.evenIncomplete?.has(build.day) ?? false;
  const change = changeOf(day);
  const state = stateOf(day, change, isAsked);
  const exported = exportedDay(build.day, state, read);
  if (state === 'incomplete' || state === 'unchanged') {
    await build.discard();
    if (!isAsked || state === 'unchanged' || current.state === 'none') return exported;
    const about = current.state === 'damaged' ? 'kept_damaged' : 'kept_complete';
    return { ...exported, problems: [...exported.problems, { about }] };
  }
  const { changes, restatements } = await writeChanges(build, change, current);
  if (state === 'restated' && isOnlyReadWorse(restatements)) {
    await build.discard();
    return { ...exported, state: 'unchanged' };
  }
  const tables = await closeTables(day, changes);
  if (tables instanceof TooLargeError) {
    await build.discard();
    return unwrittenDay(build.day, { about: 'too_large', reason: tables.message });
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

function unchangedDay({ day, verdict, counts, unread = [] }: Manifest): ExportedDay {
  const settlements = { ...emptyReport.settlements, ...counts.settlements };
  const { transactions } = counts;
  return { ...emptyReport, day, state: 'unchanged', verdict, settlements, transactions, unread };
}

function unwrittenDay(day: string, problem: Problem): ExportedDay {
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

/** Whether the only change is that rows of pending settlements could not be fully read this time. */
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
