import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runRecon } from '../support/run-recon.ts';
import { temporaryFolder } from './temporary.ts';

type Files = Readonly<Record<string, readonly string[]>>;

/** Runs with a profile whose folder has these files. */
async function withFiles(mapping: string, files: Files) {
  const folder = await temporaryFolder();
  await mkdir(join(folder, 'files'));
  for (const [name, lines] of Object.entries(files)) {
    await writeFile(join(folder, 'files', name), `${lines.join('\n')}\n`);
  }
  const config = join(folder, 'config.toml');
  const profile = ['[profiles.shop]', 'settlement_files = "files"', `settlements_csv = ${mapping}`];
  await writeFile(config, `${profile.join('\n')}\n`, { mode: 0o600 });
  return (...words: readonly string[]) =>
    runRecon([...words, '--month', '2026-03', '--config', config]);
}

interface Judged {
  readonly id: string;
  readonly verdict: string;
  readonly restsOn: readonly string[];
  readonly difference: { readonly payIn: { readonly minor: string } };
}

async function judged(mapping: string, files: Files) {
  const run = await withFiles(mapping, files);
  const { stdout, exitCode } = await run('settlements', '--format', 'json');
  const { settlements, findings } = JSON.parse(stdout);
  const ofEach = (settlements as readonly Judged[]).map((one) => [
    one.id,
    one.verdict,
    one.restsOn,
    one.difference.payIn.minor,
  ]);
  return { exitCode, ofEach, findings };
}

describe('itemized files of Stripe', () => {
  const mapping = '{ preset = "stripe" }';
  const header =
    'automatic_payout_id,balance_transaction_id,created,currency,gross,fee,net,reporting_category,description';
  const day = '2026-03-02 10:00:00';
  const lines = [
    header,
    `po_1,txn_1,${day},eur,100.00,3.00,97.00,charge,"Order 1, paid"`,
    `po_1,txn_2,${day},eur,-20.00,0.00,-20.00,refund,Refund`,
    `po_1,txn_3,${day},eur,-1.50,0.00,-1.50,fee,Radar`,
    `po_2,txn_4,${day},eur,-20.35,0.00,-20.35,refund,Refund`,
    `po_3,txn_5,${day},usd,50.00,2.00,48.00,charge,Order 3`,
  ];
  const payouts = [
    'payout_id,effective_at,currency,gross,fee,net,reporting_category,payout_status',
    'po_1,2026-03-05 00:00:00,eur,75.50,0.00,75.50,payout,paid',
    'po_2,2026-03-06 00:00:00,eur,-20.35,0.00,-20.35,payout,paid',
    'po_3,2026-03-06 00:00:00,usd,48.00,0.00,48.00,payout,failed',
    'po_3,2026-03-09 00:00:00,usd,-48.00,0.00,-48.00,payout_reversal,failed',
  ];

  test('are balanced by the pay-outs, whichever file is read first', async () => {
    const balanced = ['stripe-po_1-EUR', 'stripe-po_2-EUR', 'stripe-po_3-USD'].map((id) => [
      id,
      'balanced',
      ['payIn'],
      '0',
    ]);
    for (const [first, second] of [
      [lines, payouts],
      [payouts, lines],
    ] as const) {
      const result = await judged(mapping, { 'a.csv': first, 'b.csv': second });
      expect(result).toEqual({ exitCode: 0, ofEach: balanced, findings: [] });
    }
  });

  test('may have a line for the pay-out too, with either sign, which is not counted', async () => {
    const own = ['75.50', '-75.50'].map(
      (net) => `po_1,txn_9,2026-03-05 00:00:00,eur,${net},0.00,${net},payout,STRIPE PAYOUT`,
    );
    for (const line of own) {
      const pair = { 'a.csv': [...lines, line], 'b.csv': payouts };
      expect(await judged(mapping, pair)).toMatchObject({ exitCode: 0, findings: [] });
      const alone = await judged(mapping, { 'a.csv': [...lines.slice(0, 4), line] });
      expect(alone).toMatchObject({
        exitCode: 0,
        ofEach: [['stripe-po_1-EUR', 'balanced', ['payIn'], '0']],
      });
    }
  });

  test('have lines without a pay-out, which are named and make the rest uncertain', async () => {
    const lost = lines.map((line) => line.replace('po_1,txn_3', ',txn_3'));
    const { exitCode, ofEach, findings } = await judged(mapping, {
      'a.csv': lost,
      'b.csv': payouts,
    });
    expect(exitCode).toBe(4);
    expect(ofEach[0]).toEqual(['stripe-po_1-EUR', 'out_of_balance', ['payIn'], '-150']);
    expect(findings[0].facts.examples).toMatchObject([
      { kind: 'no_payout', from: '', rows: 1, sum: { minor: '-150' }, examples: ['txn_3'] },
    ]);
  });

  test('state the same pay-out in two overlapping files, which counts once', async () => {
    const files = { 'a.csv': lines, 'b.csv': payouts, 'c.csv': payouts.slice(0, 3) };
    const { exitCode, ofEach } = await judged(mapping, files);
    expect([exitCode, ofEach.map(([, verdict]) => verdict)]).toEqual([
      0,
      ['balanced', 'balanced', 'balanced'],
    ]);
  });
});

