/**
 * All that the cases know of the command's names: its settings, flags, columns and fields (ORDERS 6
 * and 7). Whoever renames one of them changes this file alone.
 */
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import type { RunOptions, RunResult } from '../../support/run-recon.ts';
import { range, settleDays, timeZone } from './month-maker.ts';
import type { Rows } from './service.ts';

/** Flags that say which rows are meant. */
const wholeRange: readonly string[] = ['--from', range.from, '--to', range.to];

/** The settings of a profile below its connection, in TOML. */
export function profileSettings(mapping: Readonly<Record<string, unknown>>): string {
  const table = Object.entries(mapping).map(([key, value]) => `${key} = ${tomlOf(value)}`);
  return [
    `time_zone = "${timeZone}"`,
    `settle_days = ${settleDays}`,
    'purchase_types = ["purchase"]',
    'refund_types = ["refund"]',
    'chargeback_types = ["chargeback"]',
    '[profiles.shop.rules]',
    'not_counted = [{ state = "declined", count = "stays" }]',
    ...(table.length > 0 ? ['[profiles.shop.orders_csv]', ...table] : []),
  ].join('\n');
}

/** A value in TOML. */
export function tomlOf(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(tomlOf).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const pairs = Object.entries(value).map(
    ([key, one]) => `${JSON.stringify(key)} = ${tomlOf(one)}`,
  );
  return `{ ${pairs.join(', ')} }`;
}

/** An order, or a row without one, as the CSV says it. Amounts are in millionths. */
export interface OrderRecord {
  /** Empty for a row without order. */
  readonly ref: string;
  readonly state: string;
  readonly refund: string;
  readonly matchedBy: string;
  readonly currency: string;
  /** Settled − refunded − charged back. */
  readonly net: bigint;
  /** Expected − refunded by the shop. */
  readonly due: bigint;
  readonly difference: bigint | undefined;
  readonly ageDays: string;
  readonly transactionIds: readonly string[];
  /** File and line. */
  readonly place: string;
}

type Cells = Readonly<Record<string, string>>;

/** Decimal text in millionths; no amount is an empty text. */
function millionths(text: string): bigint {
  const match = /^(-?)(\d+)(?:\.(\d{1,6}))?$/.exec(text);
  if (!match) throw new Error(`Not an amount: ${JSON.stringify(text)}`);
  const [, sign, whole = '', fraction = ''] = match;
  return BigInt(`${sign}${whole}${fraction.padEnd(6, '0')}`);
}

const orNone = (text: string | undefined) => (text ? millionths(text) : 0n);

/** Reads `--format csv`. */
export function recordsOf({ stdout }: Pick<RunResult, 'stdout'>): readonly OrderRecord[] {
  const records: readonly Cells[] = parse(stdout, { columns: true });
  return records.map((cells) => ({
    ref: cells['order_ref'] ?? '',
    // Several states may be written as one, with the name as the reason.
    state: (cells['state'] === 'difference' ? cells['reason'] : cells['state']) ?? '',
    refund: cells['refund_state'] ?? '',
    matchedBy: cells['matched_by'] ?? '',
    currency: cells['currency'] ?? '',
    net: orNone(cells['settled']) - orNone(cells['refunded']) - orNone(cells['charged_back']),
    due: orNone(cells['expected']) - orNone(cells['refunded_by_shop']),
    difference: cells['difference'] ? millionths(cells['difference']) : undefined,
    ageDays: cells['age_days'] ?? '',
    transactionIds: (cells['transaction_ids'] ?? '').split(' | ').filter((id) => id !== ''),
    place: cells['order_place'] ?? '',
  }));
}

/** States that ask for a decision. */
export const deciding: readonly string[] = [
  ...['conflicting', 'ambiguous', 'missing_in_settlements', 'settled_twice', 'other_currency'],
  ...['amount_differs', 'cancelled_but_settled', 'unpaid_but_settled'],
];

/** What is said of refunds where shop and settlements disagree. */
export const loudRefunds: readonly string[] = [
  ...['refund_missing', 'refund_unknown', 'refund_in_transit'],
];

/** The advice of a report that costs money if it is wrong, by what it tells to do. */
export const advice = {
  refund: /refund the customer|refund the (second|other|double)|pay .{0,20}back|give .{0,20}back/i,
  ask: /ask the service/i,
  checkRefund: /check that it was made/i,
} as const;

