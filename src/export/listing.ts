import { join } from 'node:path';
import { daysOf, isDay, spanOf } from '../base/calendar.ts';
import { ReconError } from '../base/errors.ts';
import { failureCode, isAbsent, unreadable } from '../base/file-failures.ts';
import { readTextFile } from '../base/files.ts';
import { isClaim } from '../base/folder-lock.ts';
import { type FolderEntry, isDraft, listFolder } from '../base/folders.ts';
import { digestOfFile } from '../base/hashed-file.ts';
import { byText } from '../base/texts.ts';
import { lakeName } from '../lake/layout.ts';
import type { DaysOutside, UnreadDay } from '../report/export/report.ts';
import { readManifest } from './check-day.ts';
import {
  intentName,
  intentPath,
  layout,
  manifestName,
  noVersion,
  supersededName,
} from './layout.ts';
import { isPublishedIncomplete } from './manifest.ts';
import { type Intent, parseIntent } from './plan.ts';

/** What lies in the folder of an export. A *version* is the SHA-256 of a folder's manifest. */
export interface ExportListing {
  /** The days in place, in order, with their versions. */
  readonly days: ReadonlyMap<string, string>;
  /** Days in whose place something else than a folder stands. */
  readonly blocked: readonly string[];
  /** Versions that others have replaced; the numbers of a day's count from 1, the oldest. */
  readonly superseded: readonly Readonly<{ day: string; number: number; version: string }>[];
  /** What lies in `.building`: path to version. Nobody but the holder of the lock has use for it. */
  readonly building: ReadonlyMap<string, string>;
  readonly intents: readonly Intent[];
  /** Days, and paths in `.building`, whose folders hold tables that are not in their places yet. */
  readonly withTables: ReadonlySet<string>;
  /** Whether there are tables of days in their places. */
  readonly hasLake: boolean;
  /** Paths of files that were being written when something stopped. */
  readonly drafts: readonly string[];
}

/**
 * Lists the folder of an export, or what concerns one day there; all paths are relative to it.
 * Never writes. A folder that isn't there is empty; names that no export uses are left out.
 */
export async function readExportListing(folder: string, day?: string): Promise<ExportListing> {
  const entries = (await listFolder(folder)) ?? [];
  const isAskedFor = (one: string) => day === undefined || one === day;
  const inside = (name: string) => listInside(folder, name, entries);
  const inPlace = await daysAmong(folder, entries, isAskedFor);

  const withTables = new Set<string>();
  const noteTables = async (path: string) => {
    if (await listFolder(join(folder, path, lakeName))) withTables.add(path);
  };
  const days = new Map<string, string>();
  for (const name of inPlace.days) {
    days.set(name, await versionIn(join(folder, name)));
    await noteTables(name);
  }
  const superseded: ExportListing['superseded'][number][] = [];
  for (const { name, isFolder } of await inside(layout.superseded)) {
    const parts = supersededName(name);
    if (!isFolder || !parts || !isAskedFor(parts.day)) continue;
    const version = await versionIn(join(folder, layout.superseded, name));
    superseded.push({ ...parts, version });
  }
  const building = new Map<string, string>();
  for (const { name, isFolder } of await inside(layout.building)) {
    if (!isAskedFor(name.slice(0, 10))) continue;
    const path = join(layout.building, name);
    building.set(path, await versionIn(join(folder, path)));
    if (isFolder) await noteTables(path);
  }
  const draftIntents = (await inside(layout.intents)).filter(({ name }) => isDraft(name));
  return {
    ...inPlace,
    days,
    superseded: superseded.sort((one, other) => one.number - other.number),
    building,
    withTables,
    hasLake: (await inside(lakeName)).length > 0,
    drafts: [
      ...entries.filter(({ name }) => isDraft(name) || isClaim(name)).map(({ name }) => name),
      ...draftIntents.map(({ name }) => join(layout.intents, name)),
    ],
  };
}

/**
 * The days of an export, in order, and what is in the way of them: nothing is hashed for it. A folder
 * that isn't there has none.
 */
export async function readDaysInPlace(folder: string) {
  return daysAmong(folder, (await listFolder(folder)) ?? [], () => true);
}

async function daysAmong(
  folder: string,
  entries: readonly FolderEntry[],
  isAskedFor: (day: string) => boolean,
) {
  const atDays = entries.filter(({ name }) => isDay(name) && isAskedFor(name));
  const intents: Intent[] = [];
  for (const { name } of await listInside(folder, layout.intents, entries)) {
    const day = intentName(name);
    if (day === undefined || !isAskedFor(day)) continue;
    const path = join(folder, intentPath(day));
    const file = await readTextFile(path);
    if (file) intents.push(parseIntent(file.text, path, day));
  }
  return {
    days: atDays.filter((one) => one.isFolder).map((one) => one.name),
    blocked: atDays.filter((one) => !one.isFolder).map((one) => one.name),
    intents,
  };
}

/** The version of a day's folder: `none` without a manifest. */
export async function versionIn(folder: string): Promise<string> {
  const path = join(folder, manifestName);
  try {
    return (await digestOfFile(path)).sha256;
  } catch (error) {
    if (isAbsent(error) || failureCode(error) === 'EISDIR') return noVersion;
    throw unreadable(path, error);
  }
}

async function listInside(
  folder: string,
  name: string,
  entries: readonly FolderEntry[],
): Promise<readonly FolderEntry[]> {
  const entry = entries.find((one) => one.name === name);
  if (entry && !entry.isFolder) {
    throw new ReconError(
      'output',
      "A file or link is in the place of one of the export's folders.",
      {
        where: join(folder, name),
        hint: 'Put a folder there, on the same file system. Links are not followed.',
      },
    );
  }
  return (entry && (await listFolder(join(folder, name)))) ?? [];
}

/** Which of these days, of each its folder, are not whole by their manifests; in order. */
export async function partialDays(days: ReadonlyMap<string, string>) {
  const publishedIncomplete: string[] = [];
  const unread: UnreadDay[] = [];
  for (const [day, folder] of [...days].sort(([one], [other]) => byText(one, other))) {
    const manifest = await readManifest(folder, day);
    if ('message' in manifest) continue;
    if (isPublishedIncomplete(manifest)) publishedIncomplete.push(day);
    if (manifest.unread) unread.push({ day, settlementIds: manifest.unread });
  }
  return { publishedIncomplete, unread };
}

/** What a run over these days leaves undone in an export with the others, of each its folder. */
export async function daysOutside(
  days: ReadonlyMap<string, string>,
  asked: readonly string[],
): Promise<DaysOutside> {
  const inside = new Set(asked);
  const span = spanOf(days.keys());
  const outside = span ? [...daysOf(span)].filter((day) => !inside.has(day)) : [];
  const missing: string[] = [];
  const pending: string[] = [];
  const damaged: string[] = [];
  const incomplete: string[] = [];
  for (const day of outside) {
    const folder = days.get(day);
    const manifest = folder === undefined ? undefined : await readManifest(folder, day);
    if (!manifest) missing.push(day);
    else if ('message' in manifest) damaged.push(day);
    else if (isPublishedIncomplete(manifest)) incomplete.push(day);
    else if (manifest.counts.settlements.pending > 0) pending.push(day);
  }
  return { missing, pending, damaged, incomplete };
}
