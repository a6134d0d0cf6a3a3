import { join } from 'node:path';
import { keysOf } from '../base/lists.ts';

/** UTF-8 bytes of a text within a larger buffer. */
export interface TextBytes {
  readonly view: DataView;
  readonly start: number;
  readonly end: number;
}

/** The types of columns, by what rows have for them. Ids are texts: Spark refuses Parquet's own UUIDs. */
interface LakeTypes {
  text: string;
  /** A text that hardly any other row has. */
  unique_text: string | TextBytes;
  /** The same of random characters. An id that many rows share is a `text`. */
  id: string | TextBytes;
  integer: number;
  bigint: bigint;
  /** In units of the last of its `decimal.scale` places. */
  decimal: bigint;
  /** Microseconds since 1970, UTC. */
  time: bigint;
  boolean: boolean;
}

export type LakeType = keyof LakeTypes;

/** All decimals are DECIMAL(38, 4). */
export const decimal = { precision: 38, scale: 4 } as const;

export type ColumnForm = LakeType | `${LakeType}?`;

export function typeOf(form: ColumnForm): LakeType {
  return form.replace('?', '') as LakeType;
}

/** The first columns of every table. The day is the partition, so no column is called `day`. */
export const commonColumns = {
  profile: 'text',
  /** SHA-256 of the day's content and settings: the same in all tables of a version of a day. */
  day_version: 'text',
} as const satisfies Readonly<Record<string, ColumnForm>>;

/**
 * The tables and their columns, after the common ones. They are an interface, described in docs/lake.md:
 * none is renamed or removed. A new column goes to the end of its table and has a `?`: files in place stay
 * as they are, and engines read null. A new table needs a higher `daySchema` in the manifest of each day.
 */
export const lakeTables = {
  /** One row per transaction of a settlement. */
  transactions: {
    settlement_id: 'text',
    accounting_token: 'text',
    transaction_id: 'id',
    charge_id: 'id',
    order_id: 'id',
    timestamp: 'unique_text',
    time: 'time?',
    transaction_type: 'text',
    payment_type: 'text',
    state: 'text',
    currency: 'text',
    decimal_places: 'integer',
    amount_minor: 'bigint',
    fees_minor: 'bigint',
    tax_minor: 'bigint',
    amount: 'decimal?',
    fees: 'decimal?',
    tax: 'decimal?',
    listed: 'integer',
    own_settlement_id: 'text',
    notes: 'unique_text',
  },
  settlements: {
    settlement_id: 'text',
    settlement_timestamp: 'text',
    settlement_time: 'time?',
    accounting_token: 'text',
    accounting_name: 'text',
    merchant_id: 'text',
    payment_service: 'text',
    currency: 'text',
    decimal_places: 'integer',
    settlement_status: 'text',
    service_says: 'text',
    sums_say: 'text',
    verdict: 'text',
    verdict_reason: 'text',
    complete: 'boolean',
    transactions_reported: 'bigint',
    transactions_computed: 'bigint?',
    transactions_difference: 'bigint?',
    gross_reported_minor: 'bigint',
    gross_computed_minor: 'bigint?',
    gross_difference_minor: 'bigint?',
    gross_reported: 'decimal?',
    fees_reported_minor: 'bigint',
    fees_computed_minor: 'bigint?',
    fees_difference_minor: 'bigint?',
    fees_reported: 'decimal?',
    tax_reported_minor: 'bigint',
    tax_computed_minor: 'bigint?',
    tax_difference_minor: 'bigint?',
    tax_reported: 'decimal?',
    pay_in_reported_minor: 'bigint',
    pay_in_computed_minor: 'bigint?',
    pay_in_difference_minor: 'bigint?',
    pay_in_reported: 'decimal?',
    by_rule_transactions: 'bigint',
    by_rule_gross_minor: 'bigint',
    by_rule_fees_minor: 'bigint',
    by_rule_tax_minor: 'bigint',
    by_rule_pay_in_minor: 'bigint?',
    discrepancies: 'text',
    notices: 'text',
    payment_references: 'text',
    payment_end_to_end_ids: 'text',
    explanation: 'text',
  },
  /** One row per discrepancy or notice, of a settlement or of the day. */
  discrepancies: {
    settlement_id: 'text',
    accounting_token: 'text',
    currency: 'text',
    weight: 'text',
    code: 'text',
    count: 'bigint',
    decimal_places: 'integer?',
    difference_minor: 'bigint?',
    difference: 'decimal?',
    message: 'text',
  },
  days: {
    verdict: 'text',
    complete: 'boolean',
    settlements_balanced: 'bigint',
    settlements_out_of_balance: 'bigint',
    settlements_pending: 'bigint',
    settlements_incomplete: 'bigint',
    transactions: 'bigint',
    identity: 'text',
    fees_sign: 'integer?',
    tax_sign: 'integer?',
    tolerance: 'bigint',
    ignored: 'text',
    rules: 'text',
  },
  /** One row per value that a restatement of the day has changed. */
  changes: {
    settlement_id: 'text',
    transaction_id: 'id',
    change: 'text',
    field: 'text',
    before: 'text',
    after: 'text',
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, ColumnForm>>>>;

export type LakeTable = keyof typeof lakeTables;

export const lakeTableNames = keysOf<LakeTable>(lakeTables);

/** The folder of the tables: in an export, and in the folder of a day whose tables are not published yet. */
export const lakeFolder = 'lake';

/** The file of a table in the folder of its day, before it is published. */
export function stagedTablePath(table: LakeTable): string {
  return join(lakeFolder, `${table}.parquet`);
}

/** The only file of a partition. */
export const tablePart = 'part-0.parquet';

/** The file of a day in a table, in the folder of an export: a Hive partition with one part. */
export function publishedTablePath(table: LakeTable, day: string): string {
  return join(lakeFolder, table, `day=${day}`, tablePart);
}

/** Whether a name beside tables or partitions is that of a folder of Delta Lake or Iceberg. */
export function isOfCatalogue(name: string): boolean {
  return name === '_delta_log' || name === 'metadata';
}

type ValueOf<Form> = Form extends `${infer Type extends LakeType}?`
  ? LakeTypes[Type] | null
  : Form extends LakeType
    ? LakeTypes[Form]
    : never;

type Columns<Table extends LakeTable> = (typeof lakeTables)[Table];

/** A row of a table, without the common columns. */
export type LakeRow<Table extends LakeTable> = {
  readonly [Column in keyof Columns<Table>]: ValueOf<Columns<Table>[Column]>;
};
