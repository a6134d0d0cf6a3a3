import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import type { AuditCode } from '../../src/app/audit-result.ts';
import { addDays } from '../../src/base/calendar.ts';
import { keysOf } from '../../src/base/lists.ts';
import {
  commonColumns,
  type LakeTable,
  lakeTables,
  publishedTablePath,
} from '../../src/lake/tables.ts';
import { columnsInSql } from '../audit/write-lake.ts';
import { type Fault, faults, type Stage } from './planted-faults.ts';

/** A history of two shops in folders of exports, and how often each fault is in it. */
export interface History {
  readonly folders: readonly string[];
  readonly rows: number;
  readonly planted: Readonly<Partial<Record<AuditCode, number>>>;
}

const days = 365;
const firstDay = '2025-03-01';
const profiles = ['spain', 'portugal'] as const;
const accounts = 10;
const rowsPerSettlement = 500;
/** For so many days at the end, the last account of a profile has no settlement. */
const silentDays = 20;
const refundedAfter = 30;

/** As exports have them, in multiples of DuckDB's vectors. */
const rowsPerGroup = 10_240;

type Profile = (typeof profiles)[number];

/** A day of a profile that is written: which, in what folder, in what version. */
interface Day {
  readonly profile: Profile;
  readonly day: number;
  readonly folder: string;
  readonly version?: string;
}

/** Writes about `rows` transactions of a year below `folder`, by DuckDB; the same rows give the same data. */
export async function writeHistory(folder: string, rows: number): Promise<History> {
  const instance = await DuckDBInstance.create(':memory:', { threads: '2', memory_limit: '4GB' });
  const planted: Partial<Record<AuditCode, number>> = {};
  const plant = (code: AuditCode, count: number) => {
    planted[code] = (planted[code] ?? 0) + count;
  };
  const folders = profiles.map((profile) => join(folder, profile));
  const again = join(folder, 'spain-again');
  const rowsADay = Math.ceil(rows / days / profiles.length);
  const write = async (connection: DuckDBConnection, which: readonly Day[]) => {
    let written = 0;
    for (const one of which) written += await writeDay(connection, one, rowsADay, plant);
    return written;
  };
  try {
    const setUp = await instance.connect();
    await setUp.run(idMacro);
    // A day that has no table is missing; a profile that ends early in one account is silent there.
    plant('missing_day', 1);
    plant('silent_account', 1);
    const written = await Promise.all(
      profiles.map(async (profile, index) => {
        const own = Array.from({ length: days }, (_, day) => ({
          profile,
          day,
          folder: folders[index] ?? '',
        }));
        return write(
          await instance.connect(),
          own.filter(({ day }) => !isMissing(profile, day)),
        );
      }),
    );
    const repeated = { profile: 'spain', day: 200, folder: again } as const;
    const conflicting = { ...repeated, day: 201, version: versionOf(days) };
    await write(setUp, [repeated, conflicting]);
    plant('repeated_day', 1);
    plant('conflicting_day', 1);
    setUp.closeSync();
    return { folders: [...folders, again], rows: written.reduce((sum, one) => sum + one), planted };
  } finally {
    instance.closeSync();
  }
}

function isMissing(profile: Profile, day: number): boolean {
  return profile === 'spain' && (day === 50 || day === 51);
}

function versionOf(day: number): string {
  return day.toString(16).padStart(64, '0');
}

/** Ids look random, and are those of a kind, profile, day and number. */
const idMacro = `CREATE MACRO id_of(kind, profile, day, number) AS
  CAST(CAST(md5(concat(kind, profile, ' ', day, ' ', number)) AS UUID) AS VARCHAR)`;

