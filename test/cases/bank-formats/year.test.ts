import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Random } from '../../support/random.ts';
import {
  abroad,
  type Company,
  endToEndIdOf,
  type Listed,
  openCompany,
  payer,
  sumsOf,
  usual,
  web,
} from '../closed-stays-true/company.ts';
import { forms } from './forms.ts';
import { seeds } from './seeds.ts';
import { decimal, lastDayOf, later, sumOf } from './truth.ts';
import { bytesOf } from './written.ts';

/** A booking of a bank's year. */
interface Booking {
  readonly day: string;
  readonly amount: number;
  readonly text: string;
  readonly from: string;
}

const months = Array.from(
  { length: 12 },
  (_, month) => `2025-${String(month + 1).padStart(2, '0')}`,
);
const decimals: Readonly<Record<string, number>> = { EUR: 2, JPY: 0 };

const isWeekend = (day: string) => [0, 6].includes(new Date(`${day}T00:00:00Z`).getUTCDay());
const isLastDay = (day: string) => day === lastDayOf(day.slice(0, 7));
const holidays = [
  '2025-01-01',
  '2025-04-18',
  '2025-04-21',
  '2025-05-01',
  '2025-12-25',
  '2025-12-26',
  '2026-01-01',
];

/** The next day on which this bank books: never a weekend, never the last of a month. */
function bookingDay(day: string, days: number): string {
  let next = later(day, days);
  while (isWeekend(next) || isLastDay(next) || holidays.includes(next)) next = later(next, 1);
  return next;
}

/** A year of settlements, and what the bank booked of them until some days after it. */
function yearOf(random: Random, currency: string, token: typeof web, first: number) {
  const settlements: Listed[] = [];
  const bookings: Booking[] = [];
  for (const month of months) {
    const count = random.int(4, 9);
    for (let n = 0; n < count; n++) {
      const day = later(`${month}-01`, random.int(0, Number(lastDayOf(month).slice(-2)) - 1));
      const id = `${String(first + settlements.length).padStart(8, '0')}-7ab3-4c1d-8e90-${token.id.slice(-12)}`;
      const rows = [
        { a: random.int(10_000, 900_000), f: random.int(0, 900), t: random.int(0, 90) },
      ];
      const one: Listed = { id, day, rows, token, currency };
      settlements.push(one);
      const text = `Payout ${endToEndIdOf(one)}`;
      bookings.push({
        day: bookingDay(day, random.int(1, 2)),
        amount: sumsOf(one).payIn,
        text,
        from: payer,
      });
    }
    const rent = { day: bookingDay(`${month}-01`, 2), amount: -120_000, text: 'Rent' };
    bookings.push({ ...rent, from: 'DE02500105170137075030' });
    // The same small fee twice a day, some months.
    const fee = {
      day: bookingDay(`${month}-12`, 0),
      amount: -390,
      text: 'Account fee',
      from: 'DE11500105170000000001',
    };
    bookings.push(fee, ...(random.chance(50) ? [fee] : []));
  }
  bookings.push({ day: '2026-01-07', amount: -100, text: 'Rent', from: 'DE02500105170137075030' });
  bookings.push({ day: '2026-02-03', amount: -100, text: 'Rent', from: 'DE02500105170137075030' });
  bookings.sort((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : 0));
  return { settlements, bookings };
}

interface Account {
  readonly number: string;
  readonly currency: string;
}

const euroAccount: Account = { number: 'DE79123456780000143027', currency: 'EUR' };
const yenAccount: Account = { number: 'DE50123456780000192534', currency: 'JPY' };

interface Layout {
  readonly header: string;
  readonly row: (booking: Booking, balance: number, account: Account) => string;
  readonly isNewestFirst: boolean;
  readonly mapping: readonly string[];
}

