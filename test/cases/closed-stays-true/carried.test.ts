import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { readWorkbook, recordsOf } from '../../render/xlsx/read-workbook.ts';
import {
  abroad,
  books,
  type Company,
  endToEndIdOf,
  type Listed,
  openCompany,
  textOf,
  usual,
  writeStatement,
} from './company.ts';
import { forcing, newRegister, said } from './words.ts';

const idOf = (letter: string) => `${letter.repeat(8)}-1a2b-4c3d-8e4f-5a6b7c8d9e0f`;

const listed = (letter: string, day: string, a: number, f: number): Listed => {
  return { id: idOf(letter), day, rows: [{ a, f, t: 0 }] };
};

const paid = listed('a', '2026-03-03', 100_00, 1_00);
const lost = listed('b', '2026-03-10', 75_00, 75);
const pending: Listed = { ...listed('c', '2026-03-12', 60_00, 60), isPending: true };
const dear: Listed = {
  ...listed('d', '2026-03-11', 30_000, 400),
  ...{ currency: 'JPY', token: abroad },
};
const april = listed('e', '2026-04-07', 40_00, 40);
const [euros, yens] = ['DE79123456780000143027', 'DE02120300000000202051'];

const rates = ['EUR', 'JPY'].flatMap((currency) => [
  '[[profiles.main.agreed_rates]]',
  `name = "${currency}"`,
  `currency = "${currency}"`,
  'percent = "1"',
]);
const mapping = [
  '[profiles.main.orders_csv]',
  ...[
    'order = "Order"',
    'date = "Date"',
    'total = "Total"',
    'currency = "Currency"',
    'charge = "Charge"',
    'methods = []',
  ],
];

const order = ({ id, day, currency = 'EUR', rows }: Listed) => {
  const [{ a } = { a: 0 }] = rows;
  const total = currency === 'JPY' ? a : `${a / 100}.00`;
  return [id.slice(0, 8), day, total, currency, `${id.slice(0, -4)}0000`].join();
};

const missing = '1042,2026-03-02,19.99,EUR,';

function writeOrders(company: Company, ...more: readonly string[]): void {
  const lines = [...[paid, lost, pending, dear, april].map(order), ...more];
  writeFileSync(
    company.file('orders.csv'),
    ['Order,Date,Total,Currency,Charge', ...lines, ''].join('\n'),
  );
}

const jpy = { account: yens, currency: 'JPY' } as const;

/** March, closed by force: an order and a pay-out are missing, one is overdue, one too dear, one entry is unknown. */
async function forcedMarch(): Promise<Company> {
  const company = await openCompany(
    [...usual, 'orders = "orders.csv"', 'pending_days = 5', 'accepted = "accepted.csv"'],
    [...mapping, ...rates, ...books],
  );
  company.becomes('2026-04-02');
  company.lists(paid, lost, pending, dear);
  writeOrders(company, missing);
  await writeStatement(company.file('bank/euro-03.xml'), {
    ...{ period: ['2026-03-01', '2026-03-31'], opening: 0, account: euros },
    entries: [{ day: '2026-03-05', amount: 99_00, id: endToEndIdOf(paid) }],
  });
  await writeStatement(company.file('bank/yen-03.xml'), {
    ...{ ...jpy, period: ['2026-03-01', '2026-03-31'], opening: 0 },
    entries: [
      { day: '2026-03-13', amount: 29_600, id: endToEndIdOf(dear) },
      { day: '2026-03-20', amount: 777 },
    ],
  });
  const run = await company.run('close', '--month', '2026-03', ...forcing, newRegister);
  expect(run.exitCode).toBe(0);
  return company;
}

/** April has come, with its own pay-out; of March's statements only those in euros are at hand. */
async function aprilComes(company: Company, ...arrived: readonly Listed[]): Promise<void> {
  company.becomes('2026-05-04');
  company.lists(april);
  rmSync(company.file('bank/yen-03.xml'));
  const entries = [april, ...arrived].map((one) => {
    const [{ a, f } = { a: 0, f: 0 }] = one.rows;
    return { day: '2026-04-09', amount: a - f, id: endToEndIdOf(one) };
  });
  await writeStatement(company.file('bank/euro-04.xml'), {
    ...{ period: ['2026-04-01', '2026-04-30'], opening: 99_00, account: euros, entries },
  });
  await writeStatement(company.file('bank/yen-04.xml'), {
    ...{ ...jpy, period: ['2026-04-01', '2026-04-30'], opening: 30_377, entries: [] },
  });
}

