import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { lakeFolder, lakeTableNames } from '../../src/lake/tables.ts';

/** One engine for all tests of a file: it takes long to load. */
let engine: Promise<DuckDBConnection> | undefined;

/** The same of a query over the tables of an export. */
export async function queryLake(folder: string, sql: string) {
  const connection = await connected();
  for (const table of lakeTableNames) {
    const files = join(folder, lakeFolder, table, 'day=*', '*.parquet');
    await connection.run(
      `CREATE OR REPLACE VIEW ${table} AS SELECT * FROM read_parquet('${files}',
        hive_partitioning = true, hive_types = {'day': DATE}, union_by_name = true)`,
    );
  }
  return query(sql);
}

/** What a query gives: rows, with amounts and times as exact texts. */
export async function query(sql: string) {
  return (await (await connected()).runAndReadAll(sql)).getRowObjectsJson();
}

async function connected(): Promise<DuckDBConnection> {
  engine ??= DuckDBInstance.create(':memory:').then(async (instance) => {
    const connection = await instance.connect();
    await connection.run("SET TimeZone = 'UTC'");
    return connection;
  });
  return engine;
}
