import { dirname, join } from 'node:path';
import type { ExportProblem } from '../app/export-result.ts';
import { ReconError } from '../base/errors.ts';
import { failureCode, isAbsent, isForbidden, isNoFile, unreadable } from '../base/file-failures.ts';
import { readTextFile } from '../base/files.ts';
import { digestOfFile } from '../base/hashed-file.ts';
import { byText } from '../base/texts.ts';
import { lakeTableNames, publishedTablePath, stagedTablePath } from '../lake/tables.ts';
import type { HeaderList } from '../model/source.ts';
import { serviceSays } from '../reconcile/verdict.ts';
import { DaySource } from './day-source.ts';
import { manifestName, sourceName } from './layout.ts';
import { type Manifest, type ManifestFile, parseManifest } from './manifest.ts';
import { headerLines, type SourceHeaders } from './source-line.ts';

/** The current version of a day, whose files are those that were written. */
export interface IntactVersion {
  readonly state: 'intact';
  readonly folder: string;
  readonly manifest: Manifest;
  readonly headers: SourceHeaders;
}

export type CurrentVersion =
  | { readonly state: 'none' }
  | { readonly state: 'damaged' }
  | IntactVersion;

/** Compares the files of a day with its manifest. `folder`: absent if the day is not in place. */
export async function currentVersion(
  folder: string | undefined,
  day: string,
): Promise<CurrentVersion> {
  if (folder === undefined) return { state: 'none' };
  const { manifest, problems } = await compareWithManifest(folder, day);
  if (!manifest || problems.length > 0) return { state: 'damaged' };
  const { headers } = await DaySource.open(join(folder, sourceName));
  return { state: 'intact', folder, manifest, headers };
}

/** Compares the sizes and SHA-256 of a day's files. Other files in the folder do not count. */
export async function compareWithManifest(
  folder: string,
  day: string,
): Promise<{ readonly manifest?: Manifest; readonly problems: readonly ExportProblem[] }> {
  const manifest = await readManifest(folder, day);
  if ('code' in manifest) return { problems: [manifest] };
  const problems: ExportProblem[] = [];
  if (!Object.hasOwn(manifest.files, sourceName)) {
    problems.push({ path: sourceName, code: 'not_in_manifest' });
  }
  for (const [file, expected] of Object.entries(manifest.files).sort(([a], [b]) => byText(a, b))) {
    const found = await compareFile(join(folder, file), expected);
    if (found) problems.push({ path: file, ...found });
  }
  return { manifest, problems };
}

export async function readManifest(folder: string, day: string): Promise<Manifest | ExportProblem> {
  const path = manifestName;
  try {
    const file = await readTextFile(join(folder, path));
    if (!file) return { path, code: 'missing' };
    const manifest = parseManifest(file.text);
    if ('code' in manifest) return { path, ...manifest };
    return manifest.day === day ? manifest : { path, code: 'other_day', values: [manifest.day] };
  } catch (error) {
    if (!(error instanceof ReconError) || isForbidden(error.cause)) throw error;
    return { path, code: 'unreadable', values: [failureCode(error.cause) ?? ''] };
  }
}

async function compareFile(
  path: string,
  expected: ManifestFile,
): Promise<Omit<ExportProblem, 'path'> | undefined> {
  try {
    const { bytes, sha256 } = await digestOfFile(path);
    if (bytes !== expected.bytes) return { code: 'other_size', values: [bytes, expected.bytes] };
    return sha256 === expected.sha256 ? undefined : { code: 'changed' };
  } catch (error) {
    if (isAbsent(error)) return { code: 'missing' };
    if (isNoFile(error)) return { code: 'unreadable', values: [failureCode(error) ?? ''] };
    throw unreadable(path, error);
  }
}

/** What is wrong with the tables of a day in `folder`. Staged ones are intact: the next run publishes them. */
export async function compareTables(
  folder: string,
  { day, tables = {} }: Pick<Manifest, 'day' | 'tables'>,
): Promise<readonly ExportProblem[]> {
  const problems: ExportProblem[] = [];
  for (const table of lakeTableNames) {
    const expected = tables[table];
    if (!expected || !(await compareFile(join(folder, stagedTablePath(table)), expected))) continue;
    const path = publishedTablePath(table, day);
    const found = await compareFile(join(dirname(folder), path), expected);
    if (found)
      problems.push({ path, code: found.code === 'missing' ? 'missing' : 'other_version' });
  }
  return problems;
}

/** The current version, if its rows can be reused: it balances, and has the same headers. */
export function reusableVersion(current: CurrentVersion, headers: HeaderList) {
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

/** Whether a day has all tables, as they were written. */
export async function hasAllTables({ folder, manifest }: IntactVersion): Promise<boolean> {
  const isNamed = lakeTableNames.every((table) => manifest.tables?.[table]);
  return isNamed && (await compareTables(folder, manifest)).length === 0;
}
