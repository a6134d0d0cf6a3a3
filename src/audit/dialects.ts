import { keysOf } from '../base/keys.ts';
import { lakeTableNames } from '../lake/layout.ts';
import {
  type ColumnForm,
  type LakeTable,
  type LakeType,
  lakeTables,
  whose,
} from '../lake/tables.ts';
import type { Lake } from './find-lakes.ts';

/** What differs between engines: how the tables of a lake get into SQL. */
export interface SqlDialect {
  readonly types: Readonly<Record<LakeType, string>>;
  /** How the statement begins that names a query. */
  readonly view: string;
  /** The same where the query is answered once, since it is small and read again and again. */
  readonly kept: string;
  /** The statements that make a relation of the files below `folder`, with its columns and `day`. */
  readonly relation: (
    name: string,
    folder: string,
    columns: readonly string[],
  ) => readonly string[];
}

const common = {
  integer: 'INTEGER',
  bigint: 'BIGINT',
  decimal: 'DECIMAL(38, 4)',
  boolean: 'BOOLEAN',
} as const;

export const sqlDialects = {
  duckdb: {
    types: { ...common, text: 'VARCHAR', time: 'TIMESTAMP WITH TIME ZONE' },
    view: 'CREATE VIEW',
    // It would open all files each time.
    kept: 'CREATE TABLE',
    relation: (name, folder) => {
      const files = sqlText(`${globOf(folder)}/day=*/part-0.parquet`);
      const options = "hive_partitioning = true, hive_types = {'day': DATE}, union_by_name = true";
      return [`CREATE VIEW ${name} AS SELECT * FROM read_parquet(${files}, ${options})`];
    },
  },
  spark: {
    types: { ...common, integer: 'INT', text: 'STRING', time: 'TIMESTAMP' },
    view: 'CREATE TEMPORARY VIEW',
    kept: 'CREATE TEMPORARY VIEW',
    relation: (name, folder, columns) => [
      `CREATE TEMPORARY VIEW ${name} (${[...columns, 'day DATE'].join(', ')}) ` +
        `USING parquet OPTIONS (path ${sparkText(sparkPattern(folder))})`,
    ],
  },
  trino: {
    types: { ...common, text: 'VARCHAR', time: 'TIMESTAMP(6)' },
    view: 'CREATE VIEW',
    kept: 'CREATE VIEW',
    relation: (name, folder, columns) => [
      `CREATE TABLE ${name} (${[...columns, 'day DATE'].join(', ')}) WITH (format = 'PARQUET', ` +
        `external_location = ${sqlText(`file://${folder}`)}, partitioned_by = ARRAY['day'])`,
      `CALL system.sync_partition_metadata(CURRENT_SCHEMA, '${name}', 'FULL')`,
    ],
  },
} as const satisfies Readonly<Record<string, SqlDialect>>;

export type SqlDialectName = keyof typeof sqlDialects;

export const sqlDialectNames = keysOf(sqlDialects);

/**
 * The statements that make the views which the queries read: `transactions`, `settlements`,
 * `discrepancies`, `days` and `changes`, all with `day`; and `repeated_days`, the days of a profile
 * that a lake has and an earlier one too. The views have those of the earlier lake only.
 */
export function viewsOf(lakes: readonly Lake[], dialect: SqlDialect): readonly string[] {
  const relations = lakes.flatMap((lake, index) =>
    lakeTableNames.flatMap((table) => relationOf(table, lake, index + 1, dialect)),
  );
  const views = lakeTableNames.map((table) => {
    const parts = lakes.map((_, index) => partOf(table, index + 1));
    const start = table === 'days' ? dialect.kept : dialect.view;
    return `${start} ${table} AS ${parts.join(' UNION ALL ')}`;
  });
  return [...relations, repeatedDays(lakes, dialect), ...views];
}

const relationName = (table: LakeTable, lake: number) => `lake_${lake}_${table}`;

function relationOf(table: LakeTable, lake: Lake, number: number, dialect: SqlDialect) {
  const name = relationName(table, number);
  const columns = Object.entries<ColumnForm>({ ...whose, ...lakeTables[table] }).map(
    ([column, form]) => [column, dialect.types[typeOf(form)]] as const,
  );
  if (lake.tables.has(table)) {
    return dialect.relation(
      name,
      `${lake.path}/${table}`,
      columns.map((one) => one.join(' ')),
    );
  }
  // Engines refuse a folder without files.
  const nothing = [...columns, ['day', 'DATE']].map(
    ([column, type]) => `CAST(NULL AS ${type}) AS ${column}`,
  );
  return [`${dialect.view} ${name} AS SELECT ${nothing.join(', ')} WHERE 1 = 0`];
}

function typeOf(form: ColumnForm): LakeType {
  return form.replace('?', '') as LakeType;
}

/** The rows of a lake whose days no earlier lake has. */
function partOf(table: LakeTable, lake: number): string {
  const name = relationName(table, lake);
  if (lake === 1) return `SELECT * FROM ${name}`;
  // DuckDB would hold all rows in memory for a NOT EXISTS.
  return (
    `SELECT t.* FROM ${name} t ` +
    `LEFT JOIN (SELECT profile, day FROM repeated_days WHERE lake = ${lake}) r ` +
    'ON r.profile = t.profile AND r.day = t.day WHERE r.day IS NULL'
  );
}

function repeatedDays(lakes: readonly Lake[], { kept }: SqlDialect): string {
  const all = lakes.map(
    (_, index) =>
      `SELECT ${index + 1} AS lake, profile, day, day_version FROM ${relationName('days', index + 1)}`,
  );
  return (
    `${kept} repeated_days AS SELECT b.profile, b.day, b.lake, min(a.lake) AS first_lake, ` +
    'min(a.day_version) = max(a.day_version) AND min(a.day_version) = max(b.day_version) AS is_same ' +
    `FROM (${all.join(' UNION ALL ')}) a JOIN (${all.join(' UNION ALL ')}) b ` +
    'ON a.profile = b.profile AND a.day = b.day AND a.lake < b.lake ' +
    'GROUP BY b.profile, b.day, b.lake'
  );
}

/** A path as DuckDB has it in a pattern of paths. */
export function globOf(path: string): string {
  return path.replace(/[[*?]/g, '[$&]');
}

/** A text in SQL, of what the user named: a path. */
function sqlText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** The same for Spark, in which backslashes escape. */
function sparkText(text: string): string {
  return `'${text.replace(/['\\]/g, '\\$&')}'`;
}

/** A folder as Spark has it in a pattern of paths. */
function sparkPattern(folder: string): string {
  return `file://${folder.replace(/[[\]{}*?\\]/g, '\\$&')}`;
}
