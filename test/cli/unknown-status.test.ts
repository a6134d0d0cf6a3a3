import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { FakeClock } from '../support/fake-clock.ts';
import { noon, runRecon } from '../support/run-recon.ts';
import { readRecords, readReport } from './read-report.ts';
import { purchases, scenarioOf, startService } from './service.ts';
import { temporaryFolder } from './temporary.ts';

const day = '2026-03-31';
const onHold = { date: day, status: 'on_hold', rows: purchases(2) };

describe('a settlement with a status that the document does not name', () => {
  test('is pending if its sums agree, and is counted separately', async () => {
    const { settlements } = await startService(
      scenarioOf([
        { date: '2026-03-30', status: 'pending_settlement', rows: purchases(1) },
        { date: '2026-03-30', rows: purchases(1) },
        onHold,
      ]),
    );
    const { exitCode, stdout } = await settlements(['--json']);
    const report = readReport(stdout);
    expect([exitCode, report.verdict]).toEqual([0, 'pending']);
    expect(report.settlements.map((one) => [one.verdict, one.verdictReason]).sort()).toEqual([
      ['balanced', null],
      ['pending', null],
      ['pending', 'unknown_status'],
    ]);
    expect(report.groups).toMatchObject([
      {
        settlements: { balanced: 1, pending: 2 },
        reported: { payIn: { amount: '9.70' } },
        pendingPayIn: { amount: '29.10' },
        unknownStatus: { settlements: 1, payIn: { amount: '19.40' } },
        overdue: { settlements: 0, payIn: { amount: '0.00' } },
      },
    ]);
    expect(report.notes).toEqual([
      expect.stringMatching(
        /^1 settlement has the unknown status "on_hold" and counts as pending, although its sums agree \(\S+\)\.$/,
      ),
    ]);
    const csv = await settlements();
    const reasons = readRecords(csv.stdout).map((row) => [row['verdict'], row['verdict_reason']]);
    expect(reasons.sort()).toEqual([
      ['balanced', ''],
      ['pending', ''],
      ['pending', 'unknown_status'],
    ]);
    expect(csv.stderr).toContain('1 settlement has the unknown status "on_hold"');
    const groups = await settlements(['--by', 'group']);
    expect(readRecords(groups.stdout)).toMatchObject([
      {
        ...{ settlements_pending: '2', pending_pay_in: '29.10' },
        ...{ settlements_unknown_status: '1', unknown_status_pay_in: '19.40' },
      },
    ]);
  });

  test('is out of balance if its sums do not agree, and incomplete if it cannot be read', async () => {
    const off = await startService(scenarioOf([{ ...onHold, off: { fees: 7 } }]));
    const wrong = await off.settlements(['--json']);
    const [settlement] = readReport(wrong.stdout).settlements;
    expect([wrong.exitCode, settlement?.verdict, settlement?.verdictReason]).toEqual([
      1,
      'out_of_balance',
      null,
    ]);
    expect(readReport(wrong.stdout).notes.join()).toContain('so only the sums were checked');
    const unread = await startService(scenarioOf([onHold]), 'wrapper-1010@rows');
    const { exitCode, stdout } = await unread.settlements(['--json']);
    expect([exitCode, readReport(stdout).verdict]).toEqual([4, 'incomplete']);
  });

  test.each([
    ['+unknown-status', 1],
    ['unknown-status', 1],
    ['pending', 1],
    ['out-of-balance', 0],
  ])('ends with --fail-on %s as %i', async (failOn, code) => {
    const scenario = ['--sandbox', '--scenario', 'unknown-status'];
    const out = join(await temporaryFolder(), 'out');
    const exported = ['export', '--on', '2026-03-04', '--out', out];
    for (const words of [['settlements'], exported]) {
      const { exitCode } = await runRecon([...words, ...scenario, '--fail-on', failOn]);
      expect(exitCode).toBe(code);
    }
    const pending = ['settlements', '--sandbox', '--scenario', 'pending'];
    const { exitCode } = await runRecon([...pending, '--fail-on', failOn]);
    expect(exitCode).toBe(failOn === 'pending' ? 1 : 0);
  });

  test('is named in explain', async () => {
    const scenario = scenarioOf([onHold]);
    const { env } = await startService(scenario);
    const id = String(scenario.settlements[0]?.header['settlementId']);
    const { stdout } = await runRecon(['explain', id], { env });
    expect(stdout).toMatch(/^PENDING\nAll sums agree, but the status "on_hold" is unknown, so it/);
  });
});

describe('an exported day with an unknown status', () => {
  async function anExport() {
    const { env, asked } = await startService(scenarioOf([onHold]));
    const out = join(await temporaryFolder(), 'out');
    const clock = new FakeClock(noon);
    const run = (...args: readonly string[]) =>
      runRecon(['export', '--out', out, ...args], { env, clock });
    return { out, asked, run, first: await run('--on', day, '--quiet') };
  }

  test('is pending, and the status is named also with --quiet', async () => {
    const { out, first } = await anExport();
    expect(first.exitCode).toBe(0);
    expect(first.stderr).toMatch(
      /^2026-03-31: 1 settlement has the unknown status "on_hold" and counts as pending, [^\n]*\n$/,
    );
    const manifest = JSON.parse(readFileSync(join(out, day, 'manifest.json'), 'utf8'));
    expect(manifest).toMatchObject({
      verdict: 'pending',
      counts: { settlements: { balanced: 0, pending: 1 } },
    });
  });

  test('is read again, and named while it is outside the range of a run', async () => {
    const { asked, run } = await anExport();
    const before = asked('rows').length;
    expect((await run('--on', day)).stdout).toContain(`${day},unchanged,pending`);
    expect(asked('rows').length).toBeGreaterThan(before);
    const { stderr } = await run('--on', '2026-04-01', '--quiet');
    expect(stderr).toContain(`settlements were still pending when exported: ${day}.`);
  });
});
