import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { Random } from '../../support/random.ts';
import { dayAfter, lastOfMonth } from '../close/calendar.ts';
import {
  abroad,
  books,
  type Company,
  endToEndIdOf,
  type Listed,
  openCompany,
  stores,
  sumsOf,
  textOf,
  web,
  writeStatement,
} from './company.ts';
import { transactionsOf } from './ledger.ts';
import { booked, newRegister, recording } from './words.ts';
import { accounts } from './year.ts';

const months = ['2025-11', '2025-12', '2026-01', '2026-02', '2026-03', '2026-04'];

const shops = [
  { token: web, currency: 'EUR' },
  { token: stores, currency: 'EUR' },
  { token: stores, currency: 'JPY' },
  { token: abroad, currency: 'KWD' },
] as const;

const byMonth = [...books, 'accrued_sales = "assets:accrued"', 'by_sale_month = true'];

const settings = [
  ...['statements = "bank"', 'closes = "closes.csv"', `books_from = "${months[0]}-01"`],
  ...['settle_days = 40', 'payout_accounts = ["DE77999999990000251034"]'],
];

/** The settlements of all months, each with rows of its own month, of earlier ones, and without a day. */
function settlementsOf(seed: number): Listed[] {
  const random = new Random(seed);
  return months.flatMap((month, index) =>
    shops.flatMap(({ token, currency }, shop) =>
      [1, 2, 3].map((number): Listed => {
        const hash = createHash('sha256')
          .update(`${seed} ${month} ${shop} ${number}`)
          .digest('hex');
        const id = `${hash.slice(0, 8)}-${hash.slice(8, 12)}-4${hash.slice(13, 16)}-8${hash.slice(17, 20)}-${hash.slice(20, 32)}`;
        // On the third day, after the last month's close and before it.
        const day = `${month}-${['03', '12', '28'][number - 1]}`;
        const rows = Array.from({ length: random.int(1, 4) }, () => {
          const earlier = random.pick(months.slice(Math.max(0, index - 2), index + 1));
          const refund = random.chance(20);
          const sold = random.chance(10) ? '' : `${earlier}-${random.pick(['01', '28'])}`;
          const a = random.int(10, 900) * (refund ? -10 : 100);
          return { a, f: random.int(0, 9), t: 1, type: refund ? 'refund' : 'purchase', sold };
        });
        return { id, day, rows, token, currency };
      }),
    ),
  );
}

type Sums = Record<string, bigint>;

function add(sums: Sums, key: string, minor: bigint): void {
  const sum = (sums[key] ?? 0n) + minor;
  if (sum === 0n) delete sums[key];
  else sums[key] = sum;
}

/** Sold by a day and settled after it in a later month, of what is listed; by shop and currency. */
function soldAndOpen(listed: readonly Listed[], day: string): Sums {
  const sums: Sums = {};
  for (const one of listed) {
    for (const { a, sold } of one.rows) {
      const isEarlier = sold && sold.slice(0, 7) < one.day.slice(0, 7);
      if (!isEarlier || one.isPending || one.day <= day || lastOfMonth(sold.slice(0, 7)) > day)
        continue;
      add(sums, `${one.token?.name} ${one.currency}`, BigInt(a));
    }
  }
  return sums;
}

function inCurrencies(sums: Sums): Sums {
  const found: Sums = {};
  for (const [key, minor] of Object.entries(sums)) add(found, key.slice(-3), minor);
  return found;
}

/** What journals leave on an account until a day, by currency. */
function left(journals: readonly string[], account: string, until: string): Sums {
  const sums: Sums = {};
  for (const { day, postings } of journals.flatMap(transactionsOf)) {
    if (day > until) continue;
    for (const one of postings) if (one.account === account) add(sums, one.currency, one.amount);
  }
  return sums;
}

async function writeBank(company: Company, all: readonly Listed[], month: string): Promise<void> {
  for (const [currency, account] of Object.entries(accounts)) {
    const own = all.filter((one) => one.currency === currency && !one.isPending);
    const paid = own.filter(({ day }) => day.startsWith(month));
    const before = own.filter(({ day }) => day < `${month}-01`);
    await writeStatement(company.file(`bank/${month}-${currency}.xml`), {
      ...{ period: [`${month}-01`, lastOfMonth(month)], account, currency },
      opening: before.reduce((sum, one) => sum + sumsOf(one).payIn, 0),
      entries: paid.map((one) => ({
        ...{ day: one.day, amount: sumsOf(one).payIn, id: endToEndIdOf(one), ref: one.id },
      })),
    });
  }
}

