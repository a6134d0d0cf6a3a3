import { hash } from 'node:crypto';
import { dirname, join } from 'node:path';
import { sizeAndTime } from '../base/files.ts';
import { isFolder } from '../base/folders.ts';
import { lakeName, lakeTableNames, partPath } from '../lake/layout.ts';
import { checkFiles } from './check-day.ts';
import { checkTables } from './check-tables.ts';
import { manifestName } from './layout.ts';
import type { Manifest } from './manifest.ts';

/** What the files of a day in place, its tables included, look like from outside. */
export interface DayLook {
  /** Equal where no file has another size or time. */
  readonly look: string;
  /** Whether all are there, and of the size that was written. */
  readonly hasSizes: boolean;
}

/** Looks at the files of a day in place, and reads none of them. */
export async function lookOver(folder: string, manifest: Manifest): Promise<DayLook> {
  const tables = await tablesInPlace(folder, manifest);
  const expected = new Map<string, number | undefined>([
    [join(folder, manifestName), undefined],
    ...Object.entries(manifest.files).map(
      ([name, { bytes }]) => [join(folder, name), bytes] as const,
    ),
    ...lakeTableNames.flatMap((table) => {
      const { bytes } = tables[table] ?? {};
      const path = join(dirname(folder), partPath(table, manifest.day));
      return bytes === undefined ? [] : [[path, bytes] as const];
    }),
  ]);
  const found = await Promise.all(
    [...expected].map(async ([path, bytes]) => ({ bytes, is: await sizeAndTime(path) })),
  );
  return {
    look: hash('sha256', JSON.stringify(found.map(({ is }) => is ?? null))).slice(0, 16),
    hasSizes: found.every(({ is, bytes = is?.bytes }) => is !== undefined && is.bytes === bytes),
  };
}

/** Reads all of them, and says what is wrong with each; empty where they are what was written. */
export async function problemsInPlace(folder: string, manifest: Manifest): Promise<string> {
  const { problems } = await checkFiles(folder, manifest.day);
  const tables = await tablesInPlace(folder, manifest);
  const ofTables = await checkTables(dirname(folder), { day: manifest.day, tables });
  return [
    ...problems.map(({ file, message }) => `${file}: ${message}`),
    ...ofTables.map(({ path, message }) => `${path}: ${message}`),
  ].join(' ');
}

/** The tables that a day has; none where somebody has removed those of all days. */
async function tablesInPlace(folder: string, { tables = {} }: Manifest) {
  return (await isFolder(join(dirname(folder), lakeName))) ? tables : {};
}
