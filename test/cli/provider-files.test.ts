import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { fee, paid, report, sale } from '../provided/files.ts';
import { runRecon } from '../support/run-recon.ts';
import { temporaryFolder } from './temporary.ts';

type Reports = Readonly<Record<string, Parameters<typeof report>[0]>>;

/** Runs with a profile of Adyen whose folder has these reports. */
async function shopOf(reports: Reports) {
  const folder = await temporaryFolder();
  await mkdir(join(folder, 'adyen'));
  for (const [name, lines] of Object.entries(reports)) {
    await writeFile(join(folder, 'adyen', name), report(lines));
  }
  const config = join(folder, 'config.toml');
  const bank =
    '{ date = "Date", amount = "Amount", currency = "EUR", texts = ["Text"], balance = "Balance" }';
  const books =
    '{ bank = "1200", in_transit = "1360", fees = "4970", receivable = "1410", suspense = "1590" }';
  const files = 'settlement_files = "adyen"';
  const closes = 'closes = "closes.csv"';
  const profile = ['[profiles.adyen]', files, closes, `bank_csv = ${bank}`, `books = ${books}`];
  const mapping = ['[profiles.adyen.settlements_csv]', 'preset = "adyen"'];
  await writeFile(config, [...profile, ...mapping, ''].join('\n'), { mode: 0o600 });
  return {
    folder,
    run: (...words: readonly string[]) => runRecon([...words, '--config', config]),
  };
}

const month = ['--month', '2026-03'];
const whole = { 'a.csv': [sale('1'), sale('2'), fee(), paid('38.40')] };

describe('a month of Adyen', () => {
  test('is balanced by what is stated, and says so', async () => {
    const { run } = await shopOf(whole);
    const { stdout, exitCode } = await run('settlements', ...month, '--format', 'table');
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^BALANCED\n1 settlement: balanced\./);
    expect(stdout).toContain('net pay-out; gross, fees, tax and count are not stated');
    expect(stdout).not.toContain('service says');
  });

  test('has nothing in CSV and null in JSON for what is not stated', async () => {
    const { run } = await shopOf(whole);
    const csv = (await run('settlements', ...month, '--format', 'csv')).stdout.split('\r\n');
    const [names = [], cells = []] = csv.map((line) => line.split(','));
    const cellOf = (name: string) => cells[names.indexOf(name)];
    const measures = ['transactions', 'gross', 'fees', 'tax'];
    expect(measures.map((one) => cellOf(`${one}_reported`))).toEqual(['', '', '', '']);
    expect(measures.map((one) => cellOf(`${one}_difference`))).toEqual(['', '', '', '']);
    expect(measures.map((one) => cellOf(`${one}_computed`))).toEqual([
      '3',
      '40.00',
      '1.60',
      '0.00',
    ]);
    expect([cellOf('pay_in_reported'), cellOf('service_says')]).toEqual(['38.40', 'nothing']);
    const json = JSON.parse((await run('settlements', ...month, '--format', 'json')).stdout);
    expect(json.settlements).toMatchObject([
      { restsOn: ['payIn'], reported: { gross: null, fees: null, tax: null, transactions: null } },
    ]);
  });

  test('names the amount of a line that is missing, and calls it no certain cause', async () => {
    const other = sale('1', { grossCredit: '50', netCredit: '49.5', interchange: '0.5' });
    const { run } = await shopOf({ 'a.csv': [other, fee(), paid('68.20')] });
    const { stdout, exitCode } = await run('explain', 'SHOP-7-EUR');
    expect(exitCode).toBe(1);
    expect(stdout).toContain('Does not balance: net pay-out +19.70 EUR.');
    expect(stdout).toMatch(/19\.70 EUR of transactions are missing/);
    expect(stdout).toMatch(/Gross \(not stated\)/);
    expect(stdout).not.toMatch(/^Cause/m);
  });

  test('names a refund with the wrong sign', async () => {
    const wrong = sale('3', {
      type: 'Refunded',
      grossCredit: '7',
      netCredit: '7',
      interchange: '',
    });
    const { run } = await shopOf({ 'a.csv': [sale('1'), sale('2'), wrong, paid('32.40')] });
    const { stdout } = await run('explain', 'SHOP-7-EUR');
    expect(stdout).toContain('net pay-out -14.00 EUR');
    expect(stdout).toMatch(/opposite sign: transaction 3 \(Refunded\)/);
  });

  test('is incomplete if a batch in between is not there', async () => {
    const later = { batch: '9', date: '2026-03-09 10:00:00' };
    const { run } = await shopOf({ ...whole, 'b.csv': [sale('9', later), paid('19.70', later)] });
    const { stdout, exitCode } = await run('settlements', ...month, '--format', 'table');
    expect(exitCode).toBe(4);
    expect(stdout).toContain('pay-out 8 of account SHOP is in none');
    expect((await run('doctor')).stdout).toContain('pay-out 8 of account SHOP is in none');
  });

  test('has transactions, a journal and pay-outs for the bank', async () => {
    const { run, folder } = await shopOf(whole);
    const rows = await run('transactions', ...month, '--format', 'csv');
    expect(rows.stdout.split('\r\n').filter((line) => line.includes('SHOP-7-EUR'))).toHaveLength(3);
    const journal = await run('journal', ...month, '--for', 'hledger');
    expect(journal.stdout).toMatch(/1360 +38\.40 EUR\n +4970 +1\.60 EUR\n +1410 +-40\.00 EUR/);
    const statement = join(folder, 'bank.csv');
    await writeFile(
      statement,
      'Date,Amount,Text,Balance\n2026-03-03,38.40,"TX1 batch 7, SHOP",38.40\n',
    );
    const bank = await run('bank', statement, ...month, '--format', 'table');
    expect(bank.stdout).toMatch(/^RECONCILED\n1 of 1 pay-out is on the bank statements/);
  });
});

test('a month of files is closed; what changes afterwards is told', async () => {
  const { run, folder } = await shopOf(whole);
  const statement = join(folder, 'bank.csv');
  const entries = ['2026-03-03,38.40,"TX1 batch 7, SHOP",38.40', '2026-04-01,1.00,x,39.40'];
  await writeFile(statement, ['Date,Amount,Text,Balance', ...entries, ''].join('\n'));
  const closed = await run(
    'close',
    statement,
    ...month,
    '--record',
    '--by',
    'A',
    '--format',
    'table',
  );
  expect(closed.stdout).toMatch(/^CLOSED/);
  expect(closed.stdout).toMatch(/Settlements rest on +net pay-out; gross, fees, tax and count/);
  const again = async () =>
    (await run('settlements', ...month, '--format', 'table')).stdout.replace(/\s+/g, ' ');
  expect(await again()).toContain('since then: nothing has changed');
  await writeFile(join(folder, 'adyen', 'a.csv'), report([sale('1'), fee(), paid('18.70')]));
  expect(await again()).toContain('since then: 1 settlement changed, -19.70 EUR');
});

test.each([
  ['export', ...month, '--out', 'days'],
  ['charge', '3f0c5a52-7f0e-4c6b-9d0e-2b8f6a1c9e77'],
])('%s needs the service', async (...words) => {
  const { run } = await shopOf(whole);
  const { stderr, exitCode } = await run(...words);
  expect(exitCode).toBe(2);
  expect(stderr).toContain('reads settlement files');
});
