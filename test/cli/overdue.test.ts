import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { FakeClock } from '../support/fake-clock.ts';
import { runRecon } from '../support/run-recon.ts';
import { startListener } from './listener.ts';
import { readReport } from './read-report.ts';
import { march, purchases, scenarioOf, startService } from './service.ts';
import { temporaryFolder } from './temporary.ts';

/** A pending settlement of 30 March, and one of the next day. */
const scenario = scenarioOf([
  { date: '2026-03-30', status: 'pending_settlement', rows: purchases(2) },
  { date: '2026-03-31', status: 'validated', rows: purchases(1) },
]);

const screen = { columns: 200, env: { NO_COLOR: '1' } };
const at = (day: string, time = '12:00:00Z') => new FakeClock(Date.parse(`${day}T${time}`));
const sandboxed = (...args: readonly string[]) =>
  runRecon(['settlements', '--sandbox', '--scenario', 'overdue', ...args]);

/** A profile in a file of its own: only there can days and time zone be set. */
async function profiled(...lines: readonly string[]): Promise<readonly string[]> {
  const config = join(await temporaryFolder(), 'config.toml');
  await writeFile(config, ['[profiles.shop]', ...lines].join('\n'), { mode: 0o600 });
  return ['--config', config];
}

describe('an overdue settlement', () => {
  test('is named in a line of the report, by the day of the clock', async () => {
    const { settlements } = await startService(scenario);
    const young = await settlements([], { clock: at('2026-04-13'), ...screen });
    expect(young.stdout).not.toMatch(/overdue|2026-04-13/);
    const one = await settlements([], { clock: at('2026-04-14'), ...screen });
    expect(one.exitCode).toBe(0);
    expect(one.stdout).toContain(
      '  - 1 pending settlement is overdue (more than 14 days old on 2026-04-14): 2026-03-30, 15 days, 19.40 EUR.\n',
    );
    expect(one.stdout).toContain(
      '  - overdue: 15 days old on 2026-04-14 (limit 14 days); net pay-out 19.40 EUR\n',
    );
    const both = await settlements([], { clock: at('2026-04-16'), ...screen });
    expect(both.stdout).toContain(
      '2 pending settlements are overdue (more than 14 days old on 2026-04-16), total net pay-out 29.10 EUR: ' +
        '2026-03-30, 17 days, 19.40 EUR; 2026-03-31, 16 days, 9.70 EUR.',
    );
  });

  test('is named if the output is a file, and after ten the others are counted', async () => {
    const many = Array.from({ length: 12 }, (_, n) => ({
      date: `2026-03-${String(n + 1).padStart(2, '0')}`,
      status: 'pending_settlement',
      rows: purchases(1),
    }));
    const { settlements } = await startService(scenarioOf(many));
    const { stderr } = await settlements([], { clock: at('2026-04-05') });
    expect(stderr).toContain('12 pending settlements are overdue');
    expect(stderr).toContain('; 2026-03-10, 26 days, 9.70 EUR; 2 more.\n');
  });

  test('is a notice with its age and pay-in, and a count and pay-in of its group', async () => {
    const { stdout } = await sandboxed('--json');
    const { groups, settlements } = readReport(stdout);
    expect(settlements[1]?.notices).toMatchObject([
      {
        code: 'overdue',
        facts: {
          today: '2026-04-01',
          pendingDays: 14,
          days: 27,
          payIn: { amount: '97.00', minor: '9700', currency: 'EUR' },
        },
      },
    ]);
    expect(
      groups.map(({ currency, pendingPayIn, overdue }) => [currency, pendingPayIn, overdue]),
    ).toEqual([
      [
        'EUR',
        { amount: '174.60', minor: '17460' },
        { settlements: 2, payIn: { amount: '145.50', minor: '14550' } },
      ],
      [
        'JPY',
        { amount: '4850', minor: '4850' },
        { settlements: 1, payIn: { amount: '4850', minor: '4850' } },
      ],
    ]);
  });

  test.each([
    [['--fail-on', '+overdue'], 1],
    [['--fail-on', 'overdue'], 1],
    [['--fail-on', '+unknown-status'], 0],
    [[], 0],
  ])('ends with %j as %i', async (flags, code) => {
    expect((await sandboxed(...flags)).exitCode).toBe(code);
  });

  test('is not reported before its day, whatever ends the run', async () => {
    const { settlements } = await startService(scenario);
    const clock = at('2026-04-13');
    expect((await settlements(['--fail-on', '+overdue'], { clock })).exitCode).toBe(0);
    expect((await settlements(['--fail-on', 'pending'], { clock })).exitCode).toBe(1);
  });

  test('is reported in explain and in the answer to a webhook', async () => {
    const old = scenarioOf([
      { date: '2020-03-05', status: 'pending_settlement', rows: purchases(1) },
    ]);
    const { env } = await startService(old);
    const id = String(old.settlements[0]?.header['settlementId']);
    const explained = await runRecon(['explain', id, '--fail-on', '+overdue'], {
      env,
      clock: at('2020-04-05'),
    });
    expect(explained.stdout).toContain('It is overdue: 31 days old on 2020-04-05 (limit 14 days).');
    expect(explained.exitCode).toBe(1);
    const range = await runRecon(['explain', '--on', '2020-03-05', '--fail-on', '+overdue'], {
      env,
      clock: at('2020-04-05'),
    });
    expect(range.stdout).toContain('1 pending settlement is overdue (more than 14 days old');
    expect(range.exitCode).toBe(1);
    const listener = await startListener({ env });
    await listener.post({ settlement_id: id, object_type: 'webhook.settlement' });
    const [line] = await listener.until(1);
    expect(line?.settlement).toMatchObject({ verdict: 'pending', notices: [{ code: 'overdue' }] });
  });
});

