import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { afterToken, type Server, startServer, wrapped } from '../../cli/server.ts';
import { profileOf } from '../../cli/service.ts';
import { temporaryFolder } from '../../cli/temporary.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { type RunResult, runRecon } from '../../support/run-recon.ts';
import { tomlOf } from '../orders/adapter.ts';

/** A row of a settlement; an amount in cents, of a purchase in euros on 3 March, unless told otherwise. */
export interface Row {
  /** The note `merchant_order_ref`; without it, the row has no notes. */
  readonly ref?: string;
  readonly amount: number;
  readonly type?: string;
  /** By a name; one of its own by default. */
  readonly charge?: string;
  readonly order?: string;
  readonly fees?: number;
  readonly at?: string;
  /** The day of its settlement. */
  readonly settledOn?: string;
  readonly currency?: string;
  readonly places?: number;
  readonly status?: string;
}

export const purchase = (ref: string, amount: number, rest: Partial<Row> = {}): Row => ({
  ref,
  amount,
  ...rest,
});
export const refund = (ref: string, amount: number, rest: Partial<Row> = {}): Row => ({
  ref,
  amount: -amount,
  type: 'refund',
  ...rest,
});

/** A UUID that is the same for the same name. */
export function idOf(name: string): string {
  const hex = createHash('sha256').update(name).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), '4000', '8000', hex.slice(12, 24)].join('-');
}

/** The settings of a profile that all cases share. */
export const types = [
  'purchase_types = ["purchase"]',
  'refund_types = ["refund"]',
  'chargeback_types = ["chargeback"]',
];

/** The mapping of a file with the columns Order, Date and Total, in euros. */
export const base: Mapping = {
  order: 'Order',
  date: 'Date',
  total: 'Total',
  currency: 'EUR',
  methods: [],
};

export type Mapping = Readonly<Record<string, unknown>>;

export interface Asked {
  readonly rows: readonly Row[];
  /** The text of the file of orders, or its bytes. */
  readonly file: string | Uint8Array;
  readonly name?: string;
  readonly mapping?: Mapping;
  readonly settings?: readonly string[];
  readonly args?: readonly string[];
}

interface Money {
  readonly amount: string;
}

interface ToldOrder {
  readonly orderRef: string;
  readonly state: string;
  readonly refundState: string | null;
  readonly reason: string | null;
  readonly expected: Money | null;
  readonly settled: Money | null;
  readonly difference: Money | null;
}

interface Json {
  readonly verdict: string;
  readonly notes: readonly string[];
  readonly orders: readonly ToldOrder[];
  readonly rowsWithoutOrder: readonly ToldOrder[];
  readonly ladders: readonly { readonly steps: readonly { readonly state: string }[] }[];
}

/** What a run says of a file: as JSON, as CSV and on the screen. */
export interface Told {
  readonly exitCode: number;
  /** Absent where the file was refused. */
  readonly json: Json | undefined;
  readonly csv: readonly Readonly<Record<string, string>>[];
  /** The screen and the messages, with a space for each line break. */
  readonly text: string;
  /** The state of an order. */
  state(ref: string): string | undefined;
  order(ref: string): ToldOrder;
}

/** Runs `recon orders` over a file, without a range. */
export async function tell(asked: Asked): Promise<Told> {
  const { rows, file, name = 'orders.csv', mapping = base, settings = types } = asked;
  const { run, folder } = await openShop(rows, settings, mapping);
  const path = join(folder, name);
  await writeFile(path, file);
  const as = (format: string) => run(['orders', path, '--format', format, ...(asked.args ?? [])]);
  const screen = await as('table');
  const json = parsed((await as('json')).stdout);
  const csv: Told['csv'] = parse((await as('csv')).stdout, { columns: true });
  const order = (ref: string) => {
    const found = json?.orders.find(({ orderRef }) => orderRef === ref);
    if (!found) throw new Error(`No order ${ref}: ${screen.stdout}${screen.stderr}`);
    return found;
  };
  return {
    exitCode: screen.exitCode,
    json,
    csv,
    text: `${screen.stdout} ${screen.stderr}`.replaceAll(/\s+/g, ' '),
    state: (ref) => order(ref).state,
    order,
  };
}

function parsed(text: string): Json | undefined {
  const document: Partial<Json> = text === '' ? {} : JSON.parse(text);
  return document.orders ? (document as Json) : undefined;
}

