import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { readRecords } from '../../cli/read-report.ts';
import { temporaryFolder } from '../../cli/temporary.ts';
import { partsOf, readWorkbook, recordsOf } from '../../render/xlsx/read-workbook.ts';
import { runRecon } from '../../support/run-recon.ts';

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

const sumOf = (lines: readonly Record<string, { minor: string }>[], key: string) =>
  lines.reduce((sum, one) => sum + BigInt(one[key]?.minor ?? 0), 0n);

describe('the sandbox month', () => {
  it('has lower fees than agreed if half up is agreed, which gives no claim', async () => {
    const terms = { rounding: 'half_up', tax: { percent: '20', rounding: 'down' } };
    const { report, exitCode } = await feesOf(monthRates({ terms }));
    expect(exitCode).toBe(0);
    expect(report.claims).toEqual([]);
    const lines = report.lines.filter((one: { currency: string }) => one.currency === 'EUR');
    expect(sumOf(lines, 'under')).toBe(782n);
    const under = report.differences.filter(
      (one: { currency: string; feeDifference: { minor: string } }) =>
        one.currency === 'EUR' && BigInt(one.feeDifference.minor) < 0n,
    );
    expect(under).toHaveLength(782);
    const strict = await feesOf(monthRates({ terms }), '--fail-on', '+undercharge');
    expect(strict.exitCode).toBe(1);
  });
});

describe('the claim for the provider', () => {
  const dear = () => monthRates({ euro: '0.20', yen: '25' });

  async function fileOf(name: string): Promise<string> {
    const folder = await temporaryFolder();
    const args = ['--config', await configOf(dear()), '--output', join(folder, name)];
    await runRecon(['fees', '--sandbox', ...args]);
    return folder;
  }

  it('has its rows beside it, without notes', async () => {
    const folder = await fileOf('claim.md');
    const cover = await readFile(join(folder, 'claim.md'), 'utf8');
    expect(cover).toContain('## Claim: 92.82 EUR');
    expect(cover).toContain('claim.csv');
    const text = await readFile(join(folder, 'claim.csv'), 'utf8');
    const rows = readRecords(text);
    expect(rows).toHaveLength(1547);
    expect(rows[0]).toMatchObject({
      fee_difference: '0.05',
      claim: '0.06',
      rate: 'sales',
      cause: 'fixed_part',
      agreed_as: expect.stringMatching(/^0\.20 \+ 1\.4 % of [\d,.]+, rounded down = [\d.]+$/),
    });
    expect(cover + text).not.toContain('ORD-');
  });

  it('can be a workbook with formulas, and a page without a chart of one bar', async () => {
    const folder = await fileOf('fees.xlsx');
    const bytes = await readFile(join(folder, 'fees.xlsx'));
    const sheets = await readWorkbook(bytes);
    const names = ['Summary', 'Fees', 'Months', 'Fees and tax', 'Causes', 'Transactions'];
    expect([...sheets.keys()]).toEqual(names);
    const [euros] = recordsOf(sheets.get('Fees')).filter(
      (one) => one['Account'] === 'Total' && one['Currency'] === 'EUR',
    );
    expect(euros).toMatchObject({ 'Over agreed': 77.35, 'Tax over agreed': 15.47, Claim: 92.82 });
    expect(partsOf(bytes).get('xl/worksheets/sheet2.xml')).toContain('SUMIFS(');
    const page = await readFile(join(await fileOf('fees.html'), 'fees.html'), 'utf8');
    expect(page).toContain('Month by month');
    expect(page).not.toContain('<svg');
  });
});

test('recon nightly reports overcharged days once', async () => {
  const folder = await temporaryFolder();
  const config = await configOf(monthRates({ euro: '0.20' }));
  const args = ['nightly', '--sandbox', '--config', config, '--out', folder, '--format', 'json'];
  const kindsOf = async () => {
    const { stdout } = await runRecon(args);
    const news: readonly { kind: string; day: string }[] = JSON.parse(stdout).news;
    return news.filter(({ kind }) => kind === 'overcharged').map(({ day }) => day);
  };
  const first = await kindsOf();
  expect(first).toContain('2026-03-10');
  expect(first).toHaveLength(20);
  expect(await kindsOf()).toEqual([]);
});
