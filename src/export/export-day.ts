import { join } from 'node:path';
import type { Progress } from '../app/read-settlements.ts';
import { daysOf } from '../base/calendar.ts';
import type { Clock } from '../base/clock.ts';
import { readBlocks } from '../base/files.ts';
import type { DateRange, HeaderList, Source } from '../model/source.ts';
import { unusualScales } from '../reconcile/unusual-scales.ts';
import { serviceSays } from '../reconcile/verdict.ts';
import { scaleTexts } from '../report/common/words.ts';
import type { DayState, ExportedDay, SettlementRestatement } from '../report/export/report.ts';
import { problemsOf } from '../report/export/words.ts';
import { previousVersion, type SoundVersion } from './check-day.ts';
import { startCsv } from './csv-file.ts';
import type { DayBuild } from './day-build.ts';
import { type DaySettings, daySchema, daySettings, settingsDigest } from './day-settings.ts';
import type { ExportFolder } from './export-folder.ts';
import { ExportSource } from './export-source.ts';
import { manifestName, sourceName } from './layout.ts';
import { formatManifest, type Manifest, type ManifestFile } from './manifest.ts';
import { type DayRequest, type ReadDay, readDay } from './read-day.ts';
import { changeColumns, compareVersions } from './restatement.ts';
import type { ExportScope } from './scope.ts';
import { headerLines } from './source-writer.ts';

/** The version in place, if there is one, or that its files are not those that were written. */
type Previous = Awaited<ReturnType<typeof previousVersion>>;

/** How days are exported. */
export interface ExportRequest extends DayRequest {
  readonly source: Source;
  readonly folder: ExportFolder;
  readonly scope: ExportScope;
  readonly clock: Clock;
  /** The version of `recon`. */
  readonly tool: string;
  /** Whether rows are read even where the headers say that nothing has changed. */
  readonly deep: boolean;
  /** How many superseded versions of a day stay; undefined for all. */
  readonly keep: number | undefined;
}

const changesName = 'changes.csv';

/** Only a restatement leaves something behind that was right once. */
const publications = {
  written: 'first',
  restated: 'restatement',
  recomputed: 'recomputed',
  repaired: 'recomputed',
} as const;

/**
 * Exports a day of the service: reads it, compares it with what is in place, and replaces that where
 * it differs. A day that can't be read whole leaves what is in place alone. Throws ReconError where
 * the run can't go on.
 */
async function exportDay(day: string, request: ExportRequest): Promise<ExportedDay> {
  const { source, filters, settings } = request;
  const headers = await source.headers({ range: { from: day, to: day }, filters });
  const exported = await exportListed(day, headers, request);
  const unusual = unusualScales(headers.settlements, settings.expectedScales);
  return {
    ...exported,
    unusualScales: unusual.reduce((sum, one) => sum + one.settlements, 0),
    problems: [...exported.problems, ...scaleTexts(unusual).map((text) => ({ text }))],
  };
}

/** All but what the headers alone say. */
type Exported = Omit<ExportedDay, 'unusualScales'>;

async function exportListed(
  day: string,
  headers: HeaderList,
  request: ExportRequest,
): Promise<Exported> {
  const { source, folder, settings, names, deep } = request;
  const previous = await previousVersion(folder.days.get(day), day);
  const wanted = daySettings(settings, names, headers.settlements);
  const settled = deep ? undefined : settledVersion(previous, headers);
  if (settled?.manifest.settingsDigest === settingsDigest(wanted)) {
    return unchangedDay(settled.manifest);
  }
  const build = await folder.startDay(day);
  try {
    const rows = settled ? sourceOf(settled) : source;
    const onProgress = (progress: Progress) => request.onProgress({ ...progress, day });
    const read = await readDay(build, headers, rows, { ...request, onProgress });
    return await publishDay(build, read, wanted, previous, request);
  } finally {
    // Once it is published, there is nothing left to discard.
    await build.discard();
  }
}

/** The version in place, where the headers say that its rows can't have changed since. */
function settledVersion(previous: Previous, headers: HeaderList): SoundVersion | undefined {
  if (!previous || previous === 'damaged') return undefined;
  const isSettled =
    headers.unsteady === undefined &&
    headers.unreadable.length === 0 &&
    headers.settlements.every(({ status }) => serviceSays(status) === 'balanced') &&
    previous.manifest.verdict === 'balanced' &&
    textOf(headers) === textOf(previous.headers);
  return isSettled ? previous : undefined;
}

