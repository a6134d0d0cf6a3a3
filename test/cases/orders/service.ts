import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { profileOf } from '../../cli/service.ts';
import { temporaryFolder } from '../../cli/temporary.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { type RunOptions, type RunResult, runRecon } from '../../support/run-recon.ts';
import { serveSettlements } from '../serve-settlements.ts';
import { profileSettings } from './adapter.ts';
import { decimals, range, type ShopRow, type ShopSettlement } from './month-maker.ts';

/** Rows of settlements that runs can read, and a folder for files beside them. */
export interface Rows {
  /** The flags that say where they are read. */
  readonly source: readonly string[];
  /** A folder for files, gone when the test ends. */
  readonly folder: string;
  /** Runs a command with a mapping of order files. */
  run(
    args: readonly string[],
    mapping: Readonly<Record<string, unknown>>,
    options?: RunOptions,
  ): Promise<RunResult>;
}

/** Serves rows as the service's document says. */
export async function serveRows(rows: readonly ShopRow[]): Promise<Rows> {
  const folder = await temporaryFolder();
  const config = join(folder, 'config.toml');
  const { url } = await serve(rows);
  const run: Rows['run'] = async (args, mapping, options = {}) => {
    const text = profileOf('shop', url, profileSettings(mapping));
    await writeFile(config, text, { mode: 0o600 });
    const clock = new FakeClock(Date.UTC(2026, 3, 5, 20));
    return runRecon([...args, '--config', config], { clock, ...options });
  };
  return { source: [], folder, run };
}

/** Rows whose days `recon export` has written to the folder `export`. */
export async function exportRows(rows: readonly ShopRow[]): Promise<Rows> {
  const served = await serveRows(rows);
  const folder = join(served.folder, 'export');
  const days = ['--from', range.from, '--to', range.to];
  const made = await served.run(['export', ...days, '--out', folder], {});
  if (made.exitCode > 1) throw new Error(`The export failed: ${made.stderr}${made.stdout}`);
  return { ...served, source: ['--from-export', folder] };
}

/** The service with nothing in it but these rows. */
function serve(rows: readonly ShopRow[]) {
  const groups = new Map<ShopSettlement, ShopRow[]>();
  for (const row of rows) {
    const group = groups.get(row.settlement);
    if (group) group.push(row);
    else groups.set(row.settlement, [row]);
  }
  return serveSettlements(
    [...groups].map(([settlement, own]) => ({
      header: headerOf(settlement, own),
      records: own.map(recordOf),
    })),
  );
}

/** Amounts at the scale that the settlement writes. */
function written(amount: bigint, { scale, currency }: ShopSettlement): number {
  return Number(amount * 10n ** BigInt(scale - (decimals[currency] ?? 2)));
}

const feeOf = ({ type }: ShopRow) => (type === 'purchase' ? 2n : 0n);

function headerOf(settlement: ShopSettlement, rows: readonly ShopRow[]) {
  const counted = rows.filter(({ state }) => state === 'approved');
  const gross = counted.reduce((sum, { amount }) => sum + amount, 0n);
  const fees = counted.reduce((sum, row) => sum + feeOf(row), 0n);
  return {
    settlementId: settlement.id,
    paymentService: 'payments',
    merchantId: 'M-1001',
    accountingToken: tokenOf(settlement.currency),
    settlementStatus: settlement.status,
    settlementDate: `${settlement.day}T09:00:00Z`,
    amountGross: written(gross, settlement),
    fees: written(fees, settlement),
    tax: 0,
    currencyCode: settlement.currency,
    amountPayIn: written(gross - fees, settlement),
    decimalPlaces: settlement.scale,
    paymentEndToEndIds: [`E2E-${settlement.id.slice(0, 8)}`],
    paymentReferences: [`PMT-${settlement.id.slice(0, 8)}`],
    totalTransactions: rows.length,
  };
}

function tokenOf(currency: string): string {
  const hex = createHash('sha256').update(currency).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), '4000', '8000', hex.slice(12, 24)].join('-');
}

function recordOf(row: ShopRow) {
  const customer = { key: 'merchant_customer_ref', value: 'CANARY-customer-of-a-row' };
  const order = row.note === '' ? [] : [{ key: 'merchant_order_ref', value: row.note }];
  return {
    chargeId: row.chargeId,
    transactionId: row.transactionId,
    timestamp: new Date(row.at).toISOString().replace('.000Z', 'Z'),
    transactionType: row.type,
    paymentType: 'card',
    amount: written(row.amount, row.settlement),
    fees: written(feeOf(row), row.settlement),
    tax: 0,
    decimalPlaces: String(row.settlement.scale),
    currencyCode: row.currency,
    state: row.state,
    orderId: row.orderId,
    notes: [customer, ...order],
    settlementId: row.settlement.id,
  };
}
