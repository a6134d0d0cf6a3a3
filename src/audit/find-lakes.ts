import { join, resolve } from 'node:path';
import { ReconError } from '../base/errors.ts';
import { type FolderEntry, listFolder } from '../base/folders.ts';
import {
  isOfCatalogue,
  type LakeTable,
  lakeFolder,
  lakeTableNames,
  tablePart,
} from '../lake/tables.ts';

/** A lake, with its tables that are not empty. */
export interface Lake {
  readonly name: string;
  readonly path: string;
  readonly tables: ReadonlySet<LakeTable>;
  /** What its tables have beside their files and is not read; paths in the lake. */
  readonly extra: readonly string[];
}

/** The lakes in folders, each an export or the lake of one. ReconErrors: `usage` if one has none, `damaged` for a link in one. */
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
  const extra: string[] = [];
  for (const table of lakeTableNames) {
    const days = (await listFolder(join(folder, table))) ?? [];
    for (const { name: day, ...entry } of days.filter((one) => !isOfCatalogue(one.name))) {
      if (!day.startsWith('day=')) extra.push(join(table, day));
      else {
        const files = entry.isFolder ? await listFolder(join(folder, table, day)) : undefined;
        const isThere = requirePart(files, join(folder, table, day));
        if (isThere) tables.add(table);
        const others = (files ?? []).filter((one) => one.name !== tablePart);
        extra.push(...others.map((one) => join(table, day, one.name)));
      }
    }
  }
  return tables.has('days') ? { name, path: resolve(folder), tables, extra } : undefined;
}

/** Whether a partition has its file. Engines would follow a link to it out of the lake. */
function requirePart(files: readonly FolderEntry[] | undefined, where: string): boolean {
  const part = files?.find(({ name }) => name === tablePart);
  if (files && (!part || part.isFile)) return part !== undefined;
  throw new ReconError('damaged', 'A table has a link in the place of a file or a folder.', {
    where,
    hint: 'Run recon export --verify on the export.',
  });
}
