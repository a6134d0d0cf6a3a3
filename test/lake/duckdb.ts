import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { lakeName, lakeTableNames } from '../../src/lake/layout.ts';

/** One engine for all tests of a file: it takes long to load. */
let engine: Promise<DuckDBConnection> | undefined;

/** What a query over the tables of an export gives: rows, with amounts and times as exact texts. */
export async function queryLake(folder: string, sql: string) {
  engine ??= DuckDBInstance.create(':memory:').then((instance) => instance.connect());
  const connection = await engine;
  await connection.run("SET TimeZone = 'UTC'");
  for (const table of lakeTableNames) {
    const files = join(folder, lakeName, table, 'day=*', '*.parquet');
    await connection.run(
      `CREATE OR REPLACE VIEW ${table} AS SELECT * FROM read_parquet('${files}',
        hive_partitioning = true, hive_types = {'day': DATE}, union_by_name = true)`,
    );
  }
  return (await connection.runAndReadAll(sql)).getRowObjectsJson();
}

/** The rows of one Parquet file. */
export async function queryFile(path: string) {
  engine ??= DuckDBInstance.create(':memory:').then((instance) => instance.connect());
  const connection = await engine;
  await connection.run("SET TimeZone = 'UTC'");
  const found = await connection.runAndReadAll(`SELECT * FROM '${path}'`);
  return found.getRowObjectsJson();
}
