import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { profileOf } from '../../cli/service.ts';
import { temporaryFolder } from '../../cli/temporary.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { type RunResult, runRecon } from '../../support/run-recon.ts';
import { serveSettlements } from '../serve-settlements.ts';
import { profileSettings } from './adapter.ts';
import { exported, type FeeRow, type FeeSettlement, type FeeYear } from './contract.ts';

/** In the notes of each row: no report and no claim may contain them. */
export const canary = 'CANARY-customer';

/** What was charged, and a folder for files beside it. */
export interface Charged {
  readonly folder: string;
  /** The flags that say where rows are read. */
  readonly source: readonly string[];
  /** Runs a command with this contract. */
  run(args: readonly string[], contract?: object): Promise<RunResult>;
}

type Served = Pick<FeeYear, 'zone' | 'contract' | 'settlements'>;

export async function serveFees({ zone, contract, settlements }: Served): Promise<Charged> {
  const folder = await temporaryFolder();
  const config = join(folder, 'config.toml');
  const { url } = await serveSettlements(
    settlements.map((settlement) => ({
      header: headerOf(settlement),
      records: settlement.rows.flatMap((row) => (row.isTwice ? [row, row] : [row])).map(recordOf),
    })),
  );
  const run: Charged['run'] = async (args, agreed = contract) => {
    await writeFile(config, profileOf('shop', url, profileSettings(zone, agreed)), { mode: 0o600 });
    // All rows of March are settled, and the days that are exported are over.
    const clock = new FakeClock(Date.UTC(2026, 3, 20, 4));
    return runRecon([...args, '--config', config], { clock });
  };
  return { folder, source: [], run };
}

/** Like `serveFees`, from the folder `export`, to which `recon export` has written all days. */
export async function exportFees(year: Served): Promise<Charged> {
  const served = await serveFees(year);
  const folder = join(served.folder, 'export');
  const days = ['--from', exported.from, '--to', exported.to];
  const made = await served.run(['export', ...days, '--out', folder], {});
  if (made.exitCode > 1) throw new Error(`The export failed: ${made.stderr}${made.stdout}`);
  return { ...served, source: ['--from-export', folder] };
}

function headerOf({ id, day, account, scale, status, rows, feesWithoutRow }: FeeSettlement) {
  // Rows in another currency are in no sum of their settlement.
  const own = rows.filter(({ currency }) => currency === account.currency);
  const sum = (of: 'amount' | 'fees' | 'tax') => own.reduce((all, row) => all + row[of], 0n);
  const fees = sum('fees') + feesWithoutRow;
  return {
    settlementId: id,
    paymentService: 'payments',
    merchantId: account.merchantId,
    accountingToken: account.token,
    settlementStatus: status,
    settlementDate: `${day}T09:00:00Z`,
    amountGross: Number(sum('amount')),
    fees: Number(fees),
    tax: Number(sum('tax')),
    currencyCode: account.currency,
    amountPayIn: Number(sum('amount') - fees - sum('tax')),
    decimalPlaces: scale,
    paymentEndToEndIds: [`E2E-${id.slice(0, 8)}`],
    paymentReferences: [`PMT-${id.slice(0, 8)}`],
    totalTransactions: rows.length,
  };
}

function recordOf(row: FeeRow) {
  return {
    chargeId: row.chargeId,
    transactionId: row.id,
    timestamp: row.timestamp,
    transactionType: row.type,
    paymentType: row.paymentType,
    amount: Number(row.amount),
    fees: Number(row.fees),
    tax: Number(row.tax),
    decimalPlaces: String(row.scale),
    currencyCode: row.currency,
    state: row.state,
    orderId: row.orderId,
    notes: [{ key: 'merchant_customer_ref', value: canary }],
    settlementId: row.settlement.id,
  };
}
