import { join } from 'node:path';
import * as z from 'zod';
import { isDay } from '../base/calendar.ts';
import { ReconError } from '../base/errors.ts';
import { isAbsent, isNoFile, unreadable } from '../base/file-failures.ts';
import { readTextFile } from '../base/files.ts';
import { isClaim } from '../base/folder-lock.ts';
import { isDraft, listFolder } from '../base/folders.ts';
import { digestOfFile } from '../base/hashed-file.ts';
import { lakeFolder } from '../lake/tables.ts';
import {
  intentPath,
  jsonWithDigest,
  layout,
  manifestName,
  noVersion,
  parseJsonWithDigest,
} from './layout.ts';

type Entries = NonNullable<Awaited<ReturnType<typeof listFolder>>>;

/** What is in the folder of an export. A *version* is the SHA-256 of a day's manifest. */
export interface ExportListing {
  /** The current versions, by day, in order. */
  readonly days: ReadonlyMap<string, string>;
  /** Days with a file or a link in the place of their folder. */
  readonly blocked: readonly string[];
  /** Superseded versions; the numbers of a day count from 1, the oldest. */
  readonly superseded: readonly Readonly<{ day: string; number: number; version: string }>[];
  /** Versions by path in `.building`. Only the holder of the lock may use them. */
  readonly building: ReadonlyMap<string, string>;
  readonly intents: readonly Intent[];
  /** Days, and paths in `.building`, whose folders contain tables that are not published yet. */
  readonly withStagedTables: ReadonlySet<string>;
  readonly hasLake: boolean;
  /** Paths of unfinished files that an interrupted run left. */
  readonly drafts: readonly string[];
}

const intentSchemaNumber = 1;
const version = z.string().regex(/^([0-9a-f]{64}|none)$/);
const intentSchema = z.object({
  schema: z.literal(intentSchemaNumber),
  day: z.string(),
  version,
  replaces: version,
  /** Whether the replaced version is kept as a superseded one. */
  keepsReplaced: z.boolean(),
  /** How many superseded versions of the day are kept; null for all. */
  keep: z.number().nullable(),
});

/** A replacement under way: written before the first step, removed after the last. */
export type Intent = Readonly<Omit<z.infer<typeof intentSchema>, 'schema'>>;

export function intentText(intent: Intent): string {
  return jsonWithDigest({ schema: intentSchemaNumber, ...intent });
}

function parseIntent(text: string, path: string, ofDay: string): Intent {
  const { data } = intentSchema.safeParse(parseJsonWithDigest(text));
  if (data?.day === ofDay) return data;
  throw new ReconError('output', 'The record of a day being replaced cannot be read.', {
    where: path,
    hint: 'Use the version of recon that wrote this file, or remove it; the day is then exported again.',
  });
}

/**
 * Lists the folder of an export, or only what concerns `day`; never writes. A missing folder is empty, and
 * other names are left out. ReconError `output` for an intent that is invalid or was altered.
 */
export async function readExportListing(folder: string, day?: string): Promise<ExportListing> {
  const entries = (await listFolder(folder)) ?? [];
  const isAskedFor = (one: string) => day === undefined || one === day;
  const inside = (name: string) => listInside(folder, name, entries);
  const inPlace = await daysAmong(folder, entries, isAskedFor);

  const withStagedTables = new Set<string>();
  const noteStagedTables = async (path: string) => {
    if (await listFolder(join(folder, path, lakeFolder))) withStagedTables.add(path);
  };
  const days = new Map<string, string>();
  for (const name of inPlace.days) {
    days.set(name, await versionIn(join(folder, name)));
    await noteStagedTables(name);
  }
  const superseded: ExportListing['superseded'][number][] = [];
  for (const { name, isFolder } of await inside(layout.superseded)) {
    const parts = partsOfSuperseded(name);
    if (!isFolder || !parts || !isAskedFor(parts.day)) continue;
    const version = await versionIn(join(folder, layout.superseded, name));
    superseded.push({ ...parts, version });
  }
  const building = new Map<string, string>();
  for (const { name, isFolder } of await inside(layout.building)) {
    if (!isAskedFor(name.slice(0, 10))) continue;
    const path = join(layout.building, name);
    building.set(path, await versionIn(join(folder, path)));
    if (isFolder) await noteStagedTables(path);
  }
  const draftIntents = (await inside(layout.intents)).filter(({ name }) => isDraft(name));
  return {
    ...inPlace,
    days,
    superseded: superseded.sort((one, other) => one.number - other.number),
    building,
    withStagedTables,
    hasLake: (await inside(lakeFolder)).length > 0,
    drafts: [
      ...entries.filter(({ name }) => isDraft(name) || isClaim(name)).map(({ name }) => name),
      ...draftIntents.map(({ name }) => join(layout.intents, name)),
    ],
  };
}

/** The days of an export, in order, the blocked ones and the intents; reads no files of days. */
export async function readDaysAndIntents(folder: string) {
  return daysAmong(folder, (await listFolder(folder)) ?? [], () => true);
}

async function daysAmong(folder: string, entries: Entries, isAskedFor: (day: string) => boolean) {
  const atDays = entries.filter(({ name }) => isDay(name) && isAskedFor(name));
  const intents: Intent[] = [];
  for (const { name } of await listInside(folder, layout.intents, entries)) {
    const day = dayOfIntent(name);
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
    if (isAbsent(error) || isNoFile(error)) return noVersion;
    throw unreadable(path, error);
  }
}

async function listInside(folder: string, name: string, entries: Entries) {
  const entry = entries.find((one) => one.name === name);
  if (entry && !entry.isFolder) {
    const message = "A file or link is in the place of one of the export's folders.";
    const hint = 'Put a folder there, on the same file system. Links are not followed.';
    throw new ReconError('output', message, { where: join(folder, name), hint });
  }
  return (entry && (await listFolder(join(folder, name)))) ?? [];
}

/** The day and the number in the name of a superseded version; undefined for any other name. */
function partsOfSuperseded(name: string): { day: string; number: number } | undefined {
  const [, day = '', number] = /^(.{10})\.([1-9]\d{0,8})$/.exec(name) ?? [];
  return isDay(day) ? { day, number: Number(number) } : undefined;
}

function dayOfIntent(name: string): string | undefined {
  const [, day = ''] = /^(.*)\.json$/.exec(name) ?? [];
  return isDay(day) ? day : undefined;
}
