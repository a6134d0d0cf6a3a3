import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import type { RunResult } from '../../../support/run-recon.ts';
import { dayAfter, lastOfMonth } from '../calendar.ts';
import { sum, tokens } from '../year.ts';
import { type Closing, closeTwice } from './closing.ts';
import {
  type Merchant,
  type Month,
  makeMonths,
  months,
  ownRows,
  payInDifferenceOf,
  payInOf,
  type Row,
} from './months.ts';
import { Desk, openingsOf, unitsOf } from './open.ts';
import { linesOf, minorOf } from './said.ts';
import { seeds } from './seeds.ts';
import { accruedOf, isSettled, settleDays } from './truth.ts';

/** What is posted, by day, purpose, account and currency, without zeros; a debit is positive. */
type Postings = Readonly<Record<string, bigint>>;

const sortedWithoutZeros = (sums: ReadonlyMap<string, bigint>): Postings =>
  Object.fromEntries([...sums].filter(([, amount]) => amount !== 0n).sort());

function recordsOf(csv: string): readonly Readonly<Record<string, string>>[] {
  return parse(csv, { columns: true });
}

function postingsOf({ stdout, stderr }: RunResult): Postings {
  if (!stdout.startsWith('entry_id')) throw new Error(`${stdout}${stderr}`);
  const records = recordsOf(stdout);
  const sums = new Map<string, bigint>();
  for (const {
    date,
    purpose,
    accounting_token,
    currency = '',
    debit = '',
    credit = '',
  } of records) {
    const name = tokens.find(({ id }) => id === accounting_token)?.name;
    const key = `${date} ${purpose} ${name} ${currency}`;
    const amount = unitsOf(debit, currency) - unitsOf(credit, currency);
    sums.set(key, (sums.get(key) ?? 0n) + amount);
  }
  return sortedWithoutZeros(sums);
}

/** The month in which a row was sold: not after that of its settlement. */
function saleMonthOf({ day }: Row, settled: string): string {
  const [sold, own] = [day.slice(0, 7), settled.slice(0, 7)];
  return day > settled ? own : sold;
}

/** The journal of a month with sales by month, without the bank. */
function bookedBySaleMonth(
  { settlements }: Merchant,
  { from, to }: Month,
  evening: string,
): Postings {
  const sums = new Map<string, bigint>();
  const last = dayAfter(to, settleDays);
  for (const settlement of settlements) {
    const { day, token } = settlement;
    if (day < from || day > last || !isSettled(settlement, evening)) continue;
    const post = (on: string, purpose: string, amount: bigint, currency = token.currency) => {
      const key = `${on} ${purpose} ${token.name} ${currency}`;
      if (on >= from && on <= to) sums.set(key, (sums.get(key) ?? 0n) + amount);
    };
    const own = ownRows(settlement, evening);
    for (const row of own) {
      const month = saleMonthOf(row, day);
      const isEarlier = month < day.slice(0, 7);
      post(day, isEarlier ? 'accrued_sales' : 'receivable', -row.amount);
      if (!isEarlier) continue;
      const end = lastOfMonth(month);
      const on = end < months[0].from ? months[0].from : end;
      post(on, 'accrued_sales', row.amount);
      post(on, 'receivable', -row.amount);
    }
    post(day, 'in_transit', payInOf(settlement, evening));
    post(day, 'fees', sum(own.map(({ fees }) => fees)));
    post(day, 'tax', sum(own.map(({ tax }) => tax)));
    post(day, 'suspense', -payInDifferenceOf(settlement));
    for (const { currency, amount, fees, tax } of settlement.rows) {
      if (currency === token.currency) continue;
      post(day, 'receivable', -amount, currency);
      post(day, 'fees', fees, currency);
      post(day, 'tax', tax, currency);
      post(day, 'suspense', amount - fees - tax, currency);
    }
  }
  return sortedWithoutZeros(sums);
}

