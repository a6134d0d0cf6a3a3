import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { profileOf } from '../../cli/service.ts';
import { temporaryFolder } from '../../cli/temporary.ts';
import { type RunResult, runRecon } from '../../support/run-recon.ts';
import { serveSettlements } from '../serve-settlements.ts';
import { booksSettings, profileSettings } from './adapter.ts';
import { type Books, counted, type Month, type Row, type Rules, type Settlement } from './month.ts';

/** A profile whose settings come from a file. */
export interface Profile {
  readonly folder: string;
  /** Runs a command with these accounts, as a mapping or as the settings write it. */
  run(
    args: readonly string[],
    books: Books | object,
    env?: Readonly<Record<string, string>>,
  ): Promise<RunResult>;
}

/** The rows of a month, at a service that has nothing else. */
export async function serveMonth({ settlements, rules }: Omit<Month, 'books'>): Promise<Profile> {
  const { url } = await serveSettlements(
    settlements.map((settlement) => ({
      header: headerOf(settlement, rules),
      records: settlement.rows
        .flatMap((row) => (row.isTwice ? [row, row] : [row]))
        .map((row) => recordOf(row, settlement)),
    })),
  );
  return profileAt(url, rules);
}

/** The sandbox, with accounts of the test's own. */
export async function sandbox(): Promise<Profile> {
  const { folder, run } = await profileAt('http://127.0.0.1:1');
  return { folder, run: (args, books) => run([...args, '--sandbox'], books) };
}

async function profileAt(url: string, rules?: Rules): Promise<Profile> {
  const folder = await temporaryFolder();
  const config = join(folder, 'config.toml');
  const run: Profile['run'] = async (args, books, env = {}) => {
    const settings = 'general' in books ? booksSettings(books) : books;
    const text = profileOf('shop', url, profileSettings(settings, rules));
    await writeFile(config, text, { mode: 0o600 });
    return runRecon([...args, '--config', config], { env });
  };
  return { folder, run };
}

function headerOf({ id, day, token, currency, ...settlement }: Settlement, rules: Rules) {
  const { rows, scale, isPending, grossWithoutRow } = settlement;
  const listed = rows.filter((row) => counted(row, rules));
  // Rows in another currency are in no sum of their settlement.
  const own = listed.filter((row) => row.currency === currency);
  const sum = (of: 'receivable' | 'fees' | 'tax') =>
    own.reduce((all, row) => all + (counted(row, rules)?.[of] ?? 0n), 0n);
  const gross = sum('receivable') + grossWithoutRow;
  return {
    settlementId: id,
    paymentService: 'payments',
    merchantId: 'M-1001',
    accountingToken: token,
    settlementStatus: isPending ? 'pending_settlement' : 'settled',
    settlementDate: `${day}T09:00:00Z`,
    amountGross: Number(gross),
    fees: Number(sum('fees')),
    tax: Number(sum('tax')),
    currencyCode: currency,
    amountPayIn: Number(gross - sum('fees') - sum('tax')),
    decimalPlaces: scale,
    paymentEndToEndIds: [`E2E-${id.slice(0, 8)}`],
    paymentReferences: [`PMT-${id.slice(0, 8)}`],
    totalTransactions: listed.length,
  };
}

function recordOf(row: Row, { id, day }: Settlement) {
  return {
    chargeId: row.id,
    transactionId: row.id,
    timestamp: `${day}T08:00:00Z`,
    transactionType: row.type,
    paymentType: 'card',
    amount: Number(row.receivable),
    fees: Number(row.fees),
    tax: Number(row.tax),
    decimalPlaces: String(row.scale),
    currencyCode: row.currency,
    state: row.state,
    orderId: row.id,
    notes: [],
    settlementId: id,
  };
}
