import { join, resolve } from 'node:path';
import { ReconError } from '../base/errors.ts';
import { listFolder } from '../base/folders.ts';
import { type LakeTable, lakeFolder, lakeTableNames } from '../lake/tables.ts';

/** A lake, with its tables that are not empty. */
export interface Lake {
  readonly name: string;
  readonly path: string;
  readonly tables: ReadonlySet<LakeTable>;
}

/** The lakes in folders, each an export or the lake of one. ReconError `usage` if one has none. */
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
  const tables = new Set<LakeTable>();
  for (const table of lakeTableNames) {
    const days = (await listFolder(join(folder, table))) ?? [];
    if (days.some(({ name: day, isFolder }) => isFolder && day.startsWith('day='))) {
      tables.add(table);
    }
  }
  return tables.has('days') ? { name, path: resolve(folder), tables } : undefined;
}
