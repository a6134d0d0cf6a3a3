import { hash } from 'node:crypto';
import { dirname, join } from 'node:path';
import { sizeAndTime } from '../base/files.ts';
import { isFolder, listFolder } from '../base/folders.ts';
import { lakeName, lakeTableNames, partPath, waitingPath } from '../lake/layout.ts';
import type { ExportProblem } from '../report/verify/view.ts';
import { checkFiles, compareFile, type SoundVersion } from './check-day.ts';
import { manifestName } from './layout.ts';
import type { Manifest } from './manifest.ts';

/** Whether the tables of a version in place are there, and as its manifest says. */
export async function hasSoundTables({ folder, manifest }: SoundVersion): Promise<boolean> {
  if (!manifest.tables) return false;
  return (await checkTables(dirname(folder), manifest)).length === 0;
}

/**
 * What is wrong with the tables of a day in place, in the folder of an export. Those that still wait in
 * the day's own folder are sound: the next run puts them into their places.
 */
export async function checkTables(
  root: string,
  { day, tables }: Pick<Manifest, 'day' | 'tables'>,
): Promise<readonly ExportProblem[]> {
  const problems: ExportProblem[] = [];
  for (const table of tables ? lakeTableNames : []) {
    const expected = tables?.[table];
    if (!expected || !(await compareFile(join(root, day, waitingPath(table)), expected))) continue;
    const path = partPath(table, day);
    const problem = await compareFile(join(root, path), expected);
    if (!problem) continue;
    const isMissing = problem.what === 'missing';
    problems.push({ path, message: isMissing ? problem.message : notOfThisVersion });
  }
  return problems;
}

const notOfThisVersion =
  'It has changed since it was written, or belongs to another version of the day.';

/** The files among the tables of an export that belong to none of these days. */
export async function strayTables(
  root: string,
  days: readonly string[],
): Promise<readonly ExportProblem[]> {
  const own = new Set(days.flatMap((day) => lakeTableNames.map((table) => partPath(table, day))));
  const strays = (await filesIn(root, lakeName)).filter((path) => !own.has(path));
  return strays.map((path) => ({ path, message: 'It does not belong to any day of the export.' }));
}

async function filesIn(root: string, path: string): Promise<readonly string[]> {
  const entries = (await listFolder(join(root, path))) ?? [];
  const found = entries.map(({ name, isFolder }) =>
    isFolder ? filesIn(root, join(path, name)) : [join(path, name)],
  );
  return (await Promise.all(found)).flat();
}

/** Looks at the files of a day in place, and reads none: a text that is equal where none has another size or time. */
export async function lookOver(folder: string, { day, files, tables = {} }: Manifest) {
  const paths = [
    ...[manifestName, ...Object.keys(files)].map((name) => join(folder, name)),
    ...lakeTableNames.flatMap((table) =>
      tables[table] ? join(dirname(folder), partPath(table, day)) : [],
    ),
  ];
  return hash('sha256', (await Promise.all(paths.map(sizeAndTime))).join()).slice(0, 16);
}

/** Reads all of them, and says what is wrong with each; empty where they are what was written. */
export async function problemsInPlace(folder: string, manifest: Manifest): Promise<string> {
  const { problems } = await checkFiles(folder, manifest.day);
  const root = dirname(folder);
  // Without the folder, somebody has removed the tables of all days.
  const ofTables = (await isFolder(join(root, lakeName))) ? await checkTables(root, manifest) : [];
  const all = [...problems.map((one) => ({ path: one.file, ...one })), ...ofTables];
  return all.map(({ path, message }) => `${path}: ${message}`).join(' ');
}
