import { join } from 'node:path';
import { concernsOneSettlement, type Progress } from '../app/read-settlements.ts';
import type { Clock } from '../base/clock.ts';
import { ReconError } from '../base/errors.ts';
import { readBlocks } from '../base/files.ts';
import { drained, mapOrdered } from '../base/ordered.ts';
import { TooLargeError } from '../lake/held-column.ts';
import type { HeaderList, Source } from '../model/source.ts';
import { unreadPendings } from '../reconcile/computed.ts';
import type { Verdict } from '../reconcile/reconciled.ts';
import { unusualScales } from '../reconcile/unusual-scales.ts';
import { serviceSays } from '../reconcile/verdict.ts';
import { scaleTexts } from '../report/common/words.ts';
import type {
  DayState,
  ExportedDay,
  FieldChange,
  Problem,
  SettlementRestatement,
} from '../report/export/report.ts';
import { keptTexts, problemsOf } from '../report/export/words.ts';
import { previousVersion, type SoundVersion } from './check-day.ts';
import { hasSoundTables } from './check-tables.ts';
import { startCsv } from './csv-file.ts';
import type { DayBuild } from './day-build.ts';
import { type DaySettings, daySettings, settingsDigest } from './day-settings.ts';
import { DaySource, type SourceHeaders } from './day-source.ts';
import type { ExportFolder } from './export-folder.ts';
import { ExportSource } from './export-source.ts';
import { manifestName, sourceName } from './layout.ts';
import {
  formatManifest,
  isPublishedIncomplete,
  judgementOf,
  type Manifest,
  type ManifestFile,
} from './manifest.ts';
import { type DayRequest, type ReadDay, readDay } from './read-day.ts';
import { changeColumns, compareVersions } from './restatement.ts';
import { RowMemory } from './row-store.ts';
import type { ExportScope } from './scope.ts';
import { headerLines } from './source-writer.ts';

/** Bytes that the rows of all settlements under way may hold in memory together. */
export const memoryLimit = 24 * 1024 * 1024;

/** The version in place, if there is one, or that its files are not those that were written. */
type Previous = Awaited<ReturnType<typeof previousVersion>>;

/** How days are exported. */
export interface ExportRequest extends Omit<DayRequest, 'memory' | 'place' | 'tablesOf'> {
  readonly source: Source;
  /** Ends what the source has under way. */
  readonly stop: () => Promise<void>;
  readonly folder: ExportFolder;
  readonly scope: ExportScope;
  readonly clock: Clock;
  /** The version of `recon`. */
  readonly tool: string;
  /** Whether rows are read even where the headers say that nothing has changed. */
  readonly deep: boolean;
  /** How many superseded versions of a day stay; undefined for all. */
  readonly keep: number | undefined;
  /** Days that are published even if they can't be read whole; absent for none. */
  readonly evenIncomplete?: ReadonlySet<string>;
  /** Whether a day whose list can't be read is incomplete, and the others are read all the same. */
  readonly passesOver?: boolean;
}

/** How a day that was read takes its place. */
interface Publishing
  extends Pick<ExportRequest, 'folder' | 'scope' | 'clock' | 'tool' | 'keep' | 'evenIncomplete'> {
  /** Whether the version in place is to have tables for SQL engines, and has none that are sound. */
  readonly lacksTables: boolean;
}

type Reading = ExportRequest & Omit<DayRequest, 'tablesOf'>;

const changesName = 'changes.csv';

/** Ends a day that was read, when its turn has come: it takes its place, or is left as it was. */
type Finish = () => Promise<ExportedDay>;

/**
 * Reads a day of the service, and compares it with what is in place, which `Finish` replaces where it
 * differs. A day that can't be read whole leaves what is in place alone. Throws ReconError where the
 * run can't go on.
 */
async function readAhead({ day, listed }: ListedDay, request: Reading): Promise<Finish> {
  const { source, folder, settings, names, deep, passesOver = false } = request;
  const headers = await listed.catch((error: unknown) => {
    if (passesOver && concernsOneSettlement(error)) return error;
    throw error;
  });
  if (headers instanceof ReconError) return async () => unlistedDay(day, headers);
  const previous = await previousVersion(folder.days.get(day), day);
  if (previous === 'damaged' && passesOver && headers.settlements.length === 0) {
    const path = join(folder.days.get(day) ?? '', sourceName);
    const before = await DaySource.open(path).catch(() => undefined);
    // What is left of it would be lost, and can't be read again.
    if (before?.headers.settlements.length !== 0) {
      const problem: Problem = { text: delistedText, obstacle: 'not_read' };
      return async () => ({ ...unwrittenDay(day, problem), isDelisted: true });
    }
  }
  const unusual = unusualScales(headers.settlements, settings.expectedScales);
  const finished = (exported: Exported): ExportedDay => ({
    ...exported,
    unusualScales: unusual.reduce((sum, one) => sum + one.settlements, 0),
    problems: [...exported.problems, ...scaleTexts(unusual).map((text) => ({ text }))],
  });
  const wanted = daySettings(settings, names, headers.settlements);
  const settled = deep ? undefined : settledVersion(previous, headers);
  const { hasTables } = folder;
  const isSound = previous !== undefined && previous !== 'damaged';
  const lacksTables = hasTables && isSound && !(await hasSoundTables(previous));
  if (settled?.manifest.settingsDigest === settingsDigest(wanted) && !lacksTables) {
    // Where a status is unknown, the version in place is not settled.
    return async () => finished(unchangedDay(settled.manifest));
  }
  const build = await folder.startDay(day);
  const tablesOf = hasTables ? (request.scope.profile ?? '') : undefined;
  const how = { ...request, tablesOf, lacksTables };
  const read = await readDay(build, headers, settled ? sourceOf(settled) : source, how);
  return async () => finished(await publishDay(build, read, wanted, previous, how));
}

