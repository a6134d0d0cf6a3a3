import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { runRecon } from '../support/run-recon.ts';
import { temporaryFolder } from './temporary.ts';

type Written = Readonly<Record<string, unknown>>;

/** A configuration file with these rates. */
async function configOf(rates: readonly Written[], more: Written = {}): Promise<string> {
  const path = join(await temporaryFolder(), 'config.toml');
  const toml = (value: unknown): string => {
    if (Array.isArray(value)) return `[${value.map(toml).join(', ')}]`;
    if (typeof value !== 'object' || value === null) return JSON.stringify(value);
    return `{ ${Object.entries(value)
      .map(([key, one]) => `${key} = ${toml(one)}`)
      .join(', ')} }`;
  };
  const lines = (table: Written) =>
    Object.entries(table).map(([key, value]) => `${key} = ${toml(value)}`);
  const tables = rates.flatMap((rate) => ['[[profiles.shop.agreed_rates]]', ...lines(rate)]);
  await writeFile(path, ['[profiles.shop]', ...lines(more), ...tables, ''].join('\n'));
  return path;
}

const down = { rounding: 'down', tax: { percent: '20', rounding: 'down' } };

/** The prices of the month, with other fixed parts or roundings. */
function monthRates({ euro = '0.25', yen = '25', terms = down as Written } = {}) {
  return [
    { name: 'sales', currency: 'EUR', types: ['purchase'], percent: '1.4', fixed: euro, ...terms },
    { name: 'ventas', currency: 'JPY', types: ['purchase'], percent: '1.4', fixed: yen, ...terms },
    { name: 'refunds', currency: 'EUR', types: ['refund'], percent: '0', sign: 'none', ...terms },
    { name: 'returns', currency: 'JPY', types: ['refund'], percent: '0', sign: 'none', ...terms },
    { name: 'disputes', currency: 'EUR', types: ['chargeback'], fixed: '15.00', ...terms },
  ];
}

async function feesOf(rates: readonly Written[], ...args: readonly string[]) {
  const config = await configOf(rates);
  const { stdout, exitCode, stderr } = await runRecon([
    ...['fees', '--sandbox', '--config', config, '--format', 'json'],
    ...args,
  ]);
  return { report: stdout === '' ? undefined : JSON.parse(stdout), exitCode, stderr };
}

describe('the sandbox month', () => {
  it('has fees as agreed, over all its rows', async () => {
    const { report, exitCode } = await feesOf(monthRates());
    expect(exitCode).toBe(0);
    expect(report.verdict).toBe('not_checked');
    expect(report.claims).toEqual([]);
    expect(report.differences).toEqual([]);
    const rows = report.lines.map((one: { rows: number }) => one.rows);
    expect(rows.reduce((a: number, b: number) => a + b)).toBe(1744);
    expect(report.rowsWithoutRate).toBe(1);
    expect(report.feesWithoutRow).toMatchObject([
      {
        month: '2026-03',
        currency: 'EUR',
        charged: { amount: '1.44' },
        agreed: { amount: '0.00' },
      },
    ]);
  });

  it('has higher fees than agreed if another fixed part is agreed, with the tax on it', async () => {
    const { report, exitCode } = await feesOf(monthRates({ euro: '0.20', yen: '20' }));
    expect(exitCode).toBe(1);
    expect(report.verdict).toBe('overcharged');
    expect(report.claims).toMatchObject([
      { currency: 'EUR', amount: '92.82' },
      { currency: 'JPY', amount: '1074' },
    ]);
    expect(report.months).toMatchObject([
      { currency: 'EUR', over: { amount: '77.35' }, taxOver: { amount: '15.47' }, overRows: 1547 },
      { currency: 'JPY', over: { amount: '895' }, taxOver: { amount: '179' }, overRows: 179 },
      { currency: 'USD', withoutRate: 1 },
    ]);
    expect(report.causes).toMatchObject([
      { rate: 'sales', fixedPart: { amount: '77.35' }, feeRate: null },
      { rate: 'ventas', fixedPart: { amount: '895' }, feeRate: null },
    ]);
    expect(report.differences).toHaveLength(1547 + 179);
  });
});