interface Money {
  readonly amount: string;
  readonly minor: string;
}

/** `--format json`, as far as the cases look at it. */
interface OrdersJson {
  readonly verdict: string;
  readonly orders: readonly {
    readonly orderRef: string;
    readonly state: string;
    readonly reason: string | null;
    readonly refundState: string | null;
    readonly currency: string;
    readonly difference: Money | null;
  }[];
  readonly ladders: readonly {
    readonly currency: string;
    readonly rows: {
      readonly range: Money;
      readonly ofOrders: Money;
      readonly withoutOrder: Money;
      readonly ambiguous: Money;
      readonly notCounted: Money;
    };
    readonly shop: Money;
    readonly steps: readonly {
      readonly of: string;
      readonly state: string;
      readonly amount: Money;
    }[];
    readonly settled: Money;
  }[];
}

/** The two ladders of a currency, in millionths. */
export interface Ladder {
  readonly rows: Readonly<
    Record<'range' | 'ofOrders' | 'withoutOrder' | 'ambiguous' | 'notCounted', bigint>
  >;
  /** Σ (E − R). */
  readonly shop: bigint;
  readonly steps: readonly {
    readonly of: string;
    readonly state: string;
    readonly amount: bigint;
  }[];
  readonly settled: bigint;
}

export function jsonOf({ stdout }: Pick<RunResult, 'stdout'>): OrdersJson {
  return JSON.parse(stdout) as OrdersJson;
}

/** What an order is counted as: the worse of its two states. */
const byWeight: readonly string[] = [
  ...['conflicting', 'ambiguous', 'missing_in_settlements', 'settled_twice', 'other_currency'],
  ...['amount_differs', 'cancelled_but_settled', 'unpaid_but_settled', 'refund_missing'],
  ...['charged_back', 'refund_unknown', 'not_covered', 'in_transit', 'partly_settled'],
  'refund_in_transit',
];

/** The differences of the orders of a currency, in millionths, by what they are counted as. */
export function differencesOf(json: OrdersJson, currency: string): ReadonlyMap<string, bigint> {
  const sums = new Map<string, bigint>();
  for (const { state, refundState, currency: own, difference } of json.orders) {
    if (own !== currency || !difference) continue;
    const named = byWeight.find((name) => name === state || name === refundState) ?? state;
    sums.set(named, (sums.get(named) ?? 0n) + millionths(difference.amount));
  }
  return new Map([...sums].filter(([, sum]) => sum !== 0n));
}

export function laddersOf(json: OrdersJson): ReadonlyMap<string, Ladder> {
  const value = ({ amount }: Money) => millionths(amount);
  return new Map(
    json.ladders.map(({ currency, rows, shop, steps, settled }) => [
      currency,
      {
        rows: {
          range: value(rows.range),
          ofOrders: value(rows.ofOrders),
          withoutOrder: value(rows.withoutOrder),
          ambiguous: value(rows.ambiguous),
          notCounted: value(rows.notCounted),
        },
        shop: value(shop),
        steps: steps.map(({ of, state, amount }) => ({ of, state, amount: value(amount) })),
        settled: value(settled),
      },
    ]),
  );
}

export const verdicts = {
  reconciled: 'reconciled',
  notReconciled: 'not_reconciled',
  incomplete: 'incomplete',
} as const;

/** The name of the step of the ladder for orders that are missing. */
export const missing = 'missing_in_settlements';

/** Runs `recon orders` over files in the folder of the rows, against these rows. */
export function runOrders(
  rows: Rows,
  files: readonly string[],
  mapping: Readonly<Record<string, unknown>>,
  args: readonly string[] = [],
): Promise<RunResult> {
  return runWithoutRange(rows, files, mapping, [...wholeRange, ...args]);
}

/** The same, over whatever range the program takes by itself. */
export function runWithoutRange(
  rows: Rows,
  files: readonly string[],
  mapping: Readonly<Record<string, unknown>>,
  args: readonly string[] = [],
  options: RunOptions = {},
): Promise<RunResult> {
  const paths = files.map((name) => join(rows.folder, name));
  return rows.run(['orders', ...paths, ...rows.source, ...args], mapping, options);
}