const delistedText =
  'Its files were altered, and the service no longer lists its settlements. Restore the files from a backup, or move the folder of that day away.';

/** A day whose version in place says all that there is to say. */
export function unchangedDay({ day, verdict, counts, unread = [] }: Manifest): ExportedDay {
  return {
    day,
    state: 'unchanged',
    verdict,
    settlements: { incomplete: 0, ...counts.settlements },
    transactions: counts.transactions,
    ...nothingSaid,
    unread,
  };
}

/** A day of which nothing is known, for its list of settlements could not be read. */
function unlistedDay(day: string, unlisted: ReconError): ExportedDay {
  const text = `The list of settlements could not be read: ${unlisted.message}`;
  return { ...unwrittenDay(day, { text, obstacle: 'not_read' }), unlisted };
}

/** A day of which nothing can be written, and why. */
export function unwrittenDay(day: string, problem: Problem): ExportedDay {
  return {
    day,
    state: 'incomplete',
    verdict: 'incomplete',
    settlements: { balanced: 0, out_of_balance: 0, pending: 0, incomplete: 0 },
    transactions: 0,
    ...nothingSaid,
    problems: [problem],
  };
}

const nothingSaid = {
  ...{ unread: [], unknownStatuses: 0, unusualScales: 0 },
  ...{ restatements: [], problems: [] },
};

/** All but what the headers alone say. */
type Exported = Omit<ExportedDay, 'unusualScales'>;

/** The version in place, where the headers say that its rows can't have changed since. */
export function settledVersion(previous: Previous, headers: HeaderList): SoundVersion | undefined {
  if (!previous || previous === 'damaged') return undefined;
  const isSettled =
    headers.unsteady === undefined &&
    headers.unreadable.length === 0 &&
    headers.settlements.every(({ status }) => serviceSays(status) === 'balanced') &&
    previous.manifest.verdict === 'balanced' &&
    textOf(headers) === textOf(previous.headers);
  return isSettled ? previous : undefined;
}

function textOf(headers: SourceHeaders): string {
  return [...headerLines(headers)].join('\n');
}

/** The rows of a version, in place of the service's. */
export function sourceOf({ folder, manifest }: SoundVersion): Source {
  return new ExportSource({ days: new Map([[manifest.day, folder]]), areChecked: true });
}

/** Puts a day that was read into its place, or discards it where that is not to be replaced. */
export async function publishDay(
  build: DayBuild,
  read: ReadDay,
  settings: DaySettings,
  previous: Previous,
  request: Publishing,
): Promise<Exported> {
  const { day } = build;
  const { verdict, counts, transactions, totals } = read.report.run;
  const unknownStatuses = totals.reduce((sum, one) => sum + one.unknownStatus.settlements, 0);
  const change = changeOf(read, settings, previous, request);
  const isAsked = request.evenIncomplete?.has(day) ?? false;
  // Tables say no more of an incomplete day than its other files do.
  const isSameData = change === 'recomputed' && request.lacksTables;
  const state = stateOf(change, verdict, previous, isAsked || isSameData);
  const exported = {
    day,
    state,
    verdict,
    settlements: counts,
    transactions,
    unread: unreadPendings(read.report.run.settlements),
    unknownStatuses,
  };
  const problems = problemsOf(read.report);
  if (state === 'incomplete' || change === 'unchanged') {
    await build.discard();
    const inTheWay = isAsked && state === 'incomplete' && previous;
    const kept = inTheWay === 'damaged' ? inTheWay : 'complete';
    const why = inTheWay ? [{ text: keptTexts[kept] }] : [];
    return { ...exported, restatements: [], problems: [...problems, ...why] };
  }
  const { files, restatements } = await writeChanges(build, change, previous);
  // Rows of pending settlements that were read before: nobody has restated them.
  if (state === 'restated' && restatements.every(isOnlyReadWorse)) {
    await build.discard();
    return { ...exported, state: 'unchanged', restatements: [], problems };
  }
  const tables = await read.tables
    ?.close({
      report: read.report,
      settings,
      contentSha256: read.contentSha256,
      changes: files[changesName] && join(build.folder, changesName),
    })
    .catch((error: unknown) => {
      if (error instanceof TooLargeError) return error;
      throw error;
    });
  if (tables instanceof TooLargeError) {
    await build.discard();
    return unwrittenDay(day, { text: tables.message });
  }
  const manifest = await build.file(manifestName);
  await manifest.write(
    formatManifest({
      tool: request.tool,
      ...request.scope,
      day,
      settings,
      settingsDigest: settingsDigest(settings),
      ...judgementOf(read.report.run),
      totals: read.totals,
      contentSha256: read.contentSha256,
      files: { ...read.files, ...files },
      ...(tables && { tables }),
      exportedAt: new Date(request.clock.now()).toISOString(),
    }),
  );
  await manifest.close();
  await build.seal();
  // A version with the same data, or with files that were altered, isn't worth keeping.
  const keepsReplaced = change !== 'recomputed' && change !== 'repaired';
  await request.folder.publish(build, keepsReplaced, request.keep);
  return { ...exported, restatements, problems };
}