test.each(seeds)(
  'what is sold in a month and settled in the next is accrued by its day: seed %i',
  async (seed) => {
    const merchant = makeMonths(seed);
    const desk = await Desk.open(merchant);
    for (const [at, month] of months.entries()) {
      const evening = merchant.evenings[at] ?? '';
      const shop = await desk.at(evening);
      const journal = ['journal', '--month', month.name, '--for', 'csv', '--by-sale-month'];
      const expected = bookedBySaleMonth(merchant, month, evening);
      const where = `seed ${seed}, ${month.name} on ${evening}`;
      expect.soft(postingsOf(await shop.run(journal)), where).toEqual(expected);
      // Each day as one entry has the same sums.
      expect
        .soft(postingsOf(await shop.run([...journal, '--per', 'day'])), where)
        .toEqual(expected);
    }
  },
);

/** Before a month is booked, the close says how many entries are owed, what they debit, and what the books have. */
function expectOwed({ unbooked, truth, where }: Closing, held: Readonly<Record<string, bigint>>) {
  if (!unbooked) throw new Error('The month was not closed before it was booked.');
  const { json, file } = unbooked;
  const debits = new Map<string, bigint>();
  const entries = new Set<string>();
  for (const { entry_id = '', currency = '', debit = '' } of recordsOf(file)) {
    debits.set(currency, (debits.get(currency) ?? 0n) + unitsOf(debit, currency));
    entries.add(entry_id);
  }
  const point = json.blockers.find(({ code }) => code === 'not_booked');
  const said = (point?.amounts ?? []).map(({ currency, net }) => [currency, minorOf(net)] as const);
  expect.soft(point?.count, where).toBe(entries.size);
  expect.soft(sortedWithoutZeros(new Map(said)), where).toEqual(sortedWithoutZeros(debits));
  for (const [currency, left] of Object.entries(truth.inBooks)) {
    const { not_booked, in_books } = linesOf(json, currency);
    const before = held[currency] ?? 0n;
    expect.soft(in_books && minorOf(in_books.amount), `${where} ${currency}`).toBe(before);
    expect.soft(not_booked ? minorOf(not_booked.amount) : 0n, where).toBe(before - left);
  }
}

test.each(seeds)(
  'a register that books sales by month closes with nothing owed: seed %i',
  async (seed) => {
    const merchant = makeMonths(seed);
    const settings = ['booked = "booked.csv"'];
    const books = ['by_sale_month = true'];
    let held: Readonly<Record<string, bigint>> = openingsOf(merchant);
    for await (const closing of closeTwice(merchant, settings, { books, booksFirst: true })) {
      const { json, truth, where, month, evening } = closing;
      expectOwed(closing, held);
      held = truth.inBooks;
      expect
        .soft(
          json.blockers.map(({ code }) => code),
          where,
        )
        .not.toContain('not_booked');
      const isJudged = (code = '') => !truth.unjudged.has(code);
      const codes = json.blockers.map(({ code }) => code).filter(isJudged);
      const wantedCodes = Object.keys(truth.points).map((key) => key.split(' ')[0] ?? '');
      expect.soft(new Set(codes), where).toEqual(new Set(wantedCodes.filter(isJudged)));
      for (const { currency, lines } of json.ladders) {
        const last = lines.find(({ code }) => code === 'in_books');
        if (last) expect.soft(minorOf(last.amount), where).toBe(truth.inBooks[currency] ?? 0n);
        expect.soft(lines.map(({ code }) => code)).not.toContain('not_booked');
      }
      const accrued = json.accruedSales.map(({ accountingName, currency, amount }) => {
        return [`${accountingName} ${currency}`, minorOf(amount)] as const;
      });
      const wanted = Object.entries(accruedOf(merchant, month.to, evening));
      expect
        .soft(sortedWithoutZeros(new Map(accrued)), where)
        .toEqual(sortedWithoutZeros(new Map(wanted)));
    }
  },
);
