import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readWorkbook, recordsOf } from '../render/xlsx/read-workbook.ts';
import { runRecon } from '../support/run-recon.ts';
import { expectLinesToAddUp, readRecords } from './read-report.ts';
import { scenarioOf, startService } from './service.ts';
import { temporaryFolder } from './temporary.ts';

const accounts = {
  Lisbon: { accountingToken: 'a-lisbon' },
  Tokyo: { accountingToken: 'b-tokyo', currencyCode: 'JPY', decimalPlaces: 0 },
};

/** Two months, two currencies, three payment types; a gross that is off, and one that waits. */
const spring = scenarioOf(
  [
    {
      account: 'Lisbon',
      date: '2026-03-30',
      rows: [
        ['purchase', 10_000, 140, 28],
        ['purchase', 3_000, 100, 20, { paymentType: 'wallet' }],
        ['refund', -1_000, 0, 0],
      ],
    },
    { account: 'Tokyo', date: '2026-03-30', rows: [['purchase', 5_000, 80, 16]] },
    {
      account: 'Lisbon',
      date: '2026-04-01',
      rows: [['chargeback', -2_000, 1_500, 300, { paymentType: '' }]],
      off: { amountGross: 500, amountPayIn: 500 },
    },
    { account: 'Lisbon', date: '2026-04-02', status: 'validated', rows: [['purchase', 700, 9, 2]] },
  ],
  { accounts },
);

/** `recon settlements` over both months. */
async function run(args: readonly string[], columns?: number) {
  const { env } = await startService(spring);
  const range = ['--from', '2026-03-01', '--to', '2026-04-30'];
  return runRecon(['settlements', ...range, ...args], { env, ...(columns && { columns }) });
}

/** The records of these columns, each as one text. */
async function lines(by: string, ...columns: readonly string[]) {
  const { stdout } = await run(['--by', by]);
  return readRecords(stdout).map((row) => columns.map((key) => row[key]).join(' '));
}

describe('the lines of recon settlements', () => {
  test('by day have reported beside computed amounts, counted verdicts, and days in order', async () => {
    const columns = ['settlement_date', 'currency', 'settlements_balanced'];
    const more = ['settlements_out_of_balance', 'settlements_pending', 'gross_reported'];
    const last = ['gross_computed', 'gross_difference', 'pending_pay_in'];
    expect(await lines('day', ...columns, ...more, ...last)).toEqual([
      '2026-03-30 EUR 1 0 0 120.00 120.00 0.00 0.00',
      '2026-03-30 JPY 1 0 0 5000 5000 0 0',
      '2026-04-01 EUR 0 1 0 -15.00 -20.00 5.00 0.00',
      '2026-04-02 EUR 0 0 1 0.00 0.00 0.00 6.89',
    ]);
  });

  test('can be by month, by currency, and by two of them, with fees as a percentage of gross', async () => {
    const rates = ['fees_percent_reported', 'fees_percent_computed'];
    const month = 'settlement_month';
    // Where fees and gross have opposite signs there is no rate.
    const april = '2026-04 EUR  ';
    const [euros, yen] = ['2026-03 EUR 2.0000 2.0000', '2026-03 JPY 1.6000 1.6000'];
    expect(await lines('month', month, 'currency', ...rates)).toEqual([euros, yen, april]);
    expect(await lines('currency', 'currency', 'gross_reported', ...rates)).toEqual([
      'EUR 105.00 16.5714 17.4000',
      'JPY 5000 1.6000 1.6000',
    ]);
    const three = ['accounting_token', month, ...rates];
    expect(await lines('account,month', ...three)).toEqual([
      'a-lisbon 2026-03 2.0000 2.0000',
      'a-lisbon 2026-04  ',
      'b-tokyo 2026-03 1.6000 1.6000',
    ]);
    expect(await lines('currency,month', 'currency', month)).toEqual([
      'EUR 2026-03',
      'EUR 2026-04',
      'JPY 2026-03',
    ]);
  });

  test.each(['csv', 'json', 'ndjson', 'table'])(
    'by account are those by group, in %s',
    async (format) => {
      const [group, ...others] = await Promise.all(
        ['group', 'account', 'account,currency'].map((by) => run(['--by', by, '--format', format])),
      );
      for (const { stdout } of others) expect(stdout).toBe(group?.stdout);
    },
  );
});

