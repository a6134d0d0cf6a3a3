/**
 * All that the cases know of the command's names: its flags, columns and fields (CLOSING 8). The
 * settings are written in `contract.ts` as the specification shows them. Whoever renames a field
 * changes this file alone.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { type RunResult, runRecon } from '../../support/run-recon.ts';
import type { Days, Kind } from './contract.ts';
import { groupKey, type Sums } from './oracle.ts';
import type { Charged } from './service.ts';

/** Without the command nothing can be compared. It is there to stay once it is there. */
export const isBuilt = (await runRecon(['help', 'fees'])).exitCode === 0;

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

interface Money {
  readonly amount: string;
}

interface SumsJson
  extends Readonly<Record<'volume' | 'charged' | 'agreed' | 'over' | 'under' | 'taxOver', Money>> {
  readonly currency: string;
  readonly rows: number;
  readonly withoutRate: number;
}

/** `--format json`, as far as the cases look at it. */
interface FeesJson {
  readonly verdict: string;
  readonly groups: readonly (SumsJson & {
    readonly accountingToken: string;
    readonly paymentType: string;
    readonly type: string;
  })[];
  readonly months: readonly (SumsJson & { readonly month: string })[];
  readonly rows: readonly (Readonly<Record<'feeCharged' | 'over' | 'under' | 'taxOver', Money>> & {
    readonly transactionId: string;
    readonly rate: string | null;
  })[];
  readonly kinds: readonly (Readonly<Record<'rate' | 'fixed' | 'rounding' | 'kept', Money>> & {
    readonly currency: string;
  })[];
  readonly withoutRow: readonly {
    readonly month: string;
    readonly currency: string;
    readonly charged: Money;
    readonly over: Money;
  }[];
}

/** Decimal text in millionths; an empty one is 0. */
function millionths(text = ''): bigint {
  const match = /^(-?)(\d+)(?:\.(\d{1,6}))?$/.exec(text || '0');
  if (!match) throw new Error(`Not an amount: ${JSON.stringify(text)}`);
  const [, sign, whole = '', fraction = ''] = match;
  return BigInt(`${sign}${whole}${fraction.padEnd(6, '0')}`);
}

const value = ({ amount }: Money) => millionths(amount);
/** An undercharge may be written as a difference, which is negative. */
const size = (amount: bigint) => (amount < 0n ? -amount : amount);

const sumsOfJson = (sums: SumsJson): Sums => ({
  rows: sums.rows,
  volume: value(sums.volume),
  charged: value(sums.charged),
  agreed: value(sums.agreed),
  over: value(sums.over),
  under: size(value(sums.under)),
  taxOver: value(sums.taxOver),
  withoutRate: sums.withoutRate,
});

/** Reads `--format json`. */
export function toldInJson({ stdout }: Pick<RunResult, 'stdout'>): Told {
  const json = JSON.parse(stdout) as FeesJson;
  return {
    verdict: json.verdict,
    groups: new Map(
      json.groups.map((group) => [
        groupKey(group.accountingToken, group.currency, group.paymentType, group.type),
        sumsOfJson(group),
      ]),
    ),
    months: new Map(
      json.months.map((sums) => [groupKey(sums.month, sums.currency), sumsOfJson(sums)]),
    ),
    rows: json.rows.map(({ transactionId, rate, feeCharged, over, under, taxOver }) => ({
      transactionId,
      rate: rate ?? '',
      charged: value(feeCharged),
      over: value(over),
      under: size(value(under)),
      taxOver: value(taxOver),
    })),
    kinds: notEmpty(
      json.kinds.map(({ currency, rate, fixed, rounding, kept }) => [
        currency,
        { rate: value(rate), fixed: value(fixed), rounding: value(rounding), kept: value(kept) },
      ]),
    ),
    withoutRow: notEmpty(
      json.withoutRow.map(({ month, currency, charged, over }) => [
        groupKey(month, currency),
        { charged: value(charged), over: value(over) },
      ]),
    ),
  };
}

/** Whether a report names what is 0 is its own affair. */
function notEmpty<Amounts extends Readonly<Record<string, bigint>>>(
  entries: readonly (readonly [string, Amounts])[],
): ReadonlyMap<string, Amounts> {
  return new Map(entries.filter(([, amounts]) => Object.values(amounts).some((one) => one !== 0n)));
}

type Cells = Readonly<Record<string, string>>;

/** Reads `--format csv`: a record for each account, currency, payment type and type. */
export function groupsInCsv({ stdout }: Pick<RunResult, 'stdout'>): ReadonlyMap<string, Sums> {
  const records: readonly Cells[] = parse(stdout, { columns: true });
  const text = (cells: Cells, ...names: readonly string[]) =>
    names.map((name) => cells[name] ?? '');
  return new Map(
    records.map((cells) => [
      groupKey(...text(cells, 'accounting_token', 'currency', 'payment_type', 'type')),
      {
        rows: Number(cells['rows']),
        volume: millionths(cells['volume']),
        charged: millionths(cells['charged']),
        agreed: millionths(cells['agreed']),
        over: millionths(cells['over']),
        under: size(millionths(cells['under'])),
        taxOver: millionths(cells['tax_over']),
        withoutRate: Number(cells['without_rate']),
      },
    ]),
  );
}

/** Has the claim for the provider written, and reads the rows beside it. */
export async function claimOf(charged: Charged, days: Days) {
  const cover = join(charged.folder, 'claim.md');
  await runFees(charged, days, ['--format', 'markdown', '--output', cover]);
  const csv = await readFile(join(charged.folder, 'claim.csv'), 'utf8');
  const records: readonly Cells[] = parse(csv, { columns: true, bom: true });
  const rows = records.map((cells): ToldRow => {
    const charged = millionths(cells['fee_charged']);
    const over = millionths(cells['fee_difference']);
    const taxOver = millionths(cells['tax_difference']);
    const names = { transactionId: cells['transaction_id'] ?? '', rate: cells['rate'] ?? '' };
    return { ...names, charged, over, under: 0n, taxOver };
  });
  return { text: (await readFile(cover, 'utf8')) + csv, rows };
}
