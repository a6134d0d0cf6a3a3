import { cp, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { lakeFolder, lakeTableNames } from '../../src/lake/tables.ts';
import { startSandbox } from '../../src/sandbox/sandbox.ts';
import type { Scenario } from '../../src/sandbox/scenario.ts';
import { loadScenario } from '../../src/sandbox/scenarios.ts';
import { rowsOf, settlementOf, writeLake } from '../audit/write-lake.ts';
import { days, randomScenario } from '../chaos/random-scenario.ts';
import { connectionTo } from '../cli/service.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { Random } from '../support/random.ts';
import { noon, runRecon } from '../support/run-recon.ts';

/** Two lakes, and the exports that most of the first one was made of, by profile. */
export interface History {
  readonly lakes: readonly string[];
  readonly exports: ReadonlyMap<string, string>;
}

/** As many days as March has. */
const longMonths = ['2023', '2024', '2025'].flatMap((year) =>
  ['01', '03', '05', '07', '08', '10', '12'].map((month) => `${year}-${month}`),
);

const seeds = Array.from({ length: 20 }, (_, index) => index + 1);

/** The month of the sandbox and as many random ones as there are seeds, each exported, in one lake. */
export async function writeHistory(place: string): Promise<History> {
  const config = join(place, 'config.toml');
  const profiles = ['month', ...seeds.map((seed) => `chaos-${seed}`)];
  await writeFile(config, profiles.map((name) => `[profiles.${name}]\n`).join(''));
  const [first, second] = [join(place, 'all'), join(place, "it's [a] {lake} of 100%, é")];
  const exports = new Map<string, string>();
  for (const [index, profile] of profiles.entries()) {
    const seed = seeds[index - 1];
    const scenario =
      seed === undefined ? await loadScenario('month') : randomScenario(new Random(seed));
    const out = join(place, profile);
    await exportScenario(scenario, [...['--config', config, '--profile', profile], '--out', out]);
    exports.set(profile, out);
    const month = index === 0 ? '2026-03' : (longMonths[index - 1] ?? '');
    await addTo(first, out, month);
  }
  await writeLake(first, oddDays);
  await writeLake(second, { '2022-02-01': { ...odd('again'), profile: 'odd' } });
  return { lakes: [first, second], exports };
}

async function exportScenario(scenario: Scenario, flags: readonly string[]): Promise<void> {
  const sandbox = await startSandbox({ scenario, clock: new FakeClock(noon) });
  const { from, to } = scenario.period;
  const range = ['--from', from, '--to', to, '--publish-incomplete', days.join()];
  const how = ['--parquet', '--quiet'];
  await runRecon(['export', ...flags, ...range, ...how], { env: connectionTo(sandbox.baseUrl) });
  await sandbox.close();
}

/** Copies the tables of an export into a lake, as days of another month. */
async function addTo(folder: string, out: string, month: string): Promise<void> {
  for (const table of lakeTableNames) {
    for (const day of await readdir(join(out, lakeFolder, table))) {
      const moved = day.replace(/\d{4}-\d\d/, month);
      const to = join(folder, lakeFolder, table, moved);
      await cp(join(out, lakeFolder, table, day), to, { recursive: true });
    }
  }
}

/** Ids with everything in them that could end a line, a column or a text. */
const oddIds = [
  'a\tb',
  'c\r\nd',
  '"{e}"',
  'f\\n\\',
  '\u2028',
  "g'--",
  '\0',
  '\\N',
  'NULL',
  '😀',
  ' ',
];

function odd(id: string) {
  const rows = Object.fromEntries(oddIds.map((one) => [one, 1]));
  const transactions = rowsOf(id, rows);
  return { transactions, settlements: [settlementOf(id, transactions)] };
}

const pending = { verdict: 'pending', settlement_status: 'pending_settlement' };
/** Three of them are more than 64 bits. */
const large = rowsOf('large', { large: 2n ** 63n - 1n });

/** What no service is asked for. */
const oddDays = {
  '2022-02-01': { ...odd('one\n'), profile: 'odd' },
  '2022-02-02': { ...odd('two\t'), profile: 'odd', days: { complete: false } },
  '2022-02-03': {
    profile: 'odd',
    settlements: ['x', 'y', 'z'].map((id) => settlementOf(id, large)),
    transactions: ['x', 'y', 'z'].flatMap((id) => rowsOf(id, { [id]: 2n ** 63n - 1n })),
    changes: [
      {
        ...{ settlement_id: 'x', change: 'settlement_changed', field: 'gross\n' },
        ...{ before: '"1,00"', after: '\t' },
      },
    ],
  },
  '2022-02-05': {
    profile: 'odd',
    settlements: [settlementOf('late', [], pending), settlementOf('wrong', large)],
    transactions: [
      ...rowsOf('late', { paid: { amount_minor: 5, charge_id: 'C1' } }),
      ...rowsOf('wrong', {
        back: { amount_minor: -6, charge_id: 'c1', transaction_type: 'refund' },
        alone: { amount_minor: -6, charge_id: 'c2', transaction_type: 'refund' },
      }),
    ],
  },
};