describe('the lines of recon transactions', () => {
  test('by payment type have these bytes', async () => {
    const { stdout } = await run(['--by', 'payment']);
    const header =
      'payment_type,currency,decimal_places,transactions_computed,gross_computed,fees_computed,' +
      'tax_computed,pay_in_computed,fees_percent_computed';
    expect(stdout.split('\r\n')).toEqual([
      header,
      ',EUR,2,1,-20.00,15.00,3.00,-38.00,',
      'card,EUR,2,2,90.00,1.40,0.28,88.32,1.5556',
      'card,JPY,0,1,5000,80,16,4904,1.6000',
      'wallet,EUR,2,1,30.00,1.00,0.20,28.80,3.3333',
      '',
    ]);
  });

  test('by two are in the order of the names', async () => {
    const parts = ['settlement_month', 'transaction_type', 'payment_type', 'gross_computed'];
    expect(await lines('type,payment', ...parts.slice(1))).toEqual([
      'chargeback  -20.00',
      'purchase card 100.00',
      'purchase card 5000',
      'purchase wallet 30.00',
      'refund card -10.00',
    ]);
    expect(await lines('month,type', ...parts.slice(0, 2), 'gross_computed')).toEqual([
      '2026-03 purchase 130.00',
      '2026-03 purchase 5000',
      '2026-03 refund -10.00',
      '2026-04 chargeback -20.00',
    ]);
  });

  test('in JSON have their keys, and no reported amounts', async () => {
    const { stdout } = await run(['--by', 'month,payment', '--json', '--quiet']);
    const { groups, settlements } = JSON.parse(stdout);
    expect(settlements).toHaveLength(4);
    const amount = (text: string, minor: string) => ({ amount: text, minor });
    expect(groups[0]).toEqual({
      settlementMonth: '2026-03',
      paymentType: 'card',
      currency: 'EUR',
      decimalPlaces: 2,
      computed: {
        transactions: 2,
        gross: amount('90.00', '9000'),
        fees: amount('1.40', '140'),
        tax: amount('0.28', '28'),
        payIn: amount('88.32', '8832'),
      },
      feesPercent: { computed: '1.5556' },
    });
    expect(groups.at(-1)).toMatchObject({ paymentType: '', feesPercent: { computed: null } });
  });

  test('in NDJSON are lines of groups, without settlements', async () => {
    const { stdout } = await run(['--by', 'type', '--format', 'ndjson', '--quiet']);
    const parsed = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(parsed.map(({ type, transactionType }) => [type, transactionType])).toEqual([
      ['group', 'chargeback'],
      ['group', 'purchase'],
      ['group', 'purchase'],
      ['group', 'refund'],
      ['summary', undefined],
    ]);
  });

  test('on a screen name what they are made from, and end with the totals of each currency', async () => {
    const { stdout } = await run(['--by', 'payment', '--color', 'never'], 80);
    const from = stdout.indexOf('Totals of transactions by payment type and currency (computed)');
    expect(stdout.slice(from, stdout.indexOf('\n\n', from))).toMatchInlineSnapshot(`
      "Totals of transactions by payment type and currency (computed)
      Payment    Currency  Transactions     Gross   Fees    Tax       Net   Fees %
      type                                                        pay-out
      ─────────  ────────  ────────────  ────────  ─────  ─────  ────────  ───────
      (missing)  EUR                  1    -20.00  15.00   3.00    -38.00
      card       EUR                  2     90.00   1.40   0.28     88.32   1.5556
      card       JPY                  1  5,000     80     16     4,904      1.6000
      wallet     EUR                  1     30.00   1.00   0.20     28.80   3.3333
      ─────────  ────────  ────────────  ────────  ─────  ─────  ────────  ───────
      Total      EUR                  4    100.00  17.40   3.48     79.12  17.4000
      Total      JPY                  1  5,000     80     16     4,904      1.6000
      Totals include 3 settlements, balanced or out of balance. Not included: 1
      pending. The service reports no amounts by type or payment type, so all amounts
      are added up from the transactions. Fees % is fees as a percentage of gross,
      rounded half up to 4 decimal places; empty if gross is 0 or the two have
      opposite signs."
    `);
  });

  test('are replaced by a sentence if no transactions exist', async () => {
    const { env } = await startService(
      scenarioOf([{ date: '2026-03-30', status: 'validated', rows: [['purchase', 700, 9, 2]] }]),
    );
    const asked = ['settlements', '--month', '2026-03', '--by', 'type', '--format', 'table'];
    const { stdout } = await runRecon(asked, { env });
    expect(stdout).toContain('Totals include no settlements. Not included: 1 pending.');
    expect(stdout).not.toContain('Fees %');
  });
});

