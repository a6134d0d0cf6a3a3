import { hash } from 'node:crypto';
import { dirname, join } from 'node:path';
import { sizeAndTime } from '../base/files.ts';
import { isFolder } from '../base/folders.ts';
import { lakeName, lakeTableNames, partPath } from '../lake/layout.ts';
import { checkFiles } from './check-day.ts';
import { checkTables } from './check-tables.ts';
import { manifestName } from './layout.ts';
import type { Manifest } from './manifest.ts';

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
