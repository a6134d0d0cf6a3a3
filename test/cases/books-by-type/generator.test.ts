import { parse as parseToml } from 'smol-toml';
import { describe, expect, test } from 'vitest';
import { booksSettings, newTypesIn, profileSettings } from './adapter.ts';
import { type OfRow, ofRows } from './month.ts';
import { makeMonth, seeds, types } from './month-maker.ts';
import { accountOf, judge } from './oracle.ts';

const months = seeds.map(makeMonth);

describe.each(months)('what is made', (month) => {
  const { books, settlements, rules } = month;

  test('has all types, and some of everything that changes accounts', () => {
    const booked = settlements.filter(({ isPending }) => !isPending);
    const rows = booked.flatMap((one) => one.rows.map((row) => ({ ...row, of: one.currency })));
    expect(new Set(rows.map(({ type }) => type))).toEqual(new Set(types));
    expect(new Set(rows.map(({ currency }) => currency)).size).toBe(4);
    expect(new Set(rows.map(({ scale }) => scale))).toEqual(new Set([0, 2, 3]));
    expect(rows.some(({ currency, of }) => currency !== of)).toBe(true);
    expect(rows.some(({ isTwice }) => isTwice)).toBe(true);
    expect(rows.some(({ state }) => state === 'declined')).toBe(true);
    expect(booked.some(({ grossWithoutRow }) => grossWithoutRow !== 0n)).toBe(true);
    expect(booked.length).toBeLessThan(settlements.length);
    expect(judge(month, books, true).newTypes.size).toBeGreaterThan(1);
  });

  test('balances in every settlement and currency', () => {
    const sums = new Map<string, bigint>();
    for (const { settlement, currency, amount } of judge(month, books, true).postings) {
      const key = `${settlement} ${currency}`;
      sums.set(key, (sums.get(key) ?? 0n) + amount);
    }
    expect([...sums.values()].filter((sum) => sum !== 0n)).toEqual([]);
  });

  test('is what the settings say', () => {
    const text = `[profiles.shop]\n${profileSettings(booksSettings(books), rules)}`;
    const { profiles } = JSON.parse(JSON.stringify(parseToml(text)));
    expect(profiles.shop.books).toEqual(booksSettings(books));
  });
});

test('every level is the first that has an account, for each purpose', () => {
  const found = new Set<string>();
  for (const { books, settlements } of months) {
    for (const { token, currency, rows } of settlements) {
      for (const { type } of rows) {
        for (const purpose of ofRows) {
          const levels: readonly (readonly [string, Partial<Record<OfRow, string>> | undefined])[] =
            [
              ['token and type', books.tokenType.get(token)?.get(type)],
              ['type', books.type.get(type)],
              ['token', books.token.get(token)],
              ['currency', books.currency.get(currency)],
              ['general', books.general],
            ];
          const own = levels.filter(([, accounts]) => accounts?.[purpose] !== undefined);
          const [[level = '', accounts] = []] = own;
          expect(accountOf(books, purpose, { token, currency, type })).toBe(accounts?.[purpose]);
          found.add(`${purpose} ${level}`);
        }
      }
    }
  }
  expect(found.size).toBe(15);
});

test('what is told of a new type is read in either form', () => {
  const told = { type: 'adjustment', rows: 1002, bookedTo: 'assets:receivables.' };
  const of = (amounts: string) =>
    newTypesIn(`Note: 1,002 rows of the new type ${amounts} booked to assets:receivables.\nElse.`);
  const one = { ...told, amounts: [['EUR', -12_000_000n]] };
  expect(of('`adjustment`, EUR −12.00,')).toEqual([one]);
  expect(of('"adjustment", -12.00 EUR,')).toEqual([one]);
  const two = { ...told, amounts: [...one.amounts, ['JPY', 1_300_000_000n]] };
  expect(of('`adjustment`: -12.00 EUR and 1,300 JPY,')).toEqual([two]);
  expect(of('`adjustment`, EUR −12.00, JPY 1,300,')).toEqual([two]);
});
