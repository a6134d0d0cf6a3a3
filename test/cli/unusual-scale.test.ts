import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runRecon } from '../support/run-recon.ts';
import { startListener } from './listener.ts';
import { readRecords, readReport } from './read-report.ts';
import { march, startService } from './service.ts';
import { temporaryFolder } from './temporary.ts';

const scenario = ['--sandbox', '--scenario', 'unusual-scale'];
const euros =
  '1 settlement has 0 decimal places instead of 2 for EUR, so the amounts may be 100 times';
const yen =
  '1 settlement has 2 decimal places instead of 0 for JPY, so the amounts may be 100 times';

const onScreen = (...args: readonly string[]) =>
  runRecon([...args, ...scenario], { columns: 400, env: { NO_COLOR: '1' } });

/** A configuration file in which these decimal places are expected. */
async function expecting(scales: string): Promise<readonly string[]> {
  const path = join(await temporaryFolder(), 'config.toml');
  await writeFile(path, `[profiles.shop]\nexpected_scales = ${scales}\n`, { mode: 0o600 });
  return ['--config', path];
}

const settlements = (...args: readonly string[]) => runRecon(['settlements', ...scenario, ...args]);

describe('unusual decimal places of a currency', () => {
  it('are reported beside the verdict, which stays the same', async () => {
    const screen = await onScreen('settlements');
    expect([screen.exitCode, screen.stdout.split('\n')[0]]).toEqual([0, 'BALANCED']);
    for (const said of [`${euros} too large.`, `${yen} too small.`]) {
      expect(screen.stdout.split('\n')[1]).toContain(said);
    }
    const csv = await settlements();
    expect(readRecords(csv.stdout).map((row) => [row['verdict'], row['notices']])).toEqual([
      ['balanced', ''],
      ['balanced', 'unusual_scale'],
      ['balanced', 'unusual_scale'],
    ]);
    expect(csv.stderr).toContain(`${yen} too small.`);
  });

  it('are reported for groups whose settlements have different ones', async () => {
    const screen = await onScreen('settlements', '--by', 'group');
    expect(screen.stdout).toContain(
      'different decimal places, converted exactly: Web shop, EUR (0',
    );
    const csv = readRecords((await settlements('--by', 'group')).stdout);
    expect(csv.map((row) => [row['currency'], row['mixed_decimal_places']])).toEqual([
      ['EUR', '0 | 2'],
      ['JPY', ''],
    ]);
  });

  it('are reported by explain in its answer', async () => {
    const [, , tokyo] = readReport((await settlements('--format', 'json')).stdout).settlements;
    const { stdout, exitCode } = await onScreen(
      'explain',
      tokyo?.id ?? '',
      '--fail-on',
      '+unusual-scale',
    );
    expect(stdout).toContain(
      'Balances: all sums agree. It has 2 decimal places instead of 0 for JPY',
    );
    expect(exitCode).toBe(1);
  });

  it.each([
    { failOn: '+unusual-scale', of: 'unusual-scale', code: 1 },
    { failOn: 'unusual-scale', of: 'unusual-scale', code: 1 },
    { failOn: '+pending', of: 'unusual-scale', code: 0 },
    { failOn: '+unusual-scale', of: 'fee-off-by-one', code: 1 },
    { failOn: '+unusual-scale,+pending', of: 'fee-off-by-one', code: 1 },
    { failOn: 'unusual-scale', of: 'fee-off-by-one', code: 0 },
    { failOn: 'pending,+unusual-scale', of: 'fee-off-by-one', code: 0 },
    { failOn: 'pending,+unusual-scale', of: 'unusual-scale', code: 1 },
    { failOn: '+unusual-scale', of: 'balanced', code: 0 },
    { failOn: '+unusual-scale', of: 'malformed', code: 4 },
  ])('end $of with $code for --fail-on $failOn', async ({ failOn, of, code }) => {
    const args = ['settlements', '--sandbox', '--scenario', of, '--fail-on', failOn, '--quiet'];
    const { exitCode, stderr } = await runRecon(args);
    expect(exitCode).toBe(code);
    if (of === 'unusual-scale' && code === 1) expect(stderr).toContain(`${euros} too large.`);
  });

  it('are not reported if a profile expects them, and others still are', async () => {
    const expected = await expecting('{ JPY = 2, EUR = 0 }');
    const { stdout } = await settlements('--format', 'json', ...expected);
    const report = readReport(stdout);
    expect(report.settings).toMatchObject({ expectedScales: { EUR: 0, JPY: 2 } });
    expect(report.settlements.map(({ notices }) => notices.map(({ code }) => code))).toEqual([
      ['unusual_scale'],
      [],
      [],
    ]);
    const screen = await onScreen('settlements', ...expected);
    expect(screen.stdout).toMatch(/Decimal places +expected: EUR 0, JPY 2\n/);
  });

  it.each(['{ jpy = 2 }', '{ JPY = 19 }', '{ JPY = "2" }', '2'])(
    'cannot be expected as %s',
    async (scales) => {
      const { exitCode, stderr } = await settlements(...(await expecting(scales)));
      expect(exitCode).toBe(2);
      expect(stderr).toContain('expected_scales');
    },
  );

  it('are found by doctor, which says how to expect them', async () => {
    const doctor = (...args: readonly string[]) =>
      runRecon(['doctor', ...scenario, '--format', 'json', ...args]);
    const lineOf = ({ stdout }: { stdout: string }) =>
      JSON.parse(stdout).checks.find((one: { check: string }) => one.check === 'scales');
    const config = await expecting('{ JPY = 2 }');
    expect(lineOf(await doctor(...config))).toMatchObject({
      level: 'warning',
      found: expect.stringContaining(euros),
      whatToDo: expect.stringContaining('expected_scales = { EUR = 0 } under [profiles.shop]'),
    });
  });

  it('are reported by listen beside the verdict', async () => {
    const { env, sandbox } = await startService('unusual-scale');
    const listener = await startListener({ env: { ...env, NO_COLOR: '1' }, columns: 400 });
    await sandbox.notify(listener.url, AbortSignal.timeout(10_000));
    await listener.untilOut(/is balanced\..* It has 2 decimal places instead of 0 for JPY, so/);
  });
});

