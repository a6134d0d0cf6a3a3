import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { ExportProblem, UnreadDay, VerifyReport } from '../app/export-result.ts';
import { daysOf, spanOf } from '../base/calendar.ts';
import { readBlocks } from '../base/files.ts';
import { listFolder } from '../base/folders.ts';
import { append, keysOf, tableOf } from '../base/lists.ts';
import { drained } from '../base/ordered.ts';
import { byText } from '../base/texts.ts';
import { isOfCatalogue, lakeFolder, lakeTableNames, publishedTablePath } from '../lake/tables.ts';
import type { DateRange } from '../model/source.ts';
import { compareTables, compareWithManifest, readManifest } from './check-day.ts';
import { unpack } from './day-source.ts';
import { planRecovery } from './export-folder.ts';
import { reconcileAgain } from './export-source.ts';
import { layout, manifestName, sourceName, supersededPath } from './layout.ts';
import { type ExportListing, readExportListing } from './listing.ts';
import {
  ControlTotals,
  isPublishedIncomplete,
  type Manifest,
  reconciledFields,
  settingsDigest,
} from './manifest.ts';
import { requireScope } from './scope.ts';

/**
 * Compares everything in the folder of an export, superseded versions too, with the manifests, and the
 * manifests with the sources of the days; names the days missing in a range. Never writes, and does not
 * ask the service. ReconErrors: `usage` for a folder that is not an export, `damaged` for an altered scope.
 */
export async function verifyExport(folder: string, asked?: DateRange): Promise<VerifyReport> {
  const scope = await requireScope(folder);
  const listing = await readExportListing(folder);
  // Days of interrupted replacements count too.
  const range = asked ?? spanOf([...listing.days.keys(), ...listing.intents.map(({ day }) => day)]);
  const problems: ExportProblem[] = listing.blocked.map((path) => ({ path, code: 'blocked' }));
  const sound = new Set<string>();
  // A day between the two renames of its replacement has its tables, and no folder.
  const tabled = listing.intents.map(({ day }) => day);
  for (const { path, day } of versionsIn(listing)) {
    const { manifest, problems: found } = await verifyVersion(join(folder, path), day);
    // Superseded versions have no tables.
    const hasTables = manifest?.tables !== undefined && path === day;
    const ofDay = [
      ...found.map((one) => ({ ...one, path: join(path, one.path) })),
      ...(hasTables ? await compareTables(join(folder, day), manifest) : []),
    ];
    append(problems, ofDay);
    if (ofDay.length === 0) sound.add(path);
    if (hasTables) tabled.push(day);
  }
  const { strays, catalogues } = await besideTables(folder, tabled);
  append(problems, strays);
  const wanted = range ? [...daysOf(range)] : [];
  const names = ((await listFolder(folder)) ?? []).map(({ name }) => name);
  return {
    folder,
    profile: scope.profile,
    host: scope.host,
    range,
    sound: wanted.filter((day) => sound.has(day)).length,
    missing: wanted.filter((day) => !listing.days.has(day)),
    problems,
    catalogues,
    ...(await partialDays(
      new Map([...listing.days.keys()].map((day) => [day, join(folder, day)])),
    )),
    isLocked: names.includes(layout.lock),
    unfinished: planRecovery(listing).map(describe),
  };
}

function versionsIn({ days, superseded }: ExportListing) {
  return [
    ...[...days.keys()].map((day) => ({ path: day, day })),
    ...superseded.map(({ day, number }) => ({ path: supersededPath(day, number), day })),
  ];
}

/** The days that are not complete by their manifests, in order. */
export async function partialDays(days: ReadonlyMap<string, string>) {
  const publishedIncomplete: string[] = [];
  const unread: UnreadDay[] = [];
  for (const [day, folder] of [...days].sort(([one], [other]) => byText(one, other))) {
    const manifest = await readManifest(folder, day);
    if ('code' in manifest) continue;
    if (isPublishedIncomplete(manifest)) publishedIncomplete.push(day);
    if (manifest.unread) unread.push({ day, settlementIds: manifest.unread });
  }
  return { publishedIncomplete, unread };
}

/** What a run over the `asked` days leaves undone in an export with these days and folders. */
export async function daysOutside(days: ReadonlyMap<string, string>, asked: readonly string[]) {
  const inside = new Set(asked);
  const span = spanOf(days.keys());
  const kinds = ['missing', 'pending', 'damaged', 'incomplete'] as const;
  const found = tableOf(kinds, (): string[] => []);
  for (const day of span ? daysOf(span) : []) {
    if (inside.has(day)) continue;
    const folder = days.get(day);
    const manifest = folder === undefined ? undefined : await readManifest(folder, day);
    if (!manifest) found.missing.push(day);
    else if ('code' in manifest) found.damaged.push(day);
    else if (isPublishedIncomplete(manifest)) found.incomplete.push(day);
    else if (manifest.counts.settlements.pending > 0) found.pending.push(day);
  }
  return found;
}

