import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import {
  commonColumns,
  decimal,
  type LakeTable,
  type LakeType,
  lakeTables,
  publishedTablePath,
} from '../../src/lake/tables.ts';

/** Some columns of a row; the others are empty, 0 or null. */
export type SomeColumns = Readonly<Record<string, string | number | bigint | boolean | null>>;

/** The rows of a day, by table. A row in `days` is written in any case. */
export type LakeDay = {
  readonly [Table in Exclude<LakeTable, 'days'>]?: readonly SomeColumns[];
} & {
  readonly days?: SomeColumns;
  /** `v1` where it isn't given. */
  readonly version?: string;
  readonly profile?: string;
};

const sqlTypes: Readonly<Record<LakeType, readonly [type: string, usual: string]>> = {
  text: ['VARCHAR', "''"],
  unique_text: ['VARCHAR', "''"],
  id: ['VARCHAR', "''"],
  integer: ['INTEGER', '0'],
  bigint: ['BIGINT', '0'],
  decimal: ['DECIMAL(38, 4)', 'NULL'],
  time: ['TIMESTAMP WITH TIME ZONE', 'NULL'],
  boolean: ['BOOLEAN', 'TRUE'],
};

const usual: Readonly<Record<string, string>> = {
  currency: "'EUR'",
  decimal_places: '2',
  fees_sign: '-1',
  tax_sign: '-1',
  verdict: "'balanced'",
  settlement_status: "'settled'",
  accounting_token: "'shop'",
  payment_type: "'card'",
  transaction_type: "'purchase'",
  service_says: "'balanced'",
  sums_say: "'balanced'",
  discrepancies: "'[]'",
  notices: "'[]'",
  listed: '1',
};

/** Writes days of a lake into `folder`/lake, as an export has it, by a writer that is not our own. */
export async function writeLake(
  folder: string,
  days: Readonly<Record<string, LakeDay>>,
): Promise<string> {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  try {
    for (const [day, { version = 'v1', profile = '', ...rest }] of Object.entries(days)) {
      const tables = { ...rest, days: [countsOf(rest)] };
      for (const [table, rows] of Object.entries(tables)) {
        const shared = { profile, day_version: version };
        const all = rows.map((row) => ({ ...shared, ...row }));
        await writeTable(
          connection,
          table as LakeTable,
          join(folder, publishedTablePath(table as LakeTable, day)),
          all,
        );
      }
    }
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
  return folder;
}

/** The worst first. */
const verdicts = ['incomplete', 'out_of_balance', 'pending'];

function countsOf({ settlements = [], transactions = [], days }: LakeDay): SomeColumns {
  const count = (verdict: string) =>
    settlements.filter((one) => (one['verdict'] ?? 'balanced') === verdict).length;
  return {
    settlements_balanced: count('balanced'),
    settlements_out_of_balance: count('out_of_balance'),
    settlements_pending: count('pending'),
    settlements_incomplete: count('incomplete'),
    transactions: transactions.length,
    verdict: verdicts.find((verdict) => count(verdict) > 0) ?? 'balanced',
    ...days,
  };
}

async function writeTable(
  connection: DuckDBConnection,
  table: LakeTable,
  path: string,
  rows: readonly SomeColumns[],
): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const select = (row: SomeColumns) => {
    const all = { ...decimalsOf(table, row), ...row };
    const cells = Object.entries(all).map(([name, value]) => [name, literal(value)] as const);
    return columnsInSql(table, Object.fromEntries(cells));
  };
  const queries = rows.map((row) => `SELECT ${select(row)}`);
  const none = `SELECT ${select({})} WHERE FALSE`;
  const query = queries.length > 0 ? queries.join(' UNION ALL ') : none;
  await connection.run(`COPY (${query}) TO '${path.replaceAll("'", "''")}' (FORMAT parquet)`);
}

/** The decimals of a row, from its minor units. */
function decimalsOf(table: LakeTable, row: SomeColumns): SomeColumns {
  const decimals = Object.entries<string>(lakeTables[table]).filter(
    ([, form]) => form === 'decimal?',
  );
  const scale = Number(row['decimal_places'] ?? (table === 'discrepancies' ? Number.NaN : 2));
  const cells = decimals.map(([name]) => {
    const minor = row[`${name}_minor`] ?? (table === 'discrepancies' ? null : 0);
    const isShown = minor !== null && scale <= decimal.scale;
    return [name, isShown ? decimalText(BigInt(minor), scale) : null] as const;
  });
  return Object.fromEntries(cells);
}

function decimalText(minor: bigint, scale: number): string {
  const digits = String(minor < 0n ? -minor : minor).padStart(scale + 1, '0');
  const at = digits.length - scale;
  return `${minor < 0n ? '-' : ''}${digits.slice(0, at)}.${digits.slice(at)}0`;
}

/** All columns of a table in order, for a SELECT: some by SQL of their own, the others empty, 0 or null. */
export function columnsInSql(table: LakeTable, cells: Readonly<Record<string, string>>): string {
  const columns = Object.entries<string>({ ...commonColumns, ...lakeTables[table] });
  return columns
    .map(([name, form]) => {
      const [type, otherwise] = sqlTypes[form.replace('?', '') as LakeType];
      const isNull = form.endsWith('?') && usual[name] === undefined;
      const value = cells[name] ?? usual[name] ?? (isNull ? 'NULL' : otherwise);
      return `CAST(${value} AS ${type}) AS "${name}"`;
    })
    .join(', ');
}

function literal(value: string | number | bigint | boolean | null): string {
  if (typeof value !== 'string') return String(value);
  return `'${value.replaceAll("'", "''").replaceAll('\0', "' || chr(0) || '")}'`;
}

/** A settlement of `shop` whose figures are those of its rows. */
export function settlementOf(
  id: string,
  rows: readonly SomeColumns[],
  more: SomeColumns = {},
): SomeColumns {
  const sum = (key: string) => rows.reduce((total, row) => total + BigInt(row[key] ?? 0), 0n);
  const [gross, fees, tax] = [sum('amount_minor'), sum('fees_minor'), sum('tax_minor')];
  const figures = { gross, fees, tax, pay_in: gross - fees - tax };
  const sides = Object.entries(figures).flatMap(([measure, minor]) => [
    [`${measure}_reported_minor`, minor],
    [`${measure}_computed_minor`, minor],
    [`${measure}_difference_minor`, 0],
  ]);
  return {
    settlement_id: id,
    transactions_reported: rows.length,
    transactions_computed: rows.length,
    transactions_difference: 0,
    ...Object.fromEntries(sides),
    ...more,
  };
}

/** Rows of a settlement, by transaction id: an amount in minor units, or more columns. */
export function rowsOf(
  settlementId: string,
  rows: Readonly<Record<string, number | bigint | SomeColumns>>,
): readonly SomeColumns[] {
  return Object.entries(rows).map(([id, row]) => ({
    settlement_id: settlementId,
    transaction_id: id,
    charge_id: `charge-${id}`,
    ...(typeof row !== 'object' ? { amount_minor: row } : row),
  }));
}