describe('exports of Shopify Payments', () => {
  const mapping = '{ preset = "shopify-payments" }';
  const header =
    'Transaction Date,Type,Order,Card Brand,Payout Status,Payout Date,Amount,Fee,Net,Currency';
  const lines = [
    header,
    '2026-03-01 10:00:00 +0200,charge,#1001,visa,paid,2026-03-03,450.00,13.35,436.65,EUR',
    '2026-03-02 10:00:00 +0200,refund,#1001,visa,paid,2026-03-03,-20.00,0.00,-20.00,EUR',
    '2026-03-09 10:00:00 +0200,charge,#1002,visa,pending,2026-03-13,6.99,0.45,6.54,EUR',
  ];
  const payoutsOf = (fees: string) => [
    'Payout Date,Status,Charges,Refunds,Adjustments,Reserved Funds,Fees,Retried Amount,Total,Currency',
    `2026-03-03,paid,450.00,-20.00,0.00,0.00,${fees},0.00,416.65,EUR`,
  ];

  test('rest on fees and net pay-out; what is not paid yet is not missed', async () => {
    expect(await judged(mapping, { 'a.csv': lines, 'b.csv': payoutsOf('-13.35') })).toEqual({
      exitCode: 0,
      ofEach: [['shopify-2026-03-03-EUR', 'balanced', ['fees', 'payIn'], '0']],
      findings: [],
    });
  });

  test('may differ in the fees alone, which an explanation says', async () => {
    const run = await withFiles(mapping, { 'a.csv': lines, 'b.csv': payoutsOf('-13.30') });
    const { stdout, exitCode } = await run('explain', '--format', 'table');
    expect(exitCode).toBe(1);
    expect(stdout).toContain('Does not balance: fees -0.05 EUR.');
    expect(stdout).toMatch(/- fees +13\.30 +13\.35 +-0\.05/);
  });
});

test('a mapping of pay-outs states what its columns name, and all of it is checked', async () => {
  const payouts =
    '{ payout = "No", date = "Day", currency = "EUR", paid = "Paid", gross = ["Sales", "Refunds"], fees = ["Fee"], tax = ["VAT"], transactions = "Lines", reference = "Bank text" }';
  const columns = 'payout = "No", account = "A", currency = "EUR", date = "Day", net = "Net"';
  const amounts = 'gross = "Amount", fees = ["Fee"], tax = "VAT"';
  const mapping = `{ provider = "Pay", ${columns}, ${amounts}, payouts = ${payouts} }`;
  const lines = [
    'No,Day,Amount,Fee,VAT,Net',
    '7,2026-03-02,100.00,2.00,0.42,97.58',
    '7,2026-03-02,-10.00,0.00,0.00,-10.00',
  ];
  const stating = (count: number) => [
    'No,Day,Sales,Refunds,Fee,VAT,Paid,Lines,Bank text',
    `7,2026-03-04,100.00,-10.00,2.00,0.42,87.58,${count},PAY 7`,
  ];
  expect(await judged(mapping, { 'a.csv': lines, 'b.csv': stating(2) })).toMatchObject({
    exitCode: 0,
    ofEach: [['A-7-EUR', 'balanced', undefined, '0']],
  });
  const run = await withFiles(mapping, { 'a.csv': lines.slice(0, 2), 'b.csv': stating(2) });
  const { stdout, exitCode } = await run('explain', '--format', 'table');
  expect(exitCode).toBe(1);
  expect(stdout).toMatch(/a transaction of -10\.00|-10\.00 EUR/);
});

test.each([
  ['stripe', 'payout_id,effective_at,currency,net,reporting_category'],
  ['shopify-payments', 'Payout Date,Total,Fees,Currency'],
  ['adyen', 'Batch Number,Net Currency,Creation Date,Type,Modification Reference'],
])('without a mapping, files of %s are known by their columns', async (preset, header) => {
  const run = await withFiles('{}', { 'a.csv': [header] });
  const { exitCode, stderr } = await run('settlements');
  expect(exitCode).toBe(2);
  expect(stderr.replace(/\s+/g, ' ')).toContain(`Set settlements_csv = { preset = "${preset}" }`);
});
