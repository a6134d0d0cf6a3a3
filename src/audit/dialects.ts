import { basename } from 'node:path';
import { keysOf } from '../base/lists.ts';
import {
  type ColumnForm,
  commonColumns,
  decimal,
  type LakeTable,
  type LakeType,
  lakeTableNames,
  lakeTables,
  tablePart,
  typeOf,
} from '../lake/tables.ts';
import type { Lake } from './find-lakes.ts';

/** How the tables of a lake get into the SQL of an engine. */
export interface SqlDialect {
  /** What a script for it begins with. */
  readonly head?: string;
  readonly types: Readonly<Record<LakeType, string>>;
  readonly view: string;
  readonly materialized: string;
  /** The moment of a text with a zone, as the type of times; null for any other text. */
  readonly timeOf: (text: string) => string;
  /** 64 bits of a text; different texts hardly ever have the same. */
  readonly hashOf: (text: string) => string;
  /** The statements for a relation of a table of a lake, with its columns and `day`. */
  readonly relation: (
    name: string,
    files: TableFiles,
    columns: readonly string[],
  ) => readonly string[];
}

/** The files of a table of a lake; one with months has the column `day` in them. */
interface TableFiles extends Pick<Lake, 'layout'> {
  readonly folder: string;
  readonly files: readonly string[];
}

/** A query for the rows of files of days or months, with `day`, in DuckDB. The files may be a pattern. */
export function duckDbRows(layout: Lake['layout'], files: readonly string[]): string {
  const list = files.map(sqlText).join(', ');
  const read = `read_parquet([${list}], hive_partitioning = false, union_by_name = true)`;
  if (layout === 'months') return `SELECT * FROM ${read}`;
  // Not by Hive partitions: the folder of the export may be called day=… too.
  const day = `CAST(left(right(filename, ${`2026-03-10/${tablePart}`.length}), 10) AS DATE)`;
  return `SELECT *, ${day} AS day FROM ${read}`;
}

const common = {
  integer: 'INTEGER',
  bigint: 'BIGINT',
  decimal: `DECIMAL(${decimal.precision}, ${decimal.scale})`,
  boolean: 'BOOLEAN',
} as const;

const texts = (type: string) => ({ text: type, unique_text: type, id: type });

export const sqlDialects = {
  duckdb: {
    types: { ...common, ...texts('VARCHAR'), time: 'TIMESTAMP WITH TIME ZONE' },
    view: 'CREATE VIEW',
    // A view would open all files each time.
    materialized: 'CREATE TABLE',
    timeOf: (text) => `TRY_CAST(${text} AS TIMESTAMP WITH TIME ZONE)`,
    hashOf: (text) => `hash(${text})`,
    relation: (name, { layout, folder, files }) => {
      const days = [`${globOf(folder)}/day=????-??-??/${tablePart}`];
      // DuckDB takes a backslash in a pattern for the end of a folder's name.
      const isPattern = layout === 'days' && !folder.includes('\\');
      const rows = duckDbRows(layout, isPattern ? days : files.map(globOf));
      return [`CREATE VIEW ${name} AS ${rows}`];
    },
  },
  spark: {
    types: { ...common, integer: 'INT', ...texts('STRING'), time: 'TIMESTAMP' },
    view: 'CREATE TEMPORARY VIEW',
    materialized: 'CREATE TEMPORARY VIEW',
    timeOf: (text) => `TRY_CAST(${text} AS TIMESTAMP)`,
    hashOf: (text) => `xxhash64(${text})`,
    relation: (name, { layout, folder, files }, columns) => {
      const names = layout === 'days' ? tablePart : `{${files.map((file) => basename(file))}}`;
      // The month is no column of the table.
      const flat = layout === 'days' ? '' : ', recursiveFileLookup true';
      return [
        `CREATE TEMPORARY VIEW ${name} (${[...columns, 'day DATE'].join(', ')}) ` +
          `USING parquet OPTIONS (path ${sparkText(sparkPattern(folder))}, pathGlobFilter '${names}'${flat})`,
      ];
    },
  },
  trino: {
    head: `-- For a catalogue called hive, with hive.metastore=file and fs.hadoop.enabled=true, in a schema of its own.
-- All questions have been run on Trino 476.
SET SESSION hive.timestamp_precision = 'MICROSECONDS';
`,
    types: { ...common, ...texts('VARCHAR'), time: 'TIMESTAMP(6)' },
    view: 'CREATE VIEW',
    materialized: 'CREATE VIEW',
    timeOf: (text) =>
      `CAST(TRY(from_iso8601_timestamp_nanos(${text})) AT TIME ZONE 'UTC' AS TIMESTAMP(6))`,
    hashOf: (text) => `from_big_endian_64(xxhash64(to_utf8(${text})))`,
    relation: (name, { layout, folder }, columns) => [
      `CREATE TABLE ${name} (${[...columns, 'day DATE', ...(layout === 'months' ? ['month VARCHAR'] : [])].join(', ')}) ` +
        `WITH (format = 'PARQUET', external_location = ${sqlText(`file://${folder}`)}, ` +
        `partitioned_by = ARRAY['${layout === 'months' ? 'month' : 'day'}'])`,
      `CALL system.sync_partition_metadata(CURRENT_SCHEMA, '${name}', 'FULL')`,
    ],
  },
} as const satisfies Readonly<Record<string, SqlDialect>>;

