import { join } from 'node:path';
import type { ExportedDay } from '../app/export-result.ts';
import { concernsOneSettlement, type Progress } from '../app/read-settlements.ts';
import { ReconError } from '../base/errors.ts';
import { mapOrdered } from '../base/ordered.ts';
import { byText } from '../base/texts.ts';
import { lakeTableNames } from '../lake/tables.ts';
import type { Names, Settlement } from '../model/settlement.ts';
import type { HeaderList, Source } from '../model/source.ts';
import { unusualScales } from '../reconcile/checks.ts';
import type { ReconcileSettings } from '../reconcile/subject.ts';
import { serviceSays } from '../reconcile/verdict.ts';
import { scaleTexts } from '../report/common/words.ts';
import {
  type CurrentVersion,
  compareTables,
  currentVersion,
  type IntactVersion,
} from './check-day.ts';
import { DaySource } from './day-source.ts';
import { ExportSource } from './export-source.ts';
import { sourceName } from './layout.ts';
import { type DaySettings, reconcileSettings, settingsDigest } from './manifest.ts';
import { type PublishRequest, publishDay, unchangedDay, unwrittenDay } from './publish-day.ts';
import { type DayRequest, readDay } from './read-day.ts';
import { RowMemory } from './row-store.ts';
import { headerLines, type SourceHeaders } from './source-line.ts';

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
    const problem = { text: delistedText, obstacle: 'not_read' } as const;
    return async () => ({ ...unwrittenDay(day, problem), isDelisted: true });
  }
  const unusual = unusualScales(headers.settlements, settings.expectedScales);
  const finished = (exported: ExportedDay): ExportedDay => ({
    ...exported,
    unusualScales: unusual.reduce((sum, one) => sum + one.settlements, 0),
    problems: [...exported.problems, ...scaleTexts(unusual).map((text) => ({ text }))],
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

/** Whether a damaged day, of which the service lists nothing now, may have settlements left. */
async function isLostData(day: string, current: CurrentVersion, { folder }: ExportRequest) {
  if (current.state !== 'damaged') return false;
  const path = join(folder.days.get(day) ?? '', sourceName);
  const before = await DaySource.open(path).catch(() => undefined);
  // If its list cannot be read, it may have some.
  return before?.headers.settlements.length !== 0;
}

const delistedText =
  'Its files were altered, and the service no longer lists its settlements. Restore the files from a backup, or move the folder of that day away.';

function unlistedDay(day: string, unlisted: ReconError): ExportedDay {
  const text = `The list of settlements could not be read: ${unlisted.message}`;
  return { ...unwrittenDay(day, { text, obstacle: 'not_read' }), unlisted };
}

/** The current version, if its rows need not be fetched again: it balances, and has the same headers. */
export function reusableVersion(
  current: CurrentVersion,
  headers: HeaderList,
): IntactVersion | undefined {
  if (current.state !== 'intact') return undefined;
  const isReusable =
    headers.unsteady === undefined &&
    headers.unreadable.length === 0 &&
    headers.settlements.every(({ status }) => serviceSays(status) === 'balanced') &&
    current.manifest.verdict === 'balanced' &&
    textOf(headers) === textOf(current.headers);
  return isReusable ? current : undefined;
}

const textOf = (headers: SourceHeaders): string => [...headerLines(headers)].join('\n');

function sourceOf({ folder, manifest }: IntactVersion): Source {
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
      yield unwrittenDay(day, { text: changedText });
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

const changedText = 'Its files have changed since they were written. Export this day again.';

async function hasAllTables({ folder, manifest }: IntactVersion): Promise<boolean> {
  const isNamed = lakeTableNames.every((table) => manifest.tables?.[table]);
  return isNamed && (await compareTables(folder, manifest)).length === 0;
}

function daySettings(
  { identity, tolerance, ignored, expectedScales, rules }: ReconcileSettings,
  names: Names,
  settlements: readonly Settlement[],
): DaySettings {
  const tokens = new Set(settlements.map((one) => one.accountingToken));
  const sorted = <Value>(table: Iterable<readonly [string, Value]>) =>
    Object.fromEntries([...table].sort(([a], [b]) => byText(a, b)));
  return {
    identity,
    tolerance: String(tolerance),
    ignored: [...new Set(ignored)].sort(byText),
    expectedScales: sorted(expectedScales),
    rules,
    names: sorted([...names].filter(([token]) => tokens.has(token))),
  };
}
