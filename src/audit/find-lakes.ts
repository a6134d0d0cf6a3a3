import { join, resolve } from 'node:path';
import { ReconError } from '../base/errors.ts';
import { listFolder } from '../base/folders.ts';
import { append } from '../base/lists.ts';
import { readMonths } from '../lake/months.ts';
import {
  isOfCatalogue,
  type LakeTable,
  lakeFolder,
  lakeTableNames,
  tablePart,
} from '../lake/tables.ts';

/** A lake, with the files of its tables; a table that is empty is not among them. */
export interface Lake {
  readonly name: string;
  readonly path: string;
  readonly layout: 'days' | 'months';
  /** Paths in the lake. */
  readonly files: ReadonlyMap<LakeTable, readonly string[]>;
  /** What its tables have beside their files and is not read; paths in the lake. */
  readonly extra: readonly string[];
}

/** The lakes in folders: exports, the lakes of exports, or lakes by months. ReconErrors: `usage` if one has none, `damaged` for a link in one. */
export async function findLakes(folders: readonly string[]): Promise<readonly Lake[]> {
  const lakes: Lake[] = [];
  for (const name of folders) {
    const lake = (await lakeAt(name, join(name, lakeFolder))) ?? (await lakeAt(name, name));
    if (!lake) {
      throw new ReconError('usage', 'No Parquet tables found.', {
        where: name,
        hint: `For an export, write them with: recon export --out ${name} --parquet --existing.`,
      });
    }
    if (!lakes.some(({ path }) => path === lake.path)) lakes.push(lake);
  }
  return lakes;
}

async function lakeAt(name: string, folder: string): Promise<Lake | undefined> {
  const months = await readMonths(folder);
  const indexed = new Set(
    [...(months?.values() ?? [])].flatMap(({ tables }) =>
      Object.values(tables).map(({ file }) => file),
    ),
  );
  const isOwn = (path: string) => (months ? indexed.has(path) : dayFile.test(path));
  const extra: string[] = [];
  const files = new Map<LakeTable, string[]>();
  for (const table of lakeTableNames) {
    const own: string[] = [];
    for (const path of await filesIn(folder, table)) (isOwn(path) ? own : extra).push(path);
    if (own.length > 0) files.set(table, own);
  }
  const isThere = months !== undefined || files.has('days');
  const layout = months ? 'months' : 'days';
  return isThere ? { name, path: resolve(folder), layout, files, extra } : undefined;
}

const dayFile = new RegExp(`^\\w+/day=\\d{4}-\\d\\d-\\d\\d/${tablePart}$`);

/** The files of a table, without folders of a catalogue. Engines would follow links out of the lake. */
export async function filesIn(folder: string, path: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const { name, isFolder, isFile } of (await listFolder(join(folder, path))) ?? []) {
    const inside = `${path}/${name}`;
    if (isFolder && isOfCatalogue(name)) continue;
    if (isFolder) append(found, await filesIn(folder, inside));
    else if (isFile) found.push(inside);
    else {
      throw new ReconError('damaged', 'A table has a link in the place of a file or a folder.', {
        where: join(folder, inside),
        hint: 'Run recon export --verify on the export.',
      });
    }
  }
  return found;
}