interface Carried {
  readonly code: string;
  readonly id: string;
  readonly isCounted: boolean;
  readonly amounts: readonly { readonly net: { readonly amount: string } }[];
}

async function closeOf(company: Company, month: string) {
  const { stdout } = await company.run('close', '--month', month, '--format', 'json');
  const { carried, blockers } = JSON.parse(stdout) as {
    readonly carried: readonly Carried[];
    readonly blockers: readonly { readonly code: string; readonly count: number }[];
  };
  return {
    counts: blockers.map(({ code, count }) => [code, count]),
    carried: carried.map(({ code, id, isCounted, amounts }) => [
      ...[code, code === 'unknown_on_bank' ? 'entry' : id, amounts[0]?.net.amount, isCounted],
    ]),
  };
}

const allOpen = [
  ['order_missing_in_settlements', '1042', '-19.99', false],
  ['overcharged', dear.id, '100', false],
  ['missing_on_bank', lost.id, '-74.25', true],
  ['unknown_on_bank', 'entry', '777', false],
  ['overdue', pending.id, '-59.40', false],
];

describe('what a close was forced over', () => {
  test('is named by the next close as long as it is open, and counts once', async () => {
    const company = await forcedMarch();
    await aprilComes(company);
    const { carried, counts } = await closeOf(company, '2026-04');
    expect(carried).toEqual(allOpen);
    expect(counts).toEqual([['missing_on_bank', 1]]);
  });

  test('stands on screen in groups, and by name on page and workbook', async () => {
    const company = await forcedMarch();
    await aprilComes(company);
    const month = ['close', '--month', '2026-04'];
    const { stdout } = await company.shows(...month, '--format', 'table', '--color', 'never');
    expect(stdout).toContain('\nLeft open by force in earlier closes: 5\n');
    expect(stdout).toMatch(/= 1042 \(-19\.99 EUR\)\n/);
    expect(said(await company.run(...month, '--format', 'table'))).toContain(
      `= ${lost.id} (-74.25 EUR); counted above`,
    );
    await company.run(...month, '--output', company.file('4.html'));
    expect(textOf(company.file('4.html'))).toContain('Left open by force in earlier closes: 5');
    await company.run(...month, '--output', company.file('4.xlsx'));
    const sheets = await readWorkbook(readFileSync(company.file('4.xlsx')));
    const rows = recordsOf(sheets.get('Left open'));
    expect(rows.map((row) => [row['Currency'], row['Amount'], row['Against this close']])).toEqual([
      ['EUR', -19.99, null],
      ['JPY', 100, null],
      ['EUR', -74.25, 'counted'],
      ['JPY', 777, null],
      ['EUR', -59.4, null],
    ]);
    expect(rows.map((row) => row['Note'])).toEqual(Array(5).fill('known to the judge'));
  });

  test('is no longer named once it is gone: settled, arrived, restated, corrected', async () => {
    const company = await forcedMarch();
    await aprilComes(company, lost);
    company.lists({ ...pending, isPending: false });
    company.lists({ ...dear, rows: [{ a: 30_000, f: 300, t: 0 }] });
    writeOrders(company);
    const { carried } = await closeOf(company, '2026-04');
    expect(carried).toEqual([['unknown_on_bank', 'entry', '777', false]]);
  });

  test('is named once after a second close that was forced over it, and while its statements are there', async () => {
    const company = await forcedMarch();
    const yen = readFileSync(company.file('bank/yen-03.xml'));
    await aprilComes(company);
    await company.run('close', '--month', '2026-04', ...forcing);
    writeFileSync(company.file('bank/yen-03.xml'), yen);
    company.becomes('2026-06-02');
    await writeStatement(company.file('bank/euro-05.xml'), {
      ...{ period: ['2026-05-01', '2026-05-31'], opening: 138_60, account: euros, entries: [] },
    });
    await writeStatement(company.file('bank/yen-05.xml'), {
      ...{ ...jpy, period: ['2026-05-01', '2026-05-31'], opening: 30_377, entries: [] },
    });
    const { carried, counts } = await closeOf(company, '2026-05');
    expect(carried).toEqual(allOpen);
    expect(counts).toEqual([['missing_on_bank', 1]]);
  });
});