function textOf(headers: Pick<HeaderList, 'settlements' | 'conflicts'>): string {
  return [...headerLines(headers)].join('\n');
}

/** The rows of a version, in place of the service's. */
function sourceOf({ folder, manifest }: SoundVersion): Source {
  return new ExportSource({ days: new Map([[manifest.day, folder]]), areChecked: true });
}

async function publishDay(
  build: DayBuild,
  read: ReadDay,
  settings: DaySettings,
  previous: Previous,
  request: ExportRequest,
): Promise<Exported> {
  const { verdict, counts, transactions } = read.report.run;
  if (verdict === 'incomplete') return exportedDay(build.day, 'incomplete', read);
  const state = stateOf(read, settings, previous);
  if (state === 'unchanged') return exportedDay(build.day, state, read);

  const changes = await writeChanges(build, state, previous);
  const manifest = await build.file(manifestName);
  await manifest.write(
    formatManifest({
      schema: daySchema,
      tool: request.tool,
      ...request.scope,
      day: build.day,
      settings,
      settingsDigest: settingsDigest(settings),
      verdict,
      complete: true,
      counts: { settlements: counts, transactions },
      totals: read.totals,
      contentSha256: read.contentSha256,
      files: { ...read.files, ...changes.files },
      exportedAt: new Date(request.clock.now()).toISOString(),
    }),
  );
  await manifest.close();
  await build.seal();
  await request.folder.publish(build, publications[state], request.keep);
  return exportedDay(build.day, state, read, changes.restatements);
}

function stateOf(
  { contentSha256 }: ReadDay,
  settings: DaySettings,
  previous: Previous,
): Exclude<DayState, 'incomplete'> {
  if (!previous) return 'written';
  if (previous === 'damaged') return 'repaired';
  const { manifest } = previous;
  if (manifest.contentSha256 !== contentSha256) return 'restated';
  return manifest.settingsDigest === settingsDigest(settings) ? 'unchanged' : 'recomputed';
}

interface ChangesWritten {
  readonly files: Readonly<Record<string, ManifestFile>>;
  readonly restatements: readonly SettlementRestatement[];
}

/** What a new version says of the one before it: computing a day again does not unsay it. */
async function writeChanges(
  build: DayBuild,
  state: DayState,
  previous: Previous,
): Promise<ChangesWritten> {
  const nothing = { files: {}, restatements: [] };
  if (!previous || previous === 'damaged') return nothing;
  if (state === 'restated') return compareWith(build, previous);
  const known = previous.manifest.files[changesName];
  if (state !== 'recomputed' || !known) return nothing;
  const file = await build.file(changesName);
  for await (const block of readBlocks(join(previous.folder, changesName))) await file.write(block);
  const { rows } = known;
  return { files: { [changesName]: { rows, ...(await file.close()) } }, restatements: [] };
}

async function compareWith(build: DayBuild, { folder }: SoundVersion): Promise<ChangesWritten> {
  const file = await startCsv(build, changesName, changeColumns);
  const versions = compareVersions(join(folder, sourceName), join(build.folder, sourceName));
  let step = await versions.next();
  for (; !step.done; step = await versions.next()) await file.add(step.value);
  return { files: { [changesName]: await file.close() }, restatements: step.value };
}

function exportedDay(
  day: string,
  state: DayState,
  read: ReadDay,
  restatements: readonly SettlementRestatement[] = [],
): Exported {
  const { verdict, counts, transactions } = read.report.run;
  return {
    day,
    state,
    verdict,
    settlements: counts,
    transactions,
    restatements,
    problems: problemsOf(read.report),
  };
}

function unchangedDay({ day, verdict, counts }: Manifest): Exported {
  return {
    day,
    state: 'unchanged',
    verdict,
    settlements: { ...counts.settlements, incomplete: 0 },
    transactions: counts.transactions,
    restatements: [],
    problems: [],
  };
}

/**
 * Exports the days of a range one after the other, and yields each when it is done. Throws
 * ReconError where the run can't go on; the days before stand.
 */
export async function* exportDays(
  range: DateRange,
  request: ExportRequest,
): AsyncGenerator<ExportedDay, void, void> {
  for (const day of daysOf(range)) {
    const exported = await exportDay(day, request);
    if (exported.state !== 'incomplete') await request.folder.bind();
    yield exported;
  }
}
