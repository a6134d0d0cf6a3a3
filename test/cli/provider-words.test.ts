import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { viewsOfProvider } from '../../src/report/common/provider-words.ts';
import type { Views } from '../../src/report/common/view.ts';
import { runRecon } from '../support/run-recon.ts';
import { temporaryFolder } from './temporary.ts';

const lines = [
  'Transaction Date,Type,Order,Card Brand,Payout Status,Payout Date,Amount,Fee,Net,Currency',
  '2026-03-01 10:00:00 +0100,charge,#1001,visa,paid,2026-03-03,20.00,0.50,19.50,EUR',
  '2026-03-01 11:00:00 +0100,charge,#1002,visa,paid,2026-03-03,30.00,0.60,29.40,EUR',
  '2026-03-04 11:00:00 +0100,charge,#1003,visa,paid,2026-03-05,40.00,0.70,39.30,EUR',
];
const payouts = [
  'Payout Date,Status,Charges,Refunds,Adjustments,Reserved Funds,Fees,Retried Amount,Total,Currency',
  '2026-03-03,paid,50.00,0.00,0.00,0.00,-1.60,0.00,48.90,EUR',
  '2026-03-05,paid,40.00,0.00,0.00,0.00,-0.70,0.00,39.30,EUR',
];
const bank = [
  'Date,Amount,Text,Balance',
  '2026-03-04,48.90,the service of a plumber,1048.90',
  '2026-03-31,7.00,the service of a gardener,1055.90',
];

/** A shop whose provider states fees and pay-outs; of the first pay-out, the fees are 0.50 more than its lines have. */
async function shop() {
  const folder = await temporaryFolder();
  const write = (name: string, content: readonly string[]) =>
    writeFile(join(folder, name), `${content.join('\n')}\n`, { mode: 0o600 });
  await mkdir(join(folder, 'files'));
  await write('files/lines.csv', lines);
  await write('files/payouts.csv', payouts);
  await write('bank.csv', bank);
  await write('config.toml', [
    '[profiles.shop]',
    'settlement_files = "files"',
    'closes = "closes.csv"',
    'bank_csv = { date = "Date", amount = "Amount", currency = "EUR", texts = ["Text"], balance = "Balance" }',
    'books = { bank = "1200", in_transit = "1360", fees = "4970", receivable = "1410", suspense = "1590" }',
    'settlements_csv = { preset = "shopify-payments" }',
  ]);
  const run = (...words: readonly string[]) =>
    runRecon([...words, '--config', join(folder, 'config.toml')]);
  return { folder, write, run, statement: join(folder, 'bank.csv') };
}

const march = ['--month', '2026-03'];

test('reports about files of a provider name the provider, and leave texts of the bank as they are', async () => {
  const { folder, run, statement } = await shop();
  const page = join(folder, 'close.html');
  const reports = [
    ['settlements', ...march, '--format', 'table'],
    ['explain', ...march],
    ['bank', statement, ...march, '--format', 'table'],
    ['close', statement, ...march, '--format', 'table', '--output', page],
  ];
  const told: string[] = [];
  for (const words of reports) {
    const { stdout, stderr } = await run(...words);
    told.push(stdout + stderr);
  }
  told.push(await readFile(page, 'utf8'));
  const all = told.join('\n');
  expect(all).toContain('unknown to the provider');
  expect(all).toContain('Ask the provider for');
  expect(all).toContain('the service of a gardener');
  expect(all.replace(/the service of a (plumber|gardener)/g, '')).not.toMatch(/the service/i);
});

test('sheets and screens change sentences and own words, never a text in quotes or from a file', () => {
  const table = {
    name: 'Open',
    columns: [{ title: 'What' }, { title: 'Text' }],
    rows: [['unknown to the service', 'the service']],
  };
  const views = {
    view: () => [
      {
        kind: 'remarks' as const,
        title: 'Next',
        remarks: [{ mark: '>', tone: 'plain' as const, text: 'The service, "the service"' }],
      },
    ],
    workbook: () => ({ title: 'Bank', summary: [], tables: [table] }),
    records: () => ({ columns: [], rows: [] }),
    document: () => ({}),
    lines: () => [],
  } satisfies Views;
  const told = viewsOfProvider(views);
  expect(told.view()).toMatchObject([{ remarks: [{ text: 'The provider, "the service"' }] }]);
  expect(told.workbook?.().tables[0]?.rows).toEqual([['unknown to the provider', 'the service']]);
});

test('a difference in stated fees alone is searched for a cause', async () => {
  const { run } = await shop();
  const { stdout } = await run('explain', 'shopify-2026-03-03-EUR');
  expect(stdout).toContain('Does not balance: fees +0.50 EUR.');
  expect(stdout).toContain(
    'Transactions are missing: fees 0.50 EUR. This would fit any difference',
  );
  const all = await run('settlements', ...march, '--format', 'table');
  expect(all.stdout).not.toContain('All sums agree');
});

test('what changed since a close has no figure where none was stated', async () => {
  const { run, write, statement } = await shop();
  const signed = ['--record', '--force', '--by', 'Ann', '--note', 'test'];
  await run('close', statement, ...march, ...signed, '--format', 'table');
  await write(
    'files/payouts.csv',
    payouts.map((line) => line.replace('48.90,EUR', '48.95,EUR')),
  );
  const { stdout } = await run('close', statement, ...march, '--format', 'json');
  const [changed] = JSON.parse(stdout).changedSince;
  expect(changed).toMatchObject({
    gross: null,
    fees: { amount: '0.00' },
    tax: null,
    payIn: { amount: '0.05' },
  });
});
