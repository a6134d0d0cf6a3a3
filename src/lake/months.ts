import { join } from 'node:path';
import * as z from 'zod';
import { ReconError } from '../base/errors.ts';
import { readTextFile } from '../base/files.ts';
import { replaceWhole } from '../base/folders.ts';
import { parseJson } from '../base/json.ts';
import { byText } from '../base/texts.ts';
import { type LakeTable, lakeTableNames } from './tables.ts';

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

/** A month of a lake: the versions of its days, and the file of each table. */
export type LakeMonth = Readonly<z.infer<typeof monthsSchema>['months'][string]>;

/** Months by their names, such as 2026-03; in order. */
export type LakeMonths = ReadonlyMap<string, LakeMonth>;

/** The index of a lake by months; undefined if the folder has none. ReconError `damaged` if it cannot be read. */
export async function readMonths(folder: string): Promise<LakeMonths | undefined> {
  const path = join(folder, monthsName);
  const file = await readTextFile(path);
  if (!file) return undefined;
  const found = monthsSchema.safeParse(parseJson(file.text));
  if (found.success) return new Map(Object.entries(found.data.months));
  throw new ReconError('damaged', 'The index of the months cannot be read.', {
    where: path,
    hint: 'Delete this folder, and run recon lake again.',
  });
}

/** Replaces the index at once. */
export async function writeMonths(folder: string, months: LakeMonths): Promise<void> {
  const sorted = [...months].sort(([one], [other]) => byText(one, other));
  const index = { schema: 1, months: Object.fromEntries(sorted) };
  await replaceWhole(join(folder, monthsName), `${JSON.stringify(index, null, 2)}\n`);
}

/** The file of a table in a version of a month, in the folder of the lake. */
export function monthTablePath(table: LakeTable, month: string, version: string): string {
  return [table, `month=${month}`, `${version}.parquet`].join('/');
}

/** Whether a path in the folder of the lake is that of a table's file of a month. */
export function isMonthFile(path: string): boolean {
  return /^[a-z]+\/month=\d{4}-\d\d\/[0-9a-f]{64}\.parquet$/.test(path);
}