describe('two months with a drift', () => {
  const card = { currency: 'EUR', payment_types: ['card'] };
  const shop = { tokens: ['3f0c7a52-6d1e-4b8a-9c35-1e7d20a4b601'] };
  const stores = { tokens: ['8a61d0c4-2f97-4e5b-b8d3-905c6e17fa24'] };
  const march = ['--scenario', 'fee-drift', '--month', '2026-03'];

  it('have a claim for what was not agreed, and name the rows without a rate', async () => {
    const { report, exitCode } = await feesOf(
      [
        { ...card, ...shop, name: 'web', percent: '1.4' },
        { ...card, ...stores, name: 'stores', percent: '1.5' },
        { name: 'transfers', currency: 'EUR', payment_types: ['bank_transfer'], percent: '0.8' },
      ],
      ...march,
    );
    expect(exitCode).toBe(1);
    expect(report.claims).toMatchObject([{ currency: 'EUR', amount: '0.90' }]);
    expect(report.rowsWithoutRate).toBe(1);
    expect(report.lines).toContainEqual(
      expect.objectContaining({ paymentType: 'wallet', withoutRate: 1 }),
    );
    expect(report.differences.map((one: { agreedAs: string }) => one.agreedAs)).toEqual([
      '1.4 % of 300.00 = 4.20',
      '1.4 % of 100.00 = 1.40',
      '1.4 % of 50.00 = 0.70',
    ]);
  });

  it('have a claim for rounding only if a rounding is agreed', async () => {
    const rate = { ...card, ...stores, name: 'stores', percent: '1.5' };
    const open = await feesOf([rate], ...march);
    expect(open.report.claims).toEqual([]);
    const { report } = await feesOf([{ ...rate, rounding: 'half_up' }], ...march);
    expect(report.claims).toMatchObject([{ amount: '0.01' }]);
    expect(report.causes).toMatchObject([{ rounding: { amount: '0.01' } }]);
  });
});

describe('the claim for the provider', () => {
  const dear = () => monthRates({ euro: '0.20', yen: '25' });

  test.each(['settlements', 'explain'])('has its rows named by recon %s', async (command) => {
    const config = await configOf(dear());
    const args = ['--sandbox', '--config', config, '--on', '2026-03-10', '--format', 'json'];
    const { stdout } = await runRecon([command, ...args]);
    expect(stdout).toContain('above_agreed_rate');
    expect(stdout).toContain('fees of 38 transactions are above the agreed rate (sales)');
  });
});

test('two rates for one row are refused, and the row is named', async () => {
  const [sales] = monthRates();
  const { stderr, exitCode } = await feesOf([{ ...sales }, { ...sales, name: 'again' }]);
  expect(exitCode).toBe(2);
  expect(stderr).toMatch(/agreed_rates\[0\] \(sales\) and agreed_rates\[1\] \(again\) apply/);
  expect(stderr).toContain('config.toml');
});

test('the rates that recon fees --init suggests are those that were charged', async () => {
  const { stdout } = await runRecon(['fees', '--sandbox', '--init']);
  const lines = stdout.split('\n');
  expect(lines.filter((line) => line !== '').every((line) => line.startsWith('#'))).toBe(true);
  const folder = await temporaryFolder();
  const config = join(folder, 'config.toml');
  const rates = lines.map((line) => line.replace(/^#(?=[[a-z])/, '')).join('\n');
  await writeFile(config, rates);
  const run = await runRecon(['fees', '--sandbox', '--config', config, '--format', 'json']);
  expect(JSON.parse(run.stdout)).toMatchObject({ verdict: 'as_agreed', rowsWithoutRate: 0 });
});