export const sqlDialectNames = keysOf(sqlDialects);

/** The statements for the views: each table, and `repeated_days`. Days in several lakes count in the first. */
export function viewsOf(lakes: readonly Lake[], dialect: SqlDialect): readonly string[] {
  const relations = lakes.flatMap((lake, index) =>
    lakeTableNames.flatMap((table) => relationOf(table, lake, index + 1, dialect)),
  );
  const views = lakeTableNames.map((table) => {
    const parts = lakes.map((_, index) => partOf(table, index + 1));
    const start = table === 'transactions' ? dialect.view : dialect.materialized;
    return `${start} ${table} AS ${parts.join(' UNION ALL ')}`;
  });
  return [...relations, repeatedDays(lakes, dialect), ...views];
}

/** The name of a table of the `lake`-th lake, from 1. */
export const relationName = (table: LakeTable, lake: number) => `lake_${lake}_${table}`;

function relationOf(table: LakeTable, lake: Lake, number: number, dialect: SqlDialect) {
  const name = relationName(table, number);
  const { types } = dialect;
  const columns = columnsOf(table).map(([column, form]) => [column, types[typeOf(form)]] as const);
  const files = lake.files.get(table);
  if (files) {
    const { layout } = lake;
    const folder = `${lake.path}/${table}`;
    const all = { layout, folder, files: files.map((file) => `${lake.path}/${file}`) };
    const declared = columns.map((one) => one.join(' '));
    return dialect.relation(name, all, declared);
  }
  const nothing = [...columns, ['day', 'DATE']].map(
    ([column, type]) => `CAST(NULL AS ${type}) AS ${column}`,
  );
  return [`${dialect.view} ${name} AS SELECT ${nothing.join(', ')} WHERE 1 = 0`];
}

/** The columns of a table, without `day`. */
export function columnsOf(table: LakeTable): readonly (readonly [string, ColumnForm])[] {
  return Object.entries<ColumnForm>({ ...commonColumns, ...lakeTables[table] });
}

/** The rows of a lake, without days that an earlier lake has. */
function partOf(table: LakeTable, lake: number): string {
  const name = relationName(table, lake);
  if (lake === 1) return `SELECT * FROM ${name}`;
  // With NOT EXISTS, DuckDB would hold all rows in memory.
  return (
    `SELECT t.* FROM ${name} t ` +
    `LEFT JOIN (SELECT profile, day FROM repeated_days WHERE lake = ${lake}) r ` +
    'ON r.profile = t.profile AND r.day = t.day WHERE r.day IS NULL'
  );
}

function repeatedDays(lakes: readonly Lake[], { materialized }: SqlDialect): string {
  const all = lakes
    .map((_, index) => [index + 1, relationName('days', index + 1)])
    .map(([lake, days]) => `SELECT ${lake} AS lake, profile, day, day_version FROM ${days}`)
    .join(' UNION ALL ');
  return (
    `${materialized} repeated_days AS SELECT b.profile, b.day, b.lake, min(a.lake) AS first_lake, ` +
    'min_by(a.day_version, a.lake) = b.day_version AS is_same ' +
    `FROM (${all}) a JOIN (${all}) b ` +
    'ON a.profile = b.profile AND a.day = b.day AND a.lake < b.lake ' +
    'GROUP BY b.profile, b.day, b.lake, b.day_version'
  );
}

export function globOf(path: string): string {
  return path.replace(/[[*?]/g, '[$&]');
}

export function sqlText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

function sparkText(text: string): string {
  return `'${text.replace(/['\\]/g, '\\$&')}'`;
}

function sparkPattern(folder: string): string {
  return `file://${folder.replace(/[[\]{}*?\\]/g, '\\$&')}`;
}
