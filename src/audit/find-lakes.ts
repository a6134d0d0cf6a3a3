import { join, resolve } from 'node:path';
import * as z from 'zod';
import { ReconError } from '../base/errors.ts';
import { readTextFile } from '../base/files.ts';
import { listFolder } from '../base/folders.ts';
import { parseJson } from '../base/json.ts';
import { append } from '../base/lists.ts';
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

export const verifyHint = 'Run recon export --verify on the export.';

/** The lakes in folders: exports, the lakes of exports, or lakes by months. ReconErrors: `usage` if one has none, `damaged` for a link in one. */
export async function findLakes(folders: readonly string[]): Promise<readonly Lake[]> {
  const lakes: Lake[] = [];
  for (const name of folders) {
    const lake = (await lakeAt(name, join(name, lakeFolder))) ?? (await lakeAt(name, name));
    if (!lake) {
      const hint = `For an export, write them with: recon export --out ${name} --parquet --existing.`;
      throw new ReconError('usage', 'No Parquet tables found.', { where: name, hint });
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
      const message = 'A table has a link or a pipe in the place of a file or a folder.';
      throw new ReconError('damaged', message, { where: join(folder, inside), hint: verifyHint });
    }
  }
  return found;
}

/** The file that names the files of a lake by months: only those are read. */
export const monthsName = 'months.json';

const count = z.int().min(0);
const digest = z.string().regex(/^[0-9a-f]{64}$/);

const fileSchema = z.object({
  /** In the folder of the lake, with slashes. */
  file: z.string(),
  rows: count,
  bytes: count,
  sha256: digest,
});

/** The fields of the index. */
export const monthsSchema = z.object({
  schema: z.literal(1),
  months: z.record(
    z.string().regex(/^\d{4}-\d\d$/),
    z.object({
      /** In the names of its files. */
      version: digest,
      days: z
        .array(z.object({ profile: z.string(), day: z.string(), version: z.string() }))
        .readonly(),
      tables: z.record(z.enum(lakeTableNames as [LakeTable, ...LakeTable[]]), fileSchema),
    }),
  ),
});

/** Months by their names, such as 2026-03, in order: the versions of their days, and the file of each table. */
export type LakeMonths = ReadonlyMap<string, z.infer<typeof monthsSchema>['months'][string]>;

/** The index of a lake by months; undefined if the folder has none. ReconError `damaged` if it cannot be read. */
export async function readMonths(folder: string): Promise<LakeMonths | undefined> {
  const path = join(folder, monthsName);
  const file = await readTextFile(path);
  if (!file) return undefined;
  const found = monthsSchema.safeParse(parseJson(file.text));
  if (found.success) return new Map(Object.entries(found.data.months));
  const hint = 'Delete this folder, and run recon lake again.';
  throw new ReconError('damaged', 'The index of the months cannot be read.', { where: path, hint });
}
