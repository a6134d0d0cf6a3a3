import { join } from 'node:path';
import { keysOf } from '../base/keys.ts';
import { type LakeTable, lakeTables } from './tables.ts';

/** The folder of the tables in the folder of an export; of a day's tables before they take their places. */
export const lakeName = 'lake';

export const lakeTableNames = keysOf<LakeTable>(lakeTables);

/** The file of a table in the folder of its day, before it takes its place. */
export function waitingPath(table: LakeTable): string {
  return join(lakeName, `${table}.parquet`);
}

/** The file of a day in a table, in the folder of an export: as Hive partitions are named. */
export function partPath(table: LakeTable, day: string): string {
  return join(lakeName, table, `day=${day}`, 'part-0.parquet');
}