async function besideTables(root: string, days: readonly string[]) {
  const own = new Set(
    days.flatMap((day) => lakeTableNames.map((table) => publishedTablePath(table, day))),
  );
  const catalogues: string[] = [];
  const filesIn = async (path: string): Promise<readonly string[]> => {
    const entries = (await listFolder(join(root, path))) ?? [];
    const found = entries.map(async ({ name, isFolder }) => {
      const inside = join(path, name);
      if (!isFolder) return [inside];
      if (!isOfCatalogue(name)) return filesIn(inside);
      catalogues.push(inside);
      return [];
    });
    return (await Promise.all(found)).flat();
  };
  const strays = (await filesIn(lakeFolder)).filter((path) => !own.has(path));
  return {
    strays: strays.map((path) => ({ path, code: 'no_day' as const })),
    catalogues: catalogues.sort(byText),
  };
}

type ComparedDay = Awaited<ReturnType<typeof compareWithManifest>>;

/** What is wrong with a version of a day: its files, or if they are intact, its manifest. */
async function verifyVersion(folder: string, day: string): Promise<ComparedDay> {
  const checked = await verifyDayFolder(folder, day);
  const { manifest } = checked;
  if (!manifest || checked.problems.length > 0) return checked;
  const fields = await contradictedFields(folder, manifest);
  return {
    manifest,
    problems: fields.map((field) => ({
      path: manifestName,
      code: 'contradiction',
      values: [field],
    })),
  };
}

function describe(step: ReturnType<typeof planRecovery>[number]): string {
  switch (step.do) {
    case 'move':
    case 'install':
      return `rename ${step.from} to ${step.to}`;
    case 'remove':
      return `remove ${step.path}`;
    case 'flush':
      return `flush ${step.path}`;
  }
}

/** Compares a day's folder with its manifest, also the rows of each file and which files there are. */
export async function verifyDayFolder(folder: string, day: string): Promise<ComparedDay> {
  const { manifest, problems: found } = await compareWithManifest(folder, day);
  if (!manifest) return { problems: found };
  const problems = [...found];
  for (const [file, { rows }] of Object.entries(manifest.files)) {
    if (found.some((problem) => problem.path === file)) continue;
    const counted = await countRows(join(folder, file), file === sourceName);
    if (counted.rows !== rows) {
      problems.push({ path: file, code: 'other_rows', values: [counted.rows, rows] });
    }
    if (file === sourceName && counted.sha256 !== manifest.contentSha256) {
      problems.push({ path: file, code: 'other_contents' });
    }
  }
  for (const { name: file } of (await listFolder(folder)) ?? []) {
    if (file === manifestName || Object.hasOwn(manifest.files, file)) continue;
    if (file === lakeFolder && manifest.tables) continue;
    problems.push({ path: file, code: 'only_in_folder' });
  }
  return { manifest, problems: problems.sort((one, other) => byText(one.path, other.path)) };
}

const quote = 34;
const lineFeed = 10;

/** Lines of the source, with the SHA-256 of its text; of CSV, the records below the header row. */
async function countRows(path: string, isSource: boolean) {
  const hash = createHash('sha256');
  let rows = isSource ? 0 : -1;
  let isQuoted = false;
  for await (const block of isSource ? unpack(path) : readBlocks(path)) {
    hash.update(block);
    for (const byte of block) {
      // A quote within a quoted cell is doubled, so it changes nothing.
      if (byte === quote && !isSource) isQuoted = !isQuoted;
      else if (byte === lineFeed && !isQuoted) rows += 1;
    }
  }
  return { rows, sha256: hash.digest('hex') };
}

/** The fields of a manifest that contradict the day's source and settings. Its files must be intact. */
async function contradictedFields(folder: string, manifest: Manifest) {
  const totals = new ControlTotals();
  const again = reconcileAgain(folder, manifest, { areChecked: true });
  const run = await drained(again, (one) => totals.add(one.reconciled.settlement, one.rows));
  const { verdict, complete, unread, counts } = reconciledFields(run);
  // Earlier manifests never named unread pendings, and could call such a day complete.
  const hasUnread = manifest.unread !== undefined;
  const derived = {
    settingsDigest: settingsDigest(manifest.settings),
    verdict,
    complete: hasUnread ? complete : run.complete,
    unread: hasUnread ? unread : undefined,
    counts,
    totals: totals.totals(),
  } satisfies Partial<Record<keyof Manifest, unknown>>;
  return keysOf(derived).filter(
    (field) => JSON.stringify(derived[field]) !== JSON.stringify(manifest[field]),
  );
}