/** Writes the tables of a day, with the faults that it has. Gives how many transactions were judged. */
async function writeDay(
  connection: DuckDBConnection,
  { profile, day, folder, version = versionOf(day) }: Day,
  rows: number,
  plant: (code: AuditCode, count: number) => void,
): Promise<number> {
  const own = faults.filter((fault) => fault.profile === profile && fault.day === day);
  const shared = { profile: `'${profile}'`, day_version: `'${version}'` };
  const make = async (table: LakeTable, helpers: string, from: string, cells: Cells) =>
    connection.run(
      `CREATE OR REPLACE TEMP TABLE ${table} AS
       SELECT ${columnsInSql(table, { ...shared, ...cells })}, ${helpers} FROM (${from})`,
    );
  const spoil = async (stage: Stage) => {
    for (const fault of own.filter((one) => one.stage === stage))
      await plantFault(connection, fault, plant);
  };
  const date = addDays(firstDay, day);
  await make(
    'transactions',
    'number, turn, row',
    drawnRows(profile, day, rows),
    transactionCells(date),
  );
  await spoil('rows');
  await make('settlements', 'number', rowsBySettlement(day), settlementCells);
  await spoil('judged');
  await make('days', 'TRUE AS is_day', verdictCounts, dayCells);
  await make('changes', 'TRUE AS is_day', 'SELECT 1 WHERE FALSE', {});
  await make(
    'discrepancies',
    'TRUE AS is_day',
    `SELECT *, unnest(from_json(discrepancies, '["VARCHAR"]')) AS found FROM settlements`,
    discrepancyCells,
  );
  await spoil('counted');
  for (const table of keysOf<LakeTable>(lakeTables)) {
    if (table === 'changes' && !own.some(({ code }) => code === 'changed_after_settled')) continue;
    const path = join(folder, publishedTablePath(table, date));
    await mkdir(dirname(path), { recursive: true });
    const columns = Object.keys({ ...commonColumns, ...lakeTables[table] }).map(
      (name) => `"${name}"`,
    );
    await connection.run(
      `COPY (SELECT ${columns.join(', ')} FROM ${table}) TO '${path}'
       (FORMAT parquet, COMPRESSION snappy, ROW_GROUP_SIZE ${rowsPerGroup})`,
    );
  }
  const reader = await connection.runAndReadAll('SELECT transactions FROM days');
  return Number(reader.getRows()[0]?.[0]);
}

async function plantFault(
  connection: DuckDBConnection,
  { code, sql, count }: Fault,
  plant: (code: AuditCode, count: number) => void,
): Promise<void> {
  let changed = 0;
  for (const statement of sql) changed = (await connection.run(statement)).rowsChanged;
  plant(code, count ?? changed);
}

type Cells = Readonly<Record<string, string>>;

/** What differs from row to row: one in fifty refunds half of a purchase, as a rule of a month before. */
function drawnRows(profile: Profile, day: number, rows: number): string {
  const settlements = Math.max(accounts, Math.ceil(rows / rowsPerSettlement));
  const turns = Math.ceil(rows / settlements);
  const before = day - refundedAfter;
  const purchaseDay = before < 0 || isMissing(profile, before) ? day : before;
  const lastAccount = profile === 'portugal' && day >= days - silentDays ? accounts - 1 : accounts;
  return `
    SELECT *, number % ${accounts} AS account,
      id_of('charge', '${profile}', purchase_day, purchase) AS charge_id,
      id_of('transaction', '${profile}', ${day}, row) AS transaction_id,
      id_of('settlement', '${profile}', ${day}, number) AS settlement_id,
      CAST(100 + hash(purchase, purchase_day) % 20000 AS BIGINT) AS paid,
      CASE WHEN is_refund THEN -(paid // 2) ELSE paid END AS amount,
      CASE WHEN is_refund THEN 0 ELSE paid * 14 // 1000 END AS fee
    FROM (
      SELECT *,
        CASE WHEN is_refund THEN ${purchaseDay} ELSE ${day} END AS purchase_day,
        CASE WHEN is_refund THEN row + 1 ELSE row END AS purchase
      FROM (
        SELECT row, row // ${turns} AS number, row % ${turns} AS turn,
          turn % 50 = 0 AND turn + 1 < ${turns} AND row + 1 < ${rows} AS is_refund
        FROM range(${rows}) all_rows(row)
      )
    )
    WHERE account < ${lastAccount}`;
}

const scale = 'CASE account WHEN 7 THEN 0 WHEN 8 THEN 3 ELSE 2 END';
const forPeople = (minor: string, places: string) =>
  `${minor} * CASE ${places} WHEN 0 THEN 1.000 WHEN 3 THEN 0.001 ELSE 0.010 END`;