const german: Layout = {
  header: 'Konto;Buchungstag;Wertstellung;Verwendungszweck;IBAN;Betrag;Saldo;Währung',
  row: ({ day, amount, text, from }, balance, { number, currency }) => {
    const date = day.split('-').toReversed().join('.');
    const [written, left] = [amount, balance].map((minor) =>
      decimal(minor, decimals[currency] ?? 2, ',', '.'),
    );
    return [number, date, date, text, from, written, left, currency].join(';');
  },
  isNewestFirst: true,
  mapping: [
    'delimiter = ";"',
    'decimal = ","',
    'thousands = "."',
    'date_format = "DD.MM.YYYY"',
    'date = "Buchungstag"',
    'value_date = "Wertstellung"',
    'texts = ["Verwendungszweck"]',
    'counterparty = "IBAN"',
    'amount = "Betrag"',
    'balance = "Saldo"',
    'currency = "Währung"',
    'account = "Konto"',
  ],
};

const english: Layout = {
  header: 'Date,Description,Withdrawals,Deposits,Balance,Currency,Other account',
  row: ({ day, amount, text, from }, balance) => {
    const size = decimal(Math.abs(amount), 0);
    const [out, into] = amount < 0 ? [size, ''] : ['', size];
    return [day, text, out, into, decimal(balance, 0), 'JPY', from].join(',');
  },
  isNewestFirst: false,
  mapping: [
    'date = "Date"',
    'texts = ["Description"]',
    'debit = "Withdrawals"',
    'credit = "Deposits"',
    'balance = "Balance"',
    'currency = "Currency"',
    'counterparty = "Other account"',
    `account = "${yenAccount.number}"`,
  ],
};

/** Writes what was booked from one day to another, with the balance that runs through all files. */
async function writeExport(
  path: string,
  { header, row, isNewestFirst }: Layout,
  account: Account,
  bookings: readonly Booking[],
  [from, to]: readonly [string, string],
): Promise<void> {
  let balance = 1_000_000;
  const rows = bookings.flatMap((booking) => {
    balance += booking.amount;
    return booking.day >= from && booking.day <= to ? [row(booking, balance, account)] : [];
  });
  if (isNewestFirst) rows.reverse();
  if (rows.length > 0) await writeFile(path, `${[header, ...rows].join('\r\n')}\r\n`);
}

/** How the second bank's files are cut: each has days of the one before. */
const cuts = {
  // Each begins ten days early.
  quarters: months
    .filter((_, at) => at % 3 === 0)
    .map(
      (month, at) =>
        [at === 0 ? `${month}-01` : later(`${month}-01`, -10), later(`${month}-01`, 104)] as const,
    ),
  // Of each month, made on its twelfth day after.
  'ninety days': months.map((month) => {
    const to = later(lastDayOf(month), 12);
    return [later(to, -90), to] as const;
  }),
} as const;

const exactly = (minor: number, currency: string) => decimal(minor, decimals[currency] ?? 2);

/** Closes a month and says what is wrong about it. */
async function close(company: Company, month: string, isFirst: boolean) {
  const { exitCode, stdout, stderr } = await company.run(
    ...['close', '--month', month, '--record', '--by', 'Anna', '--json'],
    ...(isFirst ? ['--new-register'] : []),
  );
  const told = exitCode === 0 ? [] : [`exit code ${exitCode}: ${stderr.trim().split('\n').at(-1)}`];
  const report = stdout ? JSON.parse(stdout) : undefined;
  const points = (report?.blockers ?? []).map((point: { code: string }) => point.code);
  return { report, told: [...told, ...points] as readonly string[] };
}

