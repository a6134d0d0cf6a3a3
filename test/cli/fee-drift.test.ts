import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { readWorkbook, recordsOf } from '../render/xlsx/read-workbook.ts';
import { runRecon } from '../support/run-recon.ts';
import { type Report, readReport } from './read-report.ts';
import { march, scenarioOf, startService } from './service.ts';
import { temporaryFolder } from './temporary.ts';

const scenario = ['--sandbox', '--scenario', 'fee-drift'];

const settlements = (...flags: readonly string[]) =>
  runRecon(['settlements', ...scenario, ...march, ...flags]);

/** The report over March against February. */
async function compared(...flags: readonly string[]): Promise<Report & Compared> {
  const { stdout } = await settlements('--compare', 'previous', ...flags, '--json');
  return { ...readReport(stdout), ...(JSON.parse(stdout) as Compared) };
}

interface Compared {
  readonly comparison: Readonly<Record<string, unknown>>;
  readonly feeRates: readonly {
    readonly accountingName: string;
    readonly paymentType: string;
    readonly earlier: { readonly feesPercent: string } | null;
    readonly now: { readonly feesPercent: string } | null;
    readonly change: string | null;
  }[];
}

const drifted = ({ findings }: Report) =>
  findings.map(({ code, facts }) => `${code} ${String(facts['paymentType'])} ${facts['change']}`);