test('lines by payment type leave out settlements with unreadable rows, and add up to the others', async () => {
  const asked = ['--sandbox', '--scenario', 'malformed', '--by', 'payment', '--json', '-q'];
  const { stdout } = await runRecon(['settlements', ...asked]);
  expect(JSON.parse(stdout).groups).not.toEqual([]);
  expectLinesToAddUp(stdout);
});

test('a workbook has the lines and their totals on a sheet, and a page has them in a table', async () => {
  const folder = await temporaryFolder();
  const write = async (file: string, by: string) => {
    await run(['--by', by, '--output', join(folder, file)]);
    return readFile(join(folder, file));
  };
  const sheets = await readWorkbook(await write('day.xlsx', 'day'));
  const [first, ...others] = recordsOf(sheets.get('By day'));
  expect(first).toMatchObject({
    Date: new Date('2026-03-30T00:00:00Z'),
    'Reported gross': 120,
    'Computed gross': 120,
    'Reported fees': 2.4,
    'Computed fees': 2.4,
  });
  expect(others.at(-2)).toMatchObject({ Date: 'Total', Currency: 'EUR', 'Net difference': 5 });
  const said = sheets.get('Summary')?.find(([label]) => label === 'By day');
  expect(said?.[1]).toMatch(/^Fees % is fees as a percentage of gross/);
  const page = (await write('payment.html', 'payment')).toString();
  const title = page.indexOf('Totals of transactions by payment type and currency (computed)');
  expect(page.slice(title).split('</table>')[0]).toMatch(/wallet.*3\.3333.*Total.*17\.4000/s);
  for (const whole of ['Totals by account', 'Out of balance: 1', 'All settlements: ']) {
    expect(page).toContain(`<h3>${whole}`);
  }
});

test('lines by day on a screen have totals, and fees as a percentage beside the amounts', async () => {
  const { stdout } = await run(['--by', 'day', '--color', 'never'], 80);
  const from = stdout.indexOf('Totals by day and currency (differences in net pay-out)');
  expect(stdout.slice(from, stdout.indexOf('\n\n', from))).toMatchInlineSnapshot(`
    "Totals by day and currency (differences in net pay-out)
    Date        Currency   Out of  Reported         Net    Absolute  Reported
                          balance       net  difference  difference    fees %
                                    pay-out
    ──────────  ────────  ───────  ────────  ──────────  ──────────  ────────
    2026-03-30  EUR             0    117.12        0.00        0.00    2.0000
    2026-03-30  JPY             0  4,904           0           0       1.6000
    2026-04-01  EUR             1    -33.00       +5.00        5.00
    2026-04-02  EUR             0      0.00        0.00        0.00
    ──────────  ────────  ───────  ────────  ──────────  ──────────  ────────
    Total       EUR             1     84.12       +5.00        5.00   16.5714
    Total       JPY             0  4,904           0           0       1.6000
    Totals include 3 settlements, balanced or out of balance. Not included: 1
    pending. Fees % is fees as a percentage of gross, rounded half up to 4 decimal
    places; empty if gross is 0 or the two have opposite signs."
  `);
});