async function judge(
  seed: number,
  name: keyof typeof cuts,
  second: Layout,
  tables: readonly string[],
) {
  const random = new Random(seed * 7);
  const euros = yearOf(random, 'EUR', web, 1000);
  const yens = yearOf(random, 'JPY', abroad, 5000);
  const company = await openCompany(
    [...usual.filter((line) => !line.startsWith('books_from')), 'books_from = "2025-01-01"'],
    tables,
  );
  company.lists(...euros.settlements, ...yens.settlements);
  await mkdir(company.bank, { recursive: true });
  for (const month of [...months, '2026-01', '2026-02']) {
    const path = join(company.bank, `nord-${month}.csv`);
    await writeExport(path, german, euroAccount, euros.bookings, [`${month}-01`, lastDayOf(month)]);
  }
  for (const [at, days] of cuts[name].entries()) {
    await writeExport(
      join(company.bank, `west-${at}.csv`),
      second,
      yenAccount,
      yens.bookings,
      days,
    );
  }
  const told: string[] = [];
  for (const [at, month] of months.entries()) {
    const end = lastDayOf(month);
    company.becomes(later(end, 35));
    const closed = await close(company, month, at === 0);
    told.push(...closed.told.map((point) => `${month}: ${point}`));
    for (const { settlements, bookings, currency } of [
      { ...euros, currency: 'EUR' },
      { ...yens, currency: 'JPY' },
    ]) {
      const settled = settlements
        .filter(({ day }) => day <= end)
        .reduce((all, one) => all + sumsOf(one).payIn, 0);
      const received = bookings
        .filter(({ day, text }) => day <= end && text.startsWith('Payout'))
        .reduce((all, { amount }) => all + amount, 0);
      const line = closed.report?.lines?.find(
        (one: { currency: string }) => one.currency === currency,
      );
      const right = exactly(settled - received, currency);
      if (line?.closing?.amount !== right)
        told.push(`${month} closing: ${line?.closing?.amount}; right: ${right}`);
    }
    if (told.length > 0) break;
  }
  expect(told).toEqual([]);
}

describe('a year of CSV files with running balances closes month by month, without force', () => {
  const years = seeds.filter((_, at) => at % 4 === 0);
  // Each year has one way of cutting, and the other one with the other bank.
  const casesOf = (one: keyof typeof cuts, other: keyof typeof cuts) =>
    years.map((seed, at) => [seed, at % 2 ? other : one] as const);

  test.each(casesOf('quarters', 'ninety days'))(
    'year %i, two accounts of one bank: %s',
    (seed, name) => judge(seed, name, german, ['[profiles.main.bank_csv]', ...german.mapping]),
  );

  test.each(casesOf('ninety days', 'quarters'))('year %i, two banks: %s', (seed, name) =>
    judge(seed, name, english, [
      ...['[profiles.main.bank_csv.nord]', ...german.mapping],
      ...['[profiles.main.bank_csv.west]', ...english.mapping],
    ]),
  );
});

describe('a quarter in each form closes month by month, without force', () => {
  // Tables need a balance for it: see above.
  test.each(forms.filter(({ name }) => name !== 'CSV'))('$name', async ({ country, write }) => {
    const random = new Random(20_250);
    const { settlements, bookings } = yearOf(random, 'EUR', web, 1000);
    const company = await openCompany(
      ['statements = "bank"', 'closes = "closes.csv"', 'books_from = "2025-01-01"'],
      [],
    );
    company.lists(...settlements);
    const own = country.account(random);
    let opening = 250_000;
    for (const month of months.slice(0, 4)) {
      const [from, to] = [`${month}-01`, lastDayOf(month)];
      const entries = bookings
        .filter(({ day, from: other }) => day >= from && day <= to && other === payer)
        .map(({ day, amount, text }, at) => {
          const id = text.replace('Payout ', '');
          const reference = `${month.replace('-', '')}${at}`;
          return { day, valueDay: day, amount, text, id, reference, name: 'EXAMPLE PAYMENTS' };
        });
      const account = { ...own, currency: 'EUR', decimals: 2, from, to, opening, entries };
      const written = write({ month, accounts: [account], payouts: [] }, random);
      await writeFile(join(company.bank, `${month}-${written.name}`), bytesOf(written));
      opening += sumOf(account);
    }
    const told: string[] = [];
    for (const [at, month] of months.slice(0, 3).entries()) {
      company.becomes(later(lastDayOf(month), 35));
      const closed = await close(company, month, at === 0);
      told.push(...closed.told.map((point) => `${month}: ${point}`));
      if (told.length > 0) break;
    }
    expect(told).toEqual([]);
  });
});