interface Shop {
  readonly folder: string;
  run(args: readonly string[]): Promise<RunResult>;
}

/** A service with these rows, and a profile that reads it. */
export async function openShop(
  rows: readonly Row[],
  settings: readonly string[] = types,
  mapping: Mapping = {},
  charges: Readonly<Record<string, unknown>> = {},
): Promise<Shop> {
  const folder = await temporaryFolder();
  const config = join(folder, 'config.toml');
  const { url } = await serve(rows, charges);
  const table = Object.entries(mapping).map(([key, value]) => `${key} = ${tomlOf(value)}`);
  const own = table.length > 0 ? ['[profiles.shop.orders_csv]', ...table] : [];
  const lines = ['time_zone = "Europe/Madrid"', ...settings, ...own];
  await writeFile(config, profileOf('shop', url, lines.join('\n')), { mode: 0o600 });
  const clock = new FakeClock(Date.UTC(2026, 4, 20, 10));
  return { folder, run: (args) => runRecon([...args, '--config', config], { clock }) };
}

/** The service: a settlement for each day and currency of the rows, and charges by their ids. */
function serve(rows: readonly Row[], charges: Readonly<Record<string, unknown>>): Promise<Server> {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const key = `${row.settledOn ?? '2026-03-05'} ${row.currency ?? 'EUR'} ${row.status ?? ''}`;
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  const settlements = [...groups].map(([key, own]) => ({
    header: headerOf(key, own),
    records: own.map((row, index) => recordOf(row, key, index)),
  }));
  return startServer(
    afterToken(({ path, text }) => {
      const charge = charges[path.replace('/charge/', '')];
      if (charge !== undefined) return { body: charge };
      if (!path.startsWith('/v1/merchant/settlement')) return { status: 404, body: {} };
      const { settlementId, startDate, endDate, limit = 50, offset = 0 } = JSON.parse(text || '{}');
      const page = (list: readonly unknown[]) => wrapped(list.slice(offset, offset + limit));
      if (path.endsWith('/transactions')) {
        const asked = settlements.find(({ header }) => header.settlementId === settlementId);
        return page(asked?.records ?? []);
      }
      const isAsked = ({ settlementDate, settlementId: id }: ReturnType<typeof headerOf>) => {
        const day = settlementDate.slice(0, 10);
        if (settlementId) return id === settlementId;
        return !startDate || !endDate || (day >= startDate && day <= endDate);
      };
      return page(settlements.map(({ header }) => header).filter(isAsked));
    }),
  );
}

function headerOf(key: string, rows: readonly Row[]) {
  const [day = '', currency = '', status] = key.split(' ');
  const gross = rows.reduce((sum, { amount }) => sum + amount, 0);
  const fees = rows.reduce((sum, row) => sum + (row.fees ?? 0), 0);
  return {
    settlementId: idOf(key),
    paymentService: 'payments',
    merchantId: 'M-1001',
    accountingToken: idOf(`account of ${currency}`),
    settlementStatus: status || 'settled',
    settlementDate: `${day}T09:00:00Z`,
    amountGross: gross,
    fees,
    tax: 0,
    currencyCode: currency,
    amountPayIn: gross - fees,
    decimalPlaces: rows[0]?.places ?? 2,
    paymentEndToEndIds: [`E2E-${day}-${currency}`],
    paymentReferences: [`PMT-${day}-${currency}`],
    totalTransactions: rows.length,
  };
}

function recordOf(row: Row, key: string, index: number) {
  const name = `${key} ${index}`;
  return {
    chargeId: idOf(`charge ${row.charge ?? name}`),
    transactionId: idOf(`transaction ${name}`),
    timestamp: row.at ?? '2026-03-03T10:00:00Z',
    transactionType: row.type ?? 'purchase',
    paymentType: 'card',
    amount: row.amount,
    fees: row.fees ?? 0,
    tax: 0,
    decimalPlaces: String(row.places ?? 2),
    currencyCode: row.currency ?? 'EUR',
    state: 'approved',
    orderId: idOf(`order ${row.order ?? name}`),
    notes: row.ref === undefined ? [] : [{ key: 'merchant_order_ref', value: row.ref }],
    settlementId: idOf(key),
  };
}

/** Lines of a file. */
export const lines = (...all: readonly string[]) => all.map((line) => `${line}\n`).join('');

/** What tells somebody to pay money back. */
export const paysBack = /refund the customer|pay .{0,20}back|give .{0,20}back/i;