async function closeMonth(company: Company, month: string, isFirst: boolean) {
  const args = ['close', '--month', month, '--booked', company.file('booked.csv')];
  const run = await company.run(...args, '--format', 'json');
  const { accruedSales, blockers } = JSON.parse(run.stdout);
  const sums: Sums = {};
  for (const { accountingName, currency, amount } of accruedSales) {
    add(sums, `${accountingName} ${currency}`, BigInt(amount.minor));
  }
  const record = await company.run(...args, ...recording, ...(isFirst ? [newRegister] : []));
  return { sums, blockers, record };
}

/** Restates a settlement that is accrued, but not settled in a month of before. */
function restateOneOf(all: Listed[], day: string): void {
  const at = all.findIndex((one) => {
    const isOld = one.rows.some(({ sold = '' }) => sold !== '' && sold < day.slice(0, 7));
    return one.day === day && isOld;
  });
  const one = all[at];
  if (!one) return;
  const rows = one.rows.map((row) => ({ ...row, a: row.a + 500 }));
  all[at] = { ...one, rows };
}

test.each([1, 2])(
  'books %i: what is sold and not settled is accrued at the end of each month, and gone when all is settled',
  async (seed) => {
    const all = settlementsOf(seed);
    const company = await openCompany(settings, byMonth);
    const journals: string[] = [];
    for (const [index, month] of months.entries()) {
      const end = lastOfMonth(month);
      // The first settlements of the next month are known before this one is closed.
      const today = dayAfter(end, 5);
      company.becomes(today);
      company.lists(...all.filter(({ day }) => day <= today));
      await writeBank(company, all, month);
      const file = `${month}.journal`;
      const run = await company.run(
        ...['journal', '--month', month, '--for', 'hledger', '--bank', ...booked(company)],
        ...['--output', company.file(file), ...(index === 0 ? [newRegister] : [])],
      );
      expect(run.exitCode, run.stderr).toBe(0);
      journals.push(textOf(company.file(file)));
      // What is known, and stays as it is, is booked once.
      const isRestated = index > 0 && seed % 2 === 0;
      expect(textOf(company.file(file)).includes('reverses: ')).toBe(isRestated);
      const right = soldAndOpen(company.listed(), end);
      expect(left(journals, 'assets:accrued', end)).toEqual(inCurrencies(right));
      const { sums, blockers, record } = await closeMonth(company, month, index === 0);
      expect({ blockers, exit: record.exitCode }, record.stderr).toEqual({ blockers: [], exit: 0 });
      expect(sums).toEqual(right);
      if (seed % 2 === 0) restateOneOf(all, `${months[index + 1]}-03`);
    }
    // Sums by month of sale, over all months, are those of the settlements.
    const gross: Sums = {};
    for (const one of all) add(gross, one.currency ?? '', -BigInt(sumsOf(one).gross));
    expect(left(journals, 'assets:receivable', '9999')).toEqual(gross);
    expect(left(journals, 'assets:accrued', '9999')).toEqual({});
  },
  300_000,
);

test.each(['--per settlement', '--per day', '--detail'])(
  'with %s and without a register, the journal of each month has what was sold in it',
  async (flags) => {
    const how = flags.split(' ');
    const all = settlementsOf(5);
    const company = await openCompany(
      settings.map((one) => one.replace('settle_days = 40', 'settle_days = 90')),
      byMonth,
    );
    company.becomes('2026-06-30');
    company.lists(...all);
    const receivable: Sums = {};
    const sold: Sums = {};
    const journals: string[] = [];
    for (const month of months) {
      const run = await company.run('journal', '--month', month, '--for', 'hledger', ...how);
      expect(run.exitCode, run.stderr).toBe(0);
      journals.push(run.stdout);
      expect(left(journals, 'assets:accrued', lastOfMonth(month))).toEqual(
        inCurrencies(soldAndOpen(all, lastOfMonth(month))),
      );
      for (const [currency, minor] of Object.entries(
        left([run.stdout], 'assets:receivable', '9999'),
      ))
        add(receivable, `${month} ${currency}`, -minor);
    }
    for (const { day, currency, rows } of all) {
      for (const row of rows) {
        // What was sold before the books begin is accrued on their first day.
        const month = (row.sold || day).slice(0, 7);
        add(sold, `${month} ${currency}`, BigInt(row.a));
      }
    }
    expect(receivable).toEqual(sold);
  },
  300_000,
);
