import { link, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { startSandbox } from '../../../src/sandbox/sandbox.ts';
import { connectionTo, scenarioOf } from '../../cli/service.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { exportInto, today } from './adapter.ts';

/** The days of the base: the end of a month and the start of the next one. */
export const days = Array.from({ length: 15 }, (_, n) =>
  new Date(Date.UTC(2026, 0, 25 + n)).toISOString().slice(0, 10),
);

type Account = 'web' | 'stores' | 'japan' | 'kuwait';

/** The id of an account's settlement of a day, given as `02-03`. One account has UUIDs. */
function settlementOf(account: Account, day: string): string {
  if (account !== 'japan') return `${account}-2026-${day}`;
  return `ab5e0000-cafe-5000-8000-0000${`2026-${day}`.replaceAll('-', '')}`;
}

/** The nth row of a settlement, from 1. */
const rowOf = (settlement: string, n: number): string => `${settlement}/${n}`;

/** The account's names in the tables. */
const tokens: Readonly<Record<Account, string>> = {
  web: '3f0c7a52-6d1e-4b8a-9c35-1e7d20a4b601',
  stores: '8a61d4e9-52f7-4c03-b1d8-70c9e35fa202',
  japan: 'c27e9b14-08d3-4f6a-8e52-94b1f7603d03',
  kuwait: 'd9b1c3a0-1f2e-4d5c-8b7a-6e5f4d3c2b04',
};

/** How often an account is settled: every so many days. */
const every: Readonly<Record<Account, number>> = { web: 1, stores: 2, japan: 3, kuwait: 5 };
const money: Readonly<Record<Account, { currencyCode: string; decimalPlaces: number }>> = {
  web: { currencyCode: 'EUR', decimalPlaces: 2 },
  stores: { currencyCode: 'EUR', decimalPlaces: 2 },
  japan: { currencyCode: 'JPY', decimalPlaces: 0 },
  kuwait: { currencyCode: 'KWD', decimalPlaces: 3 },
};

/**
 * A shop in four accounts and three currencies. All balances but the pending settlement of the last
 * day. The stores have the same amounts in every settlement; a refund of the web shop is of the
 * first purchase of the day before.
 */
function scenario() {
  const accounts = Object.keys(every) as Account[];
  return scenarioOf(
    days.flatMap((day, index) =>
      accounts
        .filter((account) => index % every[account] === 0)
        .map((account) => {
          const id = settlementOf(account, day.slice(5));
          const isLast = account === 'stores' && index === days.length - 1;
          return {
            date: day,
            status: isLast ? 'pending_settlement' : 'settled',
            header: { settlementId: id, accountingToken: tokens[account], ...money[account] },
            rows: rowsOf(account, id, index).map(
              ([type, amount, fees, tax, details], place) =>
                [
                  type,
                  amount,
                  fees,
                  tax,
                  {
                    transactionId: rowOf(id, place + 1),
                    decimalPlaces: String(money[account].decimalPlaces),
                    currencyCode: money[account].currencyCode,
                    ...details,
                  },
                ] as const,
            ),
          };
        }),
    ),
    { period: { from: days[0] ?? '', to: days.at(-1) ?? '' } },
  );
}

type Row = readonly [string, number, number, number, Readonly<Record<string, string>>?];

function rowsOf(account: Account, id: string, index: number): readonly Row[] {
  // A 32-bit float cannot hold the first one.
  if (account === 'japan') {
    return [
      ['purchase', 123456789 + index, 800, 80],
      ['purchase', 4800, 0, 0],
    ];
  }
  const shift = account === 'web' ? index * 7 : 0;
  const purchases: readonly Row[] = [
    ['purchase', 1234567 + shift, 310, 31, { label: `${id}/first` }],
    ['purchase', 2050 + shift, 52, 10],
    ['purchase', 750, 0, 0],
    ['purchase', 750, 20, 4],
    ['chargeback', -400, 5, 1],
  ];
  if (account !== 'web' || index === 0) return purchases;
  const before = `${settlementOf('web', (days[index - 1] ?? '').slice(5))}/first`;
  return [...purchases, ['refund', -300, 0, 0, { chargeOf: before }]];
}

/** Exports the base into a folder: fifteen days with tables. */
export async function makeBase(folder: string): Promise<void> {
  const clock = new FakeClock(today);
  const sandbox = await startSandbox({ scenario: scenario(), faults: [], clock });
  const range = ['--from', days[0] ?? '', '--to', days.at(-1) ?? ''];
  const made = await exportInto(folder, range, connectionTo(sandbox.baseUrl));
  await sandbox.close();
  if (made.exitCode !== 0) throw new Error(`The export failed: ${made.stderr}${made.stdout}`);
}

/** A folder that stays until it is removed. */
export function newFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'recon-audit-cases-'));
}

/** A copy of a folder, or of one below it, gone when the test ends. Its files are not written in place. */
export async function copyOf(folder: string, below = ''): Promise<string> {
  const parent = await newFolder();
  onTestFinished(() => rm(parent, { recursive: true, force: true }));
  const copy = join(parent, 'copy');
  await linkAll(join(folder, below), join(copy, below));
  return copy;
}

async function linkAll(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    await (entry.isDirectory() ? linkAll(source, target) : link(source, target));
  }
}