function transactionCells(date: string): Cells {
  const time = `TIMESTAMP '${date} 00:00:00' + to_seconds(row % 86400)`;
  return {
    settlement_id: 'settlement_id',
    accounting_token: "concat('account-', account)",
    transaction_id: 'transaction_id',
    charge_id: 'charge_id',
    order_id: 'concat(left(charge_id, 24), right(transaction_id, 12))',
    timestamp: `strftime(${time}, '%Y-%m-%dT%H:%M:%SZ')`,
    time: `to_timestamp(epoch(${time}))`,
    transaction_type: "CASE WHEN is_refund THEN 'refund' ELSE 'purchase' END",
    payment_type: "CASE turn % 3 WHEN 0 THEN 'card' WHEN 1 THEN 'transfer' ELSE 'wallet' END",
    state: "'approved'",
    currency: "CASE account WHEN 7 THEN 'JPY' WHEN 8 THEN 'KWD' ELSE 'EUR' END",
    decimal_places: scale,
    amount_minor: 'amount',
    fees_minor: 'fee',
    tax_minor: 'fee // 5',
    amount: forPeople('amount', scale),
    fees: forPeople('fee', scale),
    tax: forPeople('(fee // 5)', scale),
    listed: '1',
    own_settlement_id: 'settlement_id',
    notes: `concat('[{"key":"merchant_order_ref","value":"ORD-', row, '"}]')`,
  };
}

/** One settlement of every tenth day is out of balance. */
function rowsBySettlement(day: number): string {
  return `
    SELECT *, gross - fees - tax AS pay_in,
      CASE WHEN number = 1 AND ${day} % 10 = 0 THEN 500 ELSE 0 END AS too_much
    FROM (
      SELECT settlement_id, any_value(number) AS number, accounting_token, currency, decimal_places,
        count(*) AS transactions, sum(amount_minor) AS gross, sum(fees_minor) AS fees, sum(tax_minor) AS tax
      FROM transactions
      GROUP BY settlement_id, accounting_token, currency, decimal_places
    )
    ORDER BY number`;
}

const settlementCells: Cells = {
  ...Object.fromEntries(
    ['settlement_id', 'accounting_token', 'currency', 'decimal_places'].map((name) => [name, name]),
  ),
  settlement_status: "CASE WHEN too_much > 0 THEN 'settled_out_of_balance' ELSE 'settled' END",
  service_says: "CASE WHEN too_much > 0 THEN 'out_of_balance' ELSE 'balanced' END",
  sums_say: "CASE WHEN too_much > 0 THEN 'out_of_balance' ELSE 'balanced' END",
  verdict: "CASE WHEN too_much > 0 THEN 'out_of_balance' ELSE 'balanced' END",
  discrepancies: `CASE WHEN too_much > 0 THEN '["gross","reported_by_service"]' ELSE '[]' END`,
  transactions_reported: 'transactions',
  transactions_computed: 'transactions',
  transactions_difference: '0',
  ...measureCells('gross', 'too_much'),
  ...measureCells('fees', '0'),
  ...measureCells('tax', '0'),
  ...measureCells('pay_in', 'too_much'),
  by_rule_pay_in_minor: '0',
};

function measureCells(measure: string, difference: string): Cells {
  return {
    [`${measure}_reported_minor`]: `${measure} + ${difference}`,
    [`${measure}_computed_minor`]: measure,
    [`${measure}_difference_minor`]: difference,
    [`${measure}_reported`]: forPeople(`(${measure} + ${difference})`, 'decimal_places'),
  };
}

const verdictCounts = `
  SELECT count(*) FILTER (verdict = 'balanced') AS balanced,
    count(*) FILTER (verdict = 'out_of_balance') AS out_of_balance,
    count(*) FILTER (verdict = 'pending') AS pending,
    count(*) FILTER (verdict = 'incomplete') AS incomplete,
    sum(transactions_computed) AS transactions
  FROM settlements`;

const dayCells: Cells = {
  verdict: `CASE WHEN incomplete > 0 THEN 'incomplete' WHEN out_of_balance > 0 THEN 'out_of_balance'
    WHEN pending > 0 THEN 'pending' ELSE 'balanced' END`,
  complete: 'incomplete = 0',
  settlements_balanced: 'balanced',
  settlements_out_of_balance: 'out_of_balance',
  settlements_pending: 'pending',
  settlements_incomplete: 'incomplete',
  transactions: 'transactions',
  identity: "'gross-fees-tax'",
  ignored: "'[]'",
  rules: "'[]'",
};

const discrepancyCells: Cells = {
  settlement_id: 'settlement_id',
  accounting_token: 'accounting_token',
  currency: 'currency',
  weight: "'discrepancy'",
  code: 'found',
  count: '1',
  decimal_places: "CASE found WHEN 'gross' THEN decimal_places END",
  difference_minor: "CASE found WHEN 'gross' THEN gross_difference_minor END",
  difference: `CASE found WHEN 'gross' THEN ${forPeople('gross_difference_minor', 'decimal_places')} END`,
  message: "'what it found'",
};
