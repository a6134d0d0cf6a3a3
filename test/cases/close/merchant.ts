import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterToken, type Reply, startServer, wrapped } from '../../cli/server.ts';
import { profileOf } from '../../cli/service.ts';
import { temporaryFolder } from '../../cli/temporary.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { type RunResult, runRecon } from '../../support/run-recon.ts';
import { profileSettings } from './adapter.ts';
import { filesOf } from './statements.ts';
import {
  computedOf,
  decimals,
  type Known,
  knownAt,
  type Row,
  type SeenPayout,
  type Year,
} from './year.ts';

/** A merchant whose service and bank say what is known on a day. */
export interface Merchant {
  readonly folder: string;
  /** The folder of bank statements. */
  readonly statements: string;
  /** From now on it is the evening of this day. */
  becomes(until: string): Promise<Known>;
  /** Runs a command on that evening. */
  run(args: readonly string[]): Promise<RunResult>;
}

const paths = {
  headers: '/v1/merchant/settlement',
  rows: '/v1/merchant/settlement/transactions',
} as const;

/** Serves a made year as the service's document says. */
export async function openMerchant(year: Year): Promise<Merchant> {
  const folder = await temporaryFolder();
  const statements = join(folder, 'statements');
  await mkdir(statements);
  let known = knownAt(year, year.from);
  let listed: readonly (readonly [SeenPayout, string])[] = [];
  const { url } = await startServer(
    afterToken(({ path, text }): Reply => {
      const { settlementId, startDate, endDate, limit = 50, offset = 0 } = JSON.parse(text || '{}');
      const page = (list: readonly unknown[], maximum: number) =>
        wrapped(list.slice(offset, offset + Math.min(limit, maximum)));
      const asked = listed.filter(
        ([{ payout }]) =>
          (!settlementId || payout.id === settlementId) &&
          (!startDate || !endDate || (payout.day >= startDate && payout.day <= endDate)),
      );
      if (path === paths.headers) return page(asked.map(headerOf), 1000);
      if (path !== paths.rows) return { status: 404, body: {} };
      return page(
        asked.flatMap(([{ payout }]) =>
          payout.rows.map((row, n) => recordOf(payout.id, payout.day, row, n)),
        ),
        100,
      );
    }),
  );
  const config = join(folder, 'config.toml');
  await writeFile(config, profileOf('shop', url, profileSettings(year.from)), { mode: 0o600 });
  return {
    folder,
    statements,
    becomes: async (until) => {
      known = knownAt(year, until);
      listed = [
        ...known.settled.map((seen) => [seen, seen.payout.status] as const),
        ...known.pending.map((seen) => [seen, 'pending_settlement'] as const),
      ].sort(([a], [b]) =>
        `${a.payout.day}${a.payout.id}` < `${b.payout.day}${b.payout.id}` ? -1 : 1,
      );
      for (const [name, text] of filesOf(known, year.from)) {
        await writeFile(join(statements, name), text);
      }
      return known;
    },
    run: (args) =>
      runRecon([...args, '--config', config], {
        clock: new FakeClock(Date.parse(`${known.until}T23:00:00Z`)),
      }),
  };
}

function headerOf([{ payout, off, payIn }, status]: readonly [SeenPayout, string]) {
  const { gross, fees, tax } = computedOf(payout);
  return {
    settlementId: payout.id,
    paymentService: 'payments',
    merchantId: 'M-1001',
    accountingToken: payout.token.id,
    settlementStatus: status,
    settlementDate: `${payout.day}T09:00:00Z`,
    amountGross: Number(gross + off),
    fees: Number(fees),
    tax: Number(tax),
    currencyCode: payout.token.currency,
    amountPayIn: Number(payIn),
    decimalPlaces: decimals[payout.token.currency],
    paymentEndToEndIds: status.startsWith('settled') ? [payout.endToEndId] : [],
    paymentReferences: [],
    totalTransactions: payout.rows.length,
  };
}

function recordOf(id: string, day: string, row: Row, index: number) {
  const own = `${id.slice(0, -4)}${String(index).padStart(4, '0')}`;
  return {
    chargeId: own,
    transactionId: own,
    timestamp: `${day}T08:00:00Z`,
    transactionType: row.type,
    paymentType: 'card',
    amount: Number(row.amount),
    fees: Number(row.fees),
    tax: Number(row.tax),
    decimalPlaces: String(decimals[row.currency]),
    currencyCode: row.currency,
    state: 'approved',
    orderId: own,
    notes: [],
    settlementId: id,
  };
}
