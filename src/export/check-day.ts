import { dirname, join } from 'node:path';
import type { ExportProblem } from '../app/export-result.ts';
import { daysOf, spanOf } from '../base/calendar.ts';
import { ReconError } from '../base/errors.ts';
import { isAbsent, unreadable } from '../base/file-failures.ts';
import { readTextFile } from '../base/files.ts';
import { digestOfFile } from '../base/hashed-file.ts';
import { byText } from '../base/texts.ts';
import { lakeTableNames, publishedTablePath, stagedTablePath } from '../lake/tables.ts';
import { DaySource, type SourceHeaders } from './day-source.ts';
import { changedSince } from './json-with-digest.ts';
import { manifestName, sourceName } from './layout.ts';
import {
  isPublishedIncomplete,
  type Manifest,
  type ManifestFile,
  parseManifest,
} from './manifest.ts';

export interface DayProblem {
  readonly file: string;
  readonly what: 'manifest' | 'missing' | 'size' | 'sha256' | 'rows' | 'content' | 'extra';
  readonly message: string;
}

/** The current version of a day, with the files that were written. */
export interface SoundVersion {
  readonly state: 'sound';
  readonly folder: string;
  readonly manifest: Manifest;
  readonly headers: SourceHeaders;
}

/** The current version of a day: none, one whose files have changed, or a sound one. */
export type CurrentVersion =
  | { readonly state: 'none' }
  | { readonly state: 'damaged' }
  | SoundVersion;

/** The current version of a day, in its folder if it has one, after comparing its files with the manifest. */
export async function currentVersion(
  folder: string | undefined,
  day: string,
): Promise<CurrentVersion> {
  if (folder === undefined) return { state: 'none' };
  const { manifest, problems } = await checkFiles(folder, day);
  if (!manifest || problems.length > 0) return { state: 'damaged' };
  const { headers } = await DaySource.open(join(folder, sourceName));
  return { state: 'sound', folder, manifest, headers };
}

/** What is wrong with a day's files, by their sizes and SHA-256; other files in the folder do not count. */
export async function checkFiles(
  folder: string,
  day: string,
): Promise<{ readonly manifest?: Manifest; readonly problems: readonly DayProblem[] }> {
  const manifest = await readManifest(folder, day);
  if ('message' in manifest) return { problems: [manifest] };
  const problems: DayProblem[] = [];
  if (!Object.hasOwn(manifest.files, sourceName)) {
    problems.push({ file: sourceName, what: 'manifest', message: 'It is not in the manifest.' });
  }
  for (const [file, expected] of Object.entries(manifest.files).sort(([a], [b]) => byText(a, b))) {
    const problem = await compareFile(join(folder, file), expected);
    if (problem) problems.push({ file, ...problem });
  }
  return { manifest, problems };
}

/** The manifest of a day's folder, or what is wrong with it. */
export async function readManifest(folder: string, day: string): Promise<Manifest | DayProblem> {
  const problem = (message: string, what: DayProblem['what'] = 'manifest') => ({
    file: manifestName,
    what,
    message,
  });
  const path = join(folder, manifestName);
  try {
    const file = await readTextFile(path);
    if (!file) return problem('The file is missing.', 'missing');
    const manifest = parseManifest(file.text, path);
    return manifest.day === day ? manifest : problem(`It is the manifest of ${manifest.day}.`);
  } catch (error) {
    if (error instanceof ReconError) return problem(error.message);
    throw error;
  }
}

async function compareFile(
  path: string,
  expected: ManifestFile,
): Promise<Omit<DayProblem, 'file'> | undefined> {
  try {
    const { bytes, sha256 } = await digestOfFile(path);
    if (bytes !== expected.bytes) {
      const message = `It has ${bytes} bytes; it was written with ${expected.bytes}.`;
      return { what: 'size', message };
    }
    return sha256 === expected.sha256 ? undefined : { what: 'sha256', message: changedSince };
  } catch (error) {
    if (isAbsent(error)) return { what: 'missing', message: 'The file is missing.' };
    throw unreadable(path, error);
  }
}

/** What is wrong with the tables of a day in `folder`. Staged ones are sound: the next run publishes them. */
export async function checkTables(
  folder: string,
  { day, tables = {} }: Pick<Manifest, 'day' | 'tables'>,
): Promise<readonly ExportProblem[]> {
  const problems: ExportProblem[] = [];
  for (const table of lakeTableNames) {
    const expected = tables[table];
    if (!expected || !(await compareFile(join(folder, stagedTablePath(table)), expected))) continue;
    const path = publishedTablePath(table, day);
    const problem = await compareFile(join(dirname(folder), path), expected);
    if (!problem) continue;
    const isMissing = problem.what === 'missing';
    problems.push({ path, message: isMissing ? problem.message : otherVersion });
  }
  return problems;
}

const otherVersion =
  'It has changed since it was written, or belongs to another version of the day.';

/** What a run over the `asked` days leaves undone in an export with these days and folders. */
export async function daysOutside(days: ReadonlyMap<string, string>, asked: readonly string[]) {
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