describe('fee rates against another range', () => {
  it('are shown for each account and payment type, with a notice where one has changed', async () => {
    const report = await compared();
    expect(
      report.feeRates.map(({ accountingName, paymentType, earlier, now, change }) =>
        [accountingName, paymentType, earlier?.feesPercent, now?.feesPercent, change].join(' '),
      ),
    ).toEqual([
      'Web shop bank_transfer 0.8000 0.8000 0.0000',
      'Web shop card 1.4000 1.6000 0.2000',
      'Web shop wallet  1.0000 ',
      'Stores bank_transfer 0.8000 0.8000 0.0000',
      'Stores card 1.5000 1.5025 0.0025',
      'Stores invoice 2.0000  ',
    ]);
    expect(report.verdict).toBe('balanced');
    expect(report.findings).toMatchObject([
      {
        code: 'fee_drift',
        weight: 'notice',
        count: 3,
        facts: {
          change: '0.2000',
          atEarlierRate: { amount: '6.30', currency: 'EUR' },
          difference: { amount: '0.90' },
          examples: [
            { amount: { amount: '300.00' }, fees: { amount: '4.80' } },
            { amount: { amount: '100.00' }, fees: { amount: '1.60' } },
            { amount: { amount: '50.00' }, fees: { amount: '0.80' } },
          ],
        },
      },
    ]);
    expect(report.comparison).toEqual({
      range: { from: '2026-02-01', to: '2026-02-28' },
      settlements: { balanced: 2, out_of_balance: 0, pending: 0, incomplete: 0 },
      complete: true,
      limit: '0.0500',
    });
  });

  test.each([
    ['0.2', []],
    ['0.1999', ['fee_drift card 0.2000']],
    ['0.0026', ['fee_drift card 0.2000']],
    // 4.50 of 299.50 is a little more than 1.5025 %.
    ['0.0025', ['fee_drift card 0.2000', 'fee_drift card 0.0025']],
  ])('may change by %s percentage points', async (points, expected) => {
    expect(drifted(await compared('--drift', points))).toEqual(expected);
  });

  it('are reported beside a CSV too, whose columns stay, and end as asked', async () => {
    const alone = await settlements();
    const beside = await settlements('--compare', 'previous', '--fail-on', '+fee-drift');
    expect(beside.stdout).toBe(alone.stdout);
    expect(beside.stderr).toContain('Web shop, card (EUR): fees rose from 1.4000 % to 1.6000 %');
    expect([alone.exitCode, beside.exitCode]).toEqual([0, 1]);
    const calm = await settlements(
      '--compare',
      'previous',
      '--drift',
      '1',
      '--fail-on',
      'fee-drift',
    );
    expect(calm.exitCode).toBe(0);
  });

  it('are lines of their own before the summary', async () => {
    const { stdout } = await settlements('--compare', 'previous', '--format', 'ndjson');
    const lines = stdout.trim().split('\n');
    const read = lines.map((line) => JSON.parse(line) as { type: string; comparison?: object });
    expect(read.filter(({ type }) => type === 'feeRate')).toHaveLength(6);
    expect(read.at(-1)?.comparison).toMatchObject({ limit: '0.0500' });
  });

  it('have a sheet in a workbook, which says what changed and how rates are rounded', async () => {
    const path = join(await temporaryFolder(), 'march.xlsx');
    await settlements('--compare', 'previous', '--output', path);
    const sheets = await readWorkbook(await readFile(path));
    expect(recordsOf(sheets.get('Fee rates'))[0]).toMatchObject({
      Account: 'Web shop',
      'Payment type': 'card',
      'Earlier gross': 300,
      'Earlier fees %': 1.4,
      'Fees %': 1.6,
      'Change (percentage points)': 0.2,
    });
    const said = sheets.get('Summary')?.flat().join('\n');
    expect(said).toMatch(
      /Web shop, card \(EUR\): fees rose.*\n.*\n?.*rounded half up to 4 decimal/,
    );
    expect(said).toContain('Changes of more than 0.0500 percentage points have a notice.');
  });

  it('are compared for each profile with its own range', async () => {
    const config = join(await temporaryFolder(), 'config.toml');
    await writeFile(config, '[profiles.a]\n[profiles.b]\n', { mode: 0o600 });
    const flags = ['--all-profiles', '--config', config, '--compare', 'previous', '--json'];
    const { stdout } = await settlements(...flags);
    const { profiles } = JSON.parse(stdout) as { profiles: readonly (Report & Compared)[] };
    expect(profiles.map((one) => [drifted(one), one.feeRates.length])).toEqual([
      [['fee_drift card 0.2000'], 6],
      [['fee_drift card 0.2000'], 6],
    ]);
  });

  it('are reported as uncertain if the earlier range is not complete', async () => {
    const out = await temporaryFolder();
    const days = ['--from', '2026-02-27', '--to', '2026-03-03'];
    await runRecon(['export', ...scenario, ...days, '--out', out]);
    const range = ['--from', '2026-03-02', '--to', '2026-03-03'];
    const read = ['settlements', '--from-export', out, ...range, '--compare'];
    // The 26th, when the web shop was paid out, is missing.
    const february = [...read, '2026-02-26..2026-02-28'];
    const screen = await runRecon(february, { columns: 400, env: { NO_COLOR: '1' } });
    expect(screen.stdout).toContain('The earlier range could not be fully read');
    expect(screen.stdout).toContain(
      '> recon settlements --from 2026-02-26 --to 2026-02-28 --sandbox --scenario fee-drift #',
    );
    expect(screen.stdout).toContain('new: no transactions in the earlier range');
    const { stdout } = await runRecon([...read, 'previous', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({
      verdict: 'balanced',
      comparison: { range: { from: '2026-02-28', to: '2026-03-01' }, complete: true },
    });
  });

  it('leave out what is pending in the earlier range, and say so', async () => {
    const rows = [['purchase', 100_00, 1_40, 0]] as const;
    const service = await startService(
      scenarioOf([
        { date: '2026-02-10', rows },
        { date: '2026-02-11', status: 'validated', rows: [['purchase', 100_00, 9_00, 0]] },
        { date: '2026-03-10', rows },
      ]),
    );
    const { stderr } = await service.settlements(['--compare', '2026-02', '--cid', '5']);
    expect(stderr).toContain('no fee rate is compared');
    const all = await service.settlements(['--compare', '2026-02']);
    expect(all.stderr).toContain('Not included in the earlier fee rates: 1 pending.');
    expect(all.stderr).not.toContain('fees rose');
  });
});

describe('a comparison of fee rates', () => {
  it.each([
    [['--drift', '1'], '--drift needs --compare.'],
    [['--compare', 'previous', '--dry-run'], '--compare cannot be combined with --dry-run.'],
    [['--fail-on', '+fee-drift'], '--fail-on fee-drift needs --compare.'],
    [['--compare', '2026-03'], 'must end before the range starts (2026-03-01)'],
    [['--compare', '2026-03-01..2026-03-01'], 'It ends on 2026-03-01, but must end before'],
    [['--compare', '2026-02-02..2026-02-01'], 'The range ends (2026-02-01) before it starts'],
    [['--compare', 'february'], '"february" is not a range.'],
    [['--compare', '2026-02-01..'], '"" is not a date.'],
    [['--compare', 'previous', '--drift', '-0.1'], 'It must be percentage points'],
    [['--compare', 'previous', '--drift', '0.00001'], 'with up to 4 decimals'],
  ])('is refused if it is not meaningful: %j', async (flags, said) => {
    const { exitCode, stderr, stdout } = await settlements(...flags);
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toContain(said);
  });
});