describe('an export', () => {
  const range = ['--from', '2026-03-04', '--to', '2026-03-05'];

  it('reports unusual decimal places each time, with the exit code of --fail-on', async () => {
    const out = ['--out', await temporaryFolder()];
    for (const state of ['written', 'unchanged']) {
      const { exitCode, stdout, stderr } = await runRecon([
        ...['export', ...scenario, ...range, ...out, '--fail-on', '+unusual-scale'],
      ]);
      expect(exitCode).toBe(1);
      expect(readRecords(stdout).map((row) => row['state'])).toEqual([state, state]);
      expect(stderr).toContain(`2026-03-05: ${yen} too small`);
      const again = await runRecon(['export', ...scenario, ...range, ...out, '--quiet']);
      expect(again.exitCode).toBe(0);
    }
  });

  it('is read again with the decimal places that it expected, and shows them', async () => {
    const folder = await temporaryFolder();
    const config = await expecting('{ JPY = 2 }');
    await runRecon(['export', ...scenario, ...config, ...range, '--out', folder]);
    const asked = ['settlements', ...range, '--format', 'json'];
    const replayed = readReport((await runRecon([...asked, '--from-export', folder])).stdout);
    const live = readReport((await runRecon([...asked, ...scenario, ...config])).stdout);
    expect(replayed).toEqual(live);
    expect(replayed.settings).toMatchObject({ expectedScales: { JPY: 2 } });
  });

  it('is computed again if other decimal places are expected', async () => {
    const out = ['--out', await temporaryFolder()];
    const states = async (...args: readonly string[]) => {
      const run = await runRecon(['export', ...scenario, ...range, ...out, ...args]);
      return readRecords(run.stdout).map((row) => row['state']);
    };
    // A profile is part of what an export answers.
    const none = await expecting('{}');
    expect(await states(...none)).toEqual(['written', 'written']);
    expect(await states(...(await expecting('{ JPY = 2 }')))).toEqual(['recomputed', 'recomputed']);
    expect(await states(...none)).toEqual(['recomputed', 'recomputed']);
  });
});

it('a month in the usual decimal places has no such notice', async () => {
  const { stdout, exitCode } = await runRecon(['settlements', '--sandbox', ...march]);
  expect(exitCode).toBe(1);
  expect(stdout).not.toContain('unusual_scale');
});