/** Whether all that differs is that the rows could not be read whole this time. */
function isOnlyReadWorse({ change, fields }: SettlementRestatement): boolean {
  const isWorse = ({ field, after }: FieldChange) => field === 'rows_read' && after !== 'yes';
  return change === 'changed' && fields.length > 0 && fields.every(isWorse);
}

/** How a day differs from the version in place. */
type DayChange = 'written' | 'restated' | 'recomputed' | 'repaired' | 'unchanged';

function changeOf(
  { contentSha256 }: ReadDay,
  settings: DaySettings,
  previous: Previous,
  { lacksTables }: Publishing,
): DayChange {
  if (!previous) return 'written';
  if (previous === 'damaged') return 'repaired';
  const { manifest } = previous;
  if (manifest.contentSha256 !== contentSha256) return 'restated';
  const isSame = manifest.settingsDigest === settingsDigest(settings) && !lacksTables;
  return isSame ? 'unchanged' : 'recomputed';
}

/**
 * What becomes of a day that differs like this. An incomplete version takes the place of none, or of
 * another incomplete one, and only where it was asked for: never that of a complete one, nor of one
 * that was altered and may have been complete.
 */
function stateOf(
  change: DayChange,
  verdict: Verdict,
  previous: Previous,
  isAsked: boolean,
): DayState {
  if (change === 'unchanged') return change;
  const wasIncomplete =
    previous && previous !== 'damaged' && isPublishedIncomplete(previous.manifest);
  if (verdict !== 'incomplete') return wasIncomplete ? 'completed' : change;
  return isAsked && (!previous || wasIncomplete) ? 'published_incomplete' : 'incomplete';
}

/** What a new version says of the one before it: computing a day again does not unsay it. */
async function writeChanges(build: DayBuild, change: DayChange, previous: Previous) {
  let restatements: readonly SettlementRestatement[] = [];
  let written: ManifestFile | undefined;
  if (previous && previous !== 'damaged') {
    const { folder, manifest } = previous;
    const known = manifest.files[changesName];
    if (change === 'restated') {
      const file = await startCsv(build, changesName, changeColumns);
      const versions = compareVersions(join(folder, sourceName), join(build.folder, sourceName));
      restatements = await drained(versions, file.add);
      written = await file.close();
    } else if (change === 'recomputed' && known) {
      const file = await build.file(changesName);
      for await (const block of readBlocks(join(folder, changesName))) await file.write(block);
      written = { rows: known.rows, ...(await file.close()) };
    }
  }
  return { files: written ? { [changesName]: written } : {}, restatements };
}

/** Days that are read at the same time, at most: the next ones' requests take the connections that are free. */
const daysAhead = 5;
/** Days whose headers are asked for before that: few requests, each of which waits for the one before. */
const daysListedAhead = 32;

interface ListedDay {
  readonly day: string;
  readonly listed: Promise<HeaderList>;
}

/** Days in their order, whose headers are asked for long before their turn comes. */
function* listAhead(
  days: Iterable<string>,
  list: (day: string) => Promise<HeaderList>,
): Generator<ListedDay, void, void> {
  const ahead: ListedDay[] = [];
  for (const day of days) {
    ahead.push({ day, listed: list(day) });
    if (ahead.length === daysListedAhead) yield* ahead.splice(0, 1);
  }
  yield* ahead;
}

/**
 * Exports days (YYYY-MM-DD) in the order given, and yields each when it is done, while the next ones
 * are read. Throws ReconError where the run can't go on; the days before stand.
 */
export async function* exportDays(
  days: Iterable<string>,
  request: ExportRequest,
): AsyncGenerator<ExportedDay, void, void> {
  const memory = new RowMemory(memoryLimit);
  const ahead = Math.min(daysAhead, request.ahead);
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
  const begin = (listed: ListedDay, index: number) => {
    const { day } = listed;
    const onProgress = (progress: Progress) => {
      if (index === done) request.onProgress({ ...progress, day });
    };
    return watched(readAhead(listed, { ...request, memory, onProgress, place: index }));
  };
  try {
    for await (const finish of mapOrdered(listAhead(days, list), ahead, begin)) {
      const exported = await finish();
      if (exported.state !== 'incomplete') await request.folder.bind();
      done += 1;
      yield exported;
    }
  } finally {
    if (underWay.size > 0) await request.stop();
    await Promise.all(underWay);
  }
}
