import { createHash } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { type Layout, monthIndex, partitionFolder, type Table, tables } from './adapter.ts';

let engine: Promise<DuckDBConnection> | undefined;

async function connected(): Promise<DuckDBConnection> {
  engine ??= DuckDBInstance.create(':memory:', { threads: '2' }).then(async (instance) => {
    const connection = await instance.connect();
    await connection.run("SET TimeZone = 'UTC'");
    return connection;
  });
  return engine;
}

/** What a query gives, with amounts and times as exact texts. */
export async function query(sql: string) {
  return (await (await connected()).runAndReadAll(sql)).getRowObjectsJson();
}

/** Rows and column `day` of a table of a folder, for plain SQL. */
export function rowsIn(folder: string, layout: Layout, table: Table): string {
  const path = join(folder, layout.root, table, `${layout.partition}=*`, '*.parquet');
  const options =
    layout.partition === 'day'
      ? "hive_partitioning = true, hive_types = {'day': DATE}"
      : 'hive_partitioning = false';
  return `read_parquet('${path.replaceAll("'", "''")}', ${options}, union_by_name = true)`;
}

/** An export, or a monthly copy, in which faults are planted. */
export class Place {
  readonly folder: string;
  readonly layout: Layout;

  constructor(folder: string, layout: Layout) {
    this.folder = folder;
    this.layout = layout;
  }

  /** The file of a table that holds a day. */
  file(table: Table, day: string): string {
    const folder = partitionFolder(this.folder, this.layout, table, day);
    const [name] = existsSync(folder)
      ? readdirSync(folder).filter((one) => one.endsWith('.parquet'))
      : [];
    return join(folder, name ?? 'part-0.parquet');
  }

  /** Applies statements to the tables, and writes again the files whose rows they change. */
  async change(statements: readonly string[]): Promise<void> {
    const touched = tables.filter((table) => new RegExp(`\\b${table}\\b`).test(statements.join()));
    for (const table of touched) {
      const rows = rowsIn(this.folder, this.layout, table);
      await query(`CREATE OR REPLACE TABLE ${table} AS SELECT * FROM ${rows}`);
      await query(`CREATE OR REPLACE TABLE ${table}_before AS FROM ${table}`);
    }
    for (const statement of statements) await query(statement);
    for (const table of touched) {
      const [now, before] = [`FROM ${table}`, `FROM ${table}_before`];
      const changed = await query(
        `SELECT DISTINCT left(CAST(day AS VARCHAR), ${this.#keyLength}) AS key
         FROM ((${now} EXCEPT ALL ${before}) UNION ALL (${before} EXCEPT ALL ${now}))`,
      );
      for (const { key } of changed) await this.#write(table, String(key));
    }
  }

  /** Writes a file again with other columns, or rows; its own are in `source`. */
  async select(file: string, columns: string, from = 'source'): Promise<void> {
    await query(`CREATE OR REPLACE TABLE source AS
      FROM read_parquet('${file}', hive_partitioning = false)`);
    await this.#replace(file, `SELECT ${columns} FROM ${from}`);
  }

  get #keyLength(): number {
    return this.layout.partition === 'day' ? 10 : 7;
  }

  async #write(table: Table, key: string): Promise<void> {
    const isDaily = this.layout.partition === 'day';
    const columns = isDaily ? '* EXCLUDE (day)' : '*';
    await this.#replace(
      this.file(table, key),
      `SELECT ${columns} FROM ${table} WHERE starts_with(CAST(day AS VARCHAR), '${key}')`,
    );
  }

  async #replace(file: string, sql: string): Promise<void> {
    const before = existsSync(file) ? digest(await readFile(file)) : undefined;
    await mkdir(join(file, '..'), { recursive: true });
    await query(`COPY (${sql}) TO '${file}.new' (FORMAT parquet)`);
    await rename(`${file}.new`, file);
    if (before) await this.#index(before, digest(await readFile(file)));
  }

  /** The index of a monthly copy agrees with the file: the fault is in the tables alone. */
  async #index(before: string, after: string): Promise<void> {
    const path = join(this.folder, monthIndex);
    if (this.layout.partition === 'day' || !existsSync(path)) return;
    const text = await readFile(path, 'utf8');
    await rm(path);
    await writeFile(path, text.replaceAll(before, after));
  }
}

function digest(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}

/** Each file below a folder with the SHA-256 of its content. */
export async function contentsOf(folder: string): Promise<Readonly<Record<string, string>>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1));
  const found = files
    .sort()
    .map(async (path) => [path, digest(await readFile(join(folder, path)))] as const);
  return Object.fromEntries(await Promise.all(found));
}
