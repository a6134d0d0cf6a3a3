import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import {
  type Company,
  endToEndIdOf,
  type Listed,
  openCompany,
  textOf,
  writeStatement,
} from './company.ts';
import { booked, close, codes, newRegister, recording } from './words.ts';

const december: Listed = {
  id: 'e1d2c3b4-a596-4877-8655-443322110099',
  day: '2025-12-10',
  rows: [{ a: 20_000, f: 300, t: 60 }],
};
const january: Listed = {
  id: 'f1d2c3b4-a596-4877-8655-443322110088',
  day: '2026-01-13',
  rows: [{ a: 10_000, f: 150, t: 30 }],
};

/** Accounts as SKR03 numbers them. */
const tables: readonly string[] = [
  '[profiles.main.books]',
  ...['in_transit = "1461"', 'bank = "1200"', 'fees = "4970"', 'tax = "1576"'],
  ...['receivable = "10000"', 'suspense = "1590"', 'accepted = "2309"', 'bank_fees = "4971"'],
  '[profiles.main.books.datev]',
  ...['adviser = 1001', 'client = 1', 'year_start = "01-01"', 'account_length = 4'],
  'currency = "EUR"',
];

const book = (company: Company, month: string, output: string, ...more: readonly string[]) =>
  company.run(
    ...['journal', '--month', month, '--for', 'datev', '--bank', ...booked(company)],
    ...['--output', company.file(output), ...more],
  );

/** What the register of bookings holds by purpose, in cents. */
function register(company: Company): Readonly<Record<string, bigint>> {
  const lines = parse(textOf(company.file('booked.csv')), { columns: true }) as readonly Readonly<
    Record<string, string>
  >[];
  const held = new Map<string, bigint>();
  for (const line of lines.filter((one) => one['line'] === 'posting')) {
    const purpose = line['purpose'] ?? '';
    held.set(purpose, (held.get(purpose) ?? 0n) + BigInt((line['amount'] ?? '').replace('.', '')));
  }
  return Object.fromEntries([...held].filter(([, amount]) => amount !== 0n).sort());
}

/** December is closed; in January the service takes 1.20 less in fees, and pays it. */
async function restatedOverTheYear(): Promise<Company> {
  const company = await openCompany(
    ['statements = "bank"', 'closes = "closes.csv"', 'books_from = "2025-12-01"'],
    tables,
  );
  company.becomes('2026-01-05');
  company.lists(december);
  await writeStatement(company.file('bank/2025-12.xml'), {
    period: ['2025-12-01', '2025-12-31'],
    opening: 0,
    entries: [{ day: '2025-12-12', amount: 19_640, id: endToEndIdOf(december) }],
  });
  const first = await book(company, '2025-12', 'EXTF_1.csv', newRegister);
  const closed = await company.run(
    ...['close', '--month', '2025-12', ...booked(company), ...recording, newRegister],
  );
  expect([first.exitCode, closed.exitCode]).toEqual([0, 0]);
  company.becomes('2026-02-04');
  company.lists(january, { ...december, rows: [{ a: 20_000, f: 180, t: 60 }] });
  await writeStatement(company.file('bank/2026-01.xml'), {
    period: ['2026-01-01', '2026-01-31'],
    opening: 19_640,
    entries: [
      { day: '2026-01-15', amount: 9820, id: endToEndIdOf(january) },
      { day: '2026-01-20', amount: 120, id: endToEndIdOf(december) },
    ],
  });
  return company;
}

test('the journal of January books what changed of December, and the register agrees with the close', async () => {
  const company = await restatedOverTheYear();
  expect(codes(await close(company, '2026-01'))).toContain('not_booked');
  const run = await book(company, '2026-01', 'EXTF_2.csv');
  expect(run.exitCode).toBe(0);
  expect(register(company)).toEqual({
    ...{ bank: 29_580n, fees: 330n, receivable: -30_000n, tax: 90n },
  });
  const closed = await close(company, '2026-01');
  expect([closed.verdict, codes(closed)]).toEqual(['ready', []]);
  expect(closed.totals['EUR']).toMatchObject({ changed: 120n, over: 0n, closing: 0n });
  expect(closed.checks['EUR']).toMatchObject({ inTransit: 0n, suspense: 0n });
});

test('control: with a look-back by hand it is posted on 1 January, in the new year’s file', async () => {
  const company = await restatedOverTheYear();
  const run = await company.run(
    ...['journal', '--from', '2025-12-01', '--to', '2026-01-31', '--for', 'datev', '--bank'],
    ...[...booked(company), '--output', company.file('EXTF_2.csv')],
  );
  expect(run.exitCode).toBe(0);
  const text = textOf(company.file('EXTF_2.csv'));
  expect(text).toMatch(/;20260101;20260131;/);
  expect(register(company)).toMatchObject({ fees: 330n, bank: 29_580n });
});