describe('the age of a pending settlement', () => {
  test('is counted in days of the time zone, across a change of the clock', async () => {
    const { settlements } = await startService(
      scenarioOf([{ date: '2026-03-15', status: 'validated', rows: purchases(1) }]),
    );
    // 29 March has 23 hours in Berlin: there the 30th began half an hour ago.
    const clock = () => at('2026-03-29', '22:30:00Z');
    const berlin = await profiled('time_zone = "Europe/Berlin"');
    const inBerlin = await settlements([...berlin, '--fail-on', '+overdue'], { clock: clock() });
    expect(inBerlin.exitCode).toBe(1);
    expect(inBerlin.stderr).toContain('on 2026-03-30): 2026-03-15, 15 days');
    expect((await settlements(['--fail-on', '+overdue'], { clock: clock() })).exitCode).toBe(0);
  });

  test('may be as high as the profile says', async () => {
    const { settlements } = await startService(scenario);
    const run = async (days: string, clock = at('2026-04-16')) =>
      settlements([...(await profiled(`pending_days = ${days}`)), '--fail-on', '+overdue'], {
        clock,
      });
    expect((await run('17')).exitCode).toBe(0);
    expect((await run('16')).stderr).toContain('more than 16 days old on 2026-04-16');
    expect((await run('0', at('2026-03-31'))).stderr).toContain('2026-03-30, 1 day, 19.40 EUR.');
    const refused = await run('-1');
    expect(refused.exitCode).toBe(2);
    expect(refused.stderr).toContain('pending_days must be a whole number of days from 0 to 9999');
  });

  test('is counted in the sandbox by the day after its last, whatever the clock says', async () => {
    const out = join(await temporaryFolder(), 'out');
    const flags = ['--sandbox', '--scenario', 'overdue'];
    await runRecon(['export', ...flags, ...march, '--out', out, '--quiet']);
    for (const day of ['2026-03-06', '2031-01-01']) {
      for (const source of [flags, ['--from-export', out]]) {
        const { stderr } = await runRecon(['settlements', ...source], { clock: at(day) });
        expect(stderr).toContain(
          '3 pending settlements are overdue (more than 14 days old on 2026-04-01)',
        );
      }
    }
  });
});

describe('an export', () => {
  const days = ['--from', '2026-03-30', '--to', '2026-03-31'];

  test('has the same bytes whenever it is made, and only its reader sees an age', async () => {
    const { env } = await startService(scenario);
    const out = join(await temporaryFolder(), 'out');
    const run = (day: string, ...args: readonly string[]) =>
      runRecon(args, { env, clock: at(day) });
    await run('2026-04-01', 'export', ...days, '--out', out);
    const before = await filesOf(out);
    const again = await run('2027-01-01', 'export', ...days, '--deep', '--out', out);
    expect(again.stdout).toContain('2026-03-30,unchanged,pending');
    expect(await filesOf(out)).toEqual(before);
    const verified = await run('2027-01-01', 'export', '--verify', '--out', out);
    expect([verified.exitCode, verified.stdout]).toEqual([0, 'finding,path,message\r\n']);
    const other = join(await temporaryFolder(), 'out');
    await run('2027-01-01', 'export', ...days, '--out', other);
    expect(await filesOf(other)).toEqual(before);

    const read = ['settlements', '--from-export', out, '--fail-on', '+overdue'];
    expect((await run('2026-04-01', ...read)).exitCode).toBe(0);
    const late = await run('2027-01-01', ...read);
    expect(late.exitCode).toBe(1);
    expect(late.stderr).toContain('2026-03-30, 277 days, 19.40 EUR; 2026-03-31, 276 days');
  });

  test('refuses a condition that it could never meet, and names the command to run', async () => {
    const out = join(await temporaryFolder(), 'my days');
    const { exitCode, stderr } = await runRecon([
      ...['export', '--sandbox', ...march, '--out', out],
      ...['--fail-on', '+overdue'],
    ]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(`recon settlements --from-export '${out}' --fail-on +overdue`);
  });
});

/** The bytes of all files of the days but for the manifest, which says when they were exported. */
async function filesOf(folder: string): Promise<ReadonlyMap<string, string>> {
  const files = new Map<string, string>();
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || entry.name === 'export.json') continue;
    const path = join(entry.parentPath, entry.name);
    const text = await readFile(path, 'latin1');
    const timeless = text.replace(/"exportedAt": "[^"]*"/, '').replace(/"sha256": .*/, '');
    files.set(path.slice(folder.length), timeless);
  }
  return files;
}
