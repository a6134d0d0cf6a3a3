import { parse as parseToml } from 'smol-toml';
import { describe, expect, test } from 'vitest';
import { booksSettings, newTypesIn, profileSettings } from './adapter.ts';
import { ofRows } from './month.ts';
import { makeMonth, seeds, types } from './month-maker.ts';
import { balances, judge, type Posting } from './oracle.ts';

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
    expect(judge(month, books).newTypes.size).toBeGreaterThan(1);
  });

  test('balances in every settlement and currency', () => {
    const { postings } = judge(month, books);
    const key = (one: Posting) => `${one.settlement} ${one.currency}`;
    expect(balances(postings, key)).toEqual(new Map());
  });

  test('is what the settings say', () => {
    const text = `[profiles.shop]\n${profileSettings(booksSettings(books), rules)}`;
    const { profiles } = JSON.parse(JSON.stringify(parseToml(text)));
    expect(profiles.shop.books).toEqual(booksSettings(books));
  });
});

test('every level is the first with an account, for each purpose', () => {
  const accounts = months.flatMap((month) =>
    judge(month, month.books).postings.map(({ account }) => account.replace(/\d+/g, 'N')),
  );
  const levels = ['token N type N', 'type N', 'token N', 'EUR', 'JPY'];
  const own = levels.flatMap((level) => ofRows.map((purpose) => `${level}:${purpose}`));
  const general = ['assets:receivables:payments', 'expenses:payment fees', 'assets:input tax'];
  expect([...own, ...general].filter((one) => !accounts.includes(one))).toEqual([]);
});

test('what is told of a new type is read in either form', () => {
  const told = { type: 'adjustment', rows: 1002, bookedTo: 'assets:receivables.' };
  const of = (amounts: string) =>
    newTypesIn(
      `Note: 1,002 transactions of the new type ${amounts} booked to assets:receivables.\nElse.`,
    );
  const one = { ...told, amounts: [['EUR', -12_000_000n]] };
  expect(of('`adjustment`, EUR −12.00,')).toEqual([one]);
  expect(of('"adjustment", -12.00 EUR,')).toEqual([one]);
  const two = { ...told, amounts: [...one.amounts, ['JPY', 1_300_000_000n]] };
  expect(of('`adjustment`: -12.00 EUR and 1,300 JPY,')).toEqual([two]);
  expect(of('`adjustment`, EUR −12.00, JPY 1,300,')).toEqual([two]);
});
