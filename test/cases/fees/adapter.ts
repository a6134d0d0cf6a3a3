/**
 * All that the cases know of the command's names: its flags, columns and fields (CLOSING 8). The
 * settings are written in `contract.ts` as the specification shows them. Whoever renames a field
 * changes this file alone.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import type { RunResult } from '../../support/run-recon.ts';
import type { Days, Kind } from './contract.ts';
import { groupKey, type Sums } from './oracle.ts';
import type { Charged } from './service.ts';

/** The settings of a profile below its connection, in TOML. */
export function profileSettings(zone: string, contract: object): string {
  const tables: string[] = [];
  const lines = [`time_zone = "${zone}"`];
  for (const [key, value] of Object.entries(contract)) {
    if (key !== 'agreed_rates') lines.push(`${key} = ${toml(value)}`);
    else for (const rate of value) tables.push('[[profiles.shop.agreed_rates]]', ...keys(rate));
  }
  return [...lines, ...tables].join('\n');
}

const keys = (table: object) =>
  Object.entries(table).map(([key, value]) => `${key} = ${toml(value)}`);

function toml(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(toml).join(', ')}]`;
  return typeof value === 'object' && value !== null
    ? `{ ${keys(value).join(', ')} }`
    : JSON.stringify(value);
}

/** Runs `recon fees` over these days. */
export function runFees(
  charged: Charged,
  { from, to }: Days,
  args: readonly string[],
  contract?: object,
): Promise<RunResult> {
  return charged.run(['fees', '--from', from, '--to', to, ...charged.source, ...args], contract);
}

/** A row that a report names; amounts in millionths. */
export interface ToldRow {
  readonly transactionId: string;
  readonly rate: string;
  readonly charged: bigint;
  readonly over: bigint;
  readonly under: bigint;
  readonly taxOver: bigint;
}

export interface Told {
  readonly verdict: string;
  readonly groups: ReadonlyMap<string, Sums>;
  readonly months: ReadonlyMap<string, Sums>;
  readonly rows: readonly ToldRow[];
  readonly kinds: ReadonlyMap<string, Readonly<Record<Kind, bigint>>>;
  readonly withoutRow: ReadonlyMap<string, { readonly charged: bigint; readonly over: bigint }>;
}

export const verdicts = {
  asAgreed: 'as_agreed',
  overcharged: 'overcharged',
  notChecked: 'not_checked',
  incomplete: 'incomplete',
} as const;

/** An amount in JSON; CSV has the text alone. */
type Money = string | { readonly amount: string };
type Fields = Readonly<Record<string, Money | number | null>>;

/** `--format json`, as far as the cases look at it. */
interface FeesJson
  extends Readonly<
    Record<'lines' | 'months' | 'differences' | 'causes' | 'feesWithoutRow', readonly Fields[]>
  > {
  readonly verdict: string;
}

/** An amount in millionths; an empty or missing one is 0. */
function money(fields: Fields, name: string): bigint {
  const found = fields[name];
  const text = typeof found === 'object' && found !== null ? found.amount : (found ?? '');
  const match = /^(-?)(\d+)(?:\.(\d{1,6}))?$/.exec(text === '' ? '0' : String(text));
  if (!match) throw new Error(`${name} is not an amount: ${JSON.stringify(found)}`);
  const [, sign, whole = '', fraction = ''] = match;
  return BigInt(`${sign}${whole}${fraction.padEnd(6, '0')}`);
}

/** An undercharge may be written as a difference, which is negative. */
function size(fields: Fields, name: string): bigint {
  const amount = money(fields, name);
  return amount < 0n ? -amount : amount;
}

const words = (fields: Fields, ...names: readonly string[]) =>
  names.map((name) => String(fields[name] ?? ''));

function sumsOf(fields: Fields, names: Readonly<Record<'taxOver' | 'withoutRate', string>>): Sums {
  return {
    rows: Number(fields['rows']),
    volume: money(fields, 'volume'),
    charged: money(fields, 'charged'),
    agreed: money(fields, 'agreed'),
    over: money(fields, 'over'),
    under: size(fields, 'under'),
    taxOver: money(fields, names.taxOver),
    withoutRate: Number(fields[names.withoutRate]),
  };
}

/** Reads `--format json`. */
export function toldInJson({ stdout }: Pick<RunResult, 'stdout'>): Told {
  const json = JSON.parse(stdout) as FeesJson;
  const names = { taxOver: 'taxOver', withoutRate: 'withoutRate' };
  const sums = (list: readonly Fields[], ...by: readonly string[]) =>
    new Map(list.map((one) => [groupKey(...words(one, ...by)), sumsOf(one, names)]));
  return {
    verdict: json.verdict,
    groups: sums(json.lines, 'accountingToken', 'currency', 'paymentType', 'transactionType'),
    months: sums(json.months, 'month', 'currency'),
    rows: json.differences
      .filter(({ transactionId }) => transactionId !== '')
      .map((row) => ({
        transactionId: String(row['transactionId']),
        rate: String(row['rate'] ?? ''),
        charged: money(row, 'feeCharged'),
        over: above(money(row, 'feeDifference')),
        under: above(-money(row, 'feeDifference')),
        taxOver: above(money(row, 'taxDifference')),
      })),
    kinds: notEmpty(byCurrency(json.causes), ['currency'], (one) => ({
      rate: money(one, 'feeRate'),
      fixed: money(one, 'fixedPart'),
      rounding: money(one, 'rounding'),
      kept: money(one, 'kept'),
    })),
    withoutRow: notEmpty(json.feesWithoutRow, ['month', 'currency'], (one) => ({
      charged: money(one, 'charged'),
      over: above(money(one, 'charged') - money(one, 'agreed')),
    })),
  };
}

const above = (amount: bigint) => (amount > 0n ? amount : 0n);

/** The causes of all rates of a currency, added up as decimal text. */
function byCurrency(causes: readonly Fields[]): readonly Fields[] {
  const sums = new Map<string, Record<string, string>>();
  for (const one of causes) {
    const currency = String(one['currency']);
    const sum = sums.get(currency) ?? { currency };
    sums.set(currency, sum);
    for (const name of ['feeRate', 'fixedPart', 'rounding', 'kept']) {
      const text = String(money(sum, name) + money(one, name)).padStart(7, '0');
      sum[name] = `${text.slice(0, -6)}.${text.slice(-6)}`;
    }
  }
  return [...sums.values()];
}

/** Whether a report names what is 0 is its own affair. */
function notEmpty<Amounts extends Readonly<Record<string, bigint>>>(
  list: readonly Fields[],
  by: readonly string[],
  amounts: (fields: Fields) => Amounts,
): ReadonlyMap<string, Amounts> {
  const all = list.map((one) => [groupKey(...words(one, ...by)), amounts(one)] as const);
  return new Map(all.filter(([, found]) => Object.values(found).some((one) => one !== 0n)));
}

const recordsOf = (csv: string): readonly Readonly<Record<string, string>>[] =>
  parse(csv, { columns: true, bom: true });

/** Reads `--format csv`: a record for each account, currency, payment type and type. */
export function groupsInCsv({ stdout }: Pick<RunResult, 'stdout'>): ReadonlyMap<string, Sums> {
  const names = { taxOver: 'tax_over', withoutRate: 'without_rate' };
  const by = ['accounting_token', 'currency', 'payment_type', 'transaction_type'];
  return new Map(
    recordsOf(stdout).map((one) => [groupKey(...words(one, ...by)), sumsOf(one, names)]),
  );
}

/** Has the claim for the provider written, and reads the rows beside it. */
export async function claimOf(charged: Charged, days: Days) {
  const cover = join(charged.folder, 'claim.md');
  await runFees(charged, days, ['--format', 'markdown', '--output', cover]);
  const csv = await readFile(join(charged.folder, 'claim.csv'), 'utf8');
  // Tax per settlement has no transaction.
  const own = recordsOf(csv).filter((cells) => cells['transaction_id'] !== '');
  const rows = own.map(
    (cells): ToldRow => ({
      transactionId: cells['transaction_id'] ?? '',
      rate: cells['rate'] ?? '',
      charged: money(cells, 'fee_charged'),
      over: above(money(cells, 'fee_difference')),
      under: above(-money(cells, 'fee_difference')),
      taxOver: above(money(cells, 'tax_difference')),
    }),
  );
  return { text: (await readFile(cover, 'utf8')) + csv, rows };
}
