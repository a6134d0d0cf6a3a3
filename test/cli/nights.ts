import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Fixture } from '../../src/sandbox/fixture.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { type RunOptions, runRecon } from '../support/run-recon.ts';
import { purchases, scenarioOf } from './service.ts';
import { Shop, type ShopOptions, settlementOn } from './shop.ts';
import { temporaryFolder } from './temporary.ts';

export type Listed = Fixture['settlements'][number];

/** A settlement of a day in March 2026, in balance. */
export function settlement(day: number, rest: Partial<Listed> = {}): Listed {
  const header = { settlementId: settlementOn(day) };
  return { date: dayOf(day), header, rows: purchases(3), ...rest };
}

/** A settlement that is written under another id than that of its day. */
export function moved(from: number, to: number, rest: Partial<Listed> = {}): Listed {
  return settlement(to, { header: { settlementId: settlementOn(from) }, ...rest });
}

export const dayOf = (day: number) => `2026-03-${String(day).padStart(2, '0')}`;
export const pending = { status: 'pending_settlement' };
export const off = { off: { amountGross: 5, amountPayIn: 5 } };

interface News {
  readonly id: string;
  readonly kind: string;
  readonly also: readonly string[];
  readonly day: string | null;
  readonly settlement: { readonly id: string } | null;
  readonly details: readonly string[];
}

interface Told {
  readonly exitCode: number;
  readonly stderr: string;
  readonly report: {
    readonly verdict: string;
    readonly profiles: readonly {
      readonly days: readonly { readonly day: string; readonly reason: string }[];
      readonly publishedTo: string | null;
      readonly lagDays: number;
      readonly known: { readonly settlements: number };
      readonly knownUnread: readonly string[];
    }[];
    readonly news: readonly News[];
  };
  /** What is new: kinds with the days of March. */
  readonly kinds: readonly string[];
}

/** Nights in March 2026 over a service whose data change. */
export async function startNights(
  settlements: readonly Listed[],
  env: Readonly<Record<string, string>> = {},
) {
  const shop = await Shop.open(scenarioOf(settlements));
  const out = join(await temporaryFolder(), 'out');
  const run = (day: number, args: readonly string[], options: RunOptions = {}) =>
    runRecon(['nightly', '--out', out, ...args], {
      clock: new FakeClock(Date.UTC(2026, 2, day, 6)),
      ...options,
      env: { ...shop.env, ...env, ...options.env },
    });
  return {
    ...{ shop, out, run },
    becomes: (others: readonly Listed[], options?: ShopOptions) =>
      shop.becomes(scenarioOf(others), options),
    /** The night in the morning of a day, told in JSON. */
    night: async (day: number, ...args: readonly string[]): Promise<Told> => {
      const { exitCode, stdout, stderr } = await run(day, ['--format', 'json', ...args]);
      const report = JSON.parse(stdout) as Told['report'];
      const kinds = report.news.map(({ kind, day }) => `${kind} ${day?.slice(8) ?? ''}`.trim());
      return { exitCode, stderr, report, kinds };
    },
    daysOn: async (id: string) => {
      const days: string[] = [];
      for (const day of readdirSync(out).filter((name) => name.startsWith('2026'))) {
        const csv = await readFile(join(out, day, 'settlements.csv'), 'utf8');
        if (csv.includes(id)) days.push(day);
      }
      return days;
    },
  };
}

export const since = ['--since', dayOf(2)];
